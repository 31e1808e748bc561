#include "format/fbx/fbx_scene.h"
ember_status emberi_fbx_skins_mark(fbx_scene *scene){(void)scene;return EMBER_OK;}
ember_status emberi_fbx_meshes_read(fbx_scene *scene, ember_model *model){(void)scene;(void)model;return EMBER_OK;}
