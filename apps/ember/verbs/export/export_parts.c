/* SPDX-License-Identifier: MIT */
/* `ember export skeleton|mesh`: what is written whole and has no frames. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/table.h"
#include "cli/text.h"
#include "ember/pose.h"
#include "ember/rom.h"
#include "verbs/export/export.h"

/* Bytes of a vertex's joints and weights in a mesh file: bytes both, or bytes and floats. */
enum { EXPORT_SKIN_PACKED = 8, EXPORT_SKIN_FLOATS = 20 };

/* Something that is written whole and is no clip. `stem` names the file where -o does not; `what`
   describes it. */
static int export_write_model(export *e, const ember_model *model, const ember_write_options *options,
                              const char *stem, const char *what)
{
    ember_buffer        bytes = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    const char         *path = e->out.path, *name = say_output_name(path);
    ember_write_options all = *options;
    char               *made = NULL;
    int                 code = EXIT_DONE;
    if (e->out.kind != OUTPUT_FILE) {
        bool again;
        path = name = made = output_path(&e->out, stem, &again);
    }
    say_listener listener = {.say = e->say, .file = name, .one_clip = true};
    all.format = e->out.to->format;
    all.notes = say_notes(&listener);
    if (ember_model_write(&bytes, model, &all, &err) != EMBER_OK)
        code = say_library(e->say, e->in.name, &err);
    else if (!export_make_folder(e) || ember_file_write(path, bytes.data, bytes.size, &err) != EMBER_OK)
        code = say_library(e->say, name, &err);
    else {
        char size[TEXT_NUMBER_SIZE];
        say_line(e->say, "%s  %s  %s B", name, what, text_count(size, bytes.size));
    }
    free(made);
    ember_buffer_free(&bytes);
    return code;
}

/* Reads -o, which must be a file that entries of this kind are made from. */
static int export_plan(export *e, ember_rom_kind kind, const char *what)
{
    const ember_format_info *wanted = ember_format_get(ember_rom_kind_format(kind));
    int                      usual = (int)strcspn(wanted->extensions, " "); /* one more comes behind it */
    int                      code = output_plan(&e->out, &e->args, wanted, e->say);
    if (code != EXIT_DONE || e->out.to == wanted)
        return code;
    return args_usage(&e->args, e->say, "%s goes into a file ending in .%.*s or .%s, not %s", what, usual,
                      wanted->extensions, wanted->extensions + usual + 1, e->out.to->name);
}

int export_skeleton(export *e)
{
    int code = export_plan(e, EMBER_ROM_SKELETON, "a skeleton");
    e->reading.skip_meshes = e->reading.skip_clips = true;
    if (code == EXIT_DONE)
        code = export_open(e);
    if (code != EXIT_DONE)
        return code;
    if (e->model.skeleton.bone_count == 0)
        return say_error(e->say, (place){e->in.name, NULL, NULL}, "there are no bones in it");
    ember_model bones = {.format = e->model.format, .skeleton = e->model.skeleton};
    uint32_t    count = bones.skeleton.bone_count;
    char       *what = text_make("%u %s", (unsigned)count, count == 1 ? "bone" : "bones"),
         *stem = output_stem(e->args.files[0]);
    code = export_write_model(e, &bones, &(ember_write_options){.compact = false}, stem, what);
    free(stem);
    free(what);
    return code;
}

/* A rigid mesh as a skinned one: all of it on its bone, and moved to where the inverse bind takes
   it back from. */
static bool export_skin_rigid(ember_mesh *mesh, const ember_model *model, ember_arena *arena)
{
    typedef uint16_t four_joints[4];
    typedef float    four_weights[4];
    ember_vec3      *positions = EMBER_PUSH(arena, ember_vec3, mesh->vertex_count);
    ember_vec3      *normals = EMBER_PUSH(arena, ember_vec3, mesh->vertex_count);
    four_joints     *joints = EMBER_PUSH(arena, four_joints, mesh->vertex_count);
    four_weights    *weights = EMBER_PUSH(arena, four_weights, mesh->vertex_count);
    ember_mat34      bind = ember_mat34_identity;
    if (positions == NULL || normals == NULL || joints == NULL || weights == NULL)
        return false;
    if (model->skeleton.inverse_binds != NULL)
        ember_mat34_inverse(&bind, &model->skeleton.inverse_binds[mesh->bone]);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        positions[i] = ember_mat34_point(&bind, mesh->positions[i]);
        if (mesh->normals != NULL)
            normals[i] = ember_mat34_direction(&bind, mesh->normals[i]);
        joints[i][0] = (uint16_t)mesh->bone;
        weights[i][0] = 1.0f;
    }
    mesh->positions = positions;
    mesh->normals = mesh->normals != NULL ? normals : NULL;
    mesh->joints = (const uint16_t(*)[4])joints;
    mesh->weights = (const float(*)[4])weights;
    mesh->bone = -1;
    return true;
}

static const ember_mesh *export_pick_mesh(export *e)
{
    const char *word = args_value(&e->args, "mesh");
    uint32_t    number;
    for (uint32_t i = 0; i < e->model.mesh_count; i++)
        if (word == NULL || strcmp(e->model.meshes[i].name, word) == 0)
            return &e->model.meshes[i];
    if (word != NULL && text_read_u32(&number, word) && number < e->model.mesh_count)
        return &e->model.meshes[number];
    return NULL;
}

static int export_list_meshes(export *e)
{
    app_table                table = {.align = "rlrrl"};
    static const char *const heads[] = {"#", "mesh", "vertices", "triangles", "kind"};
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        table_cell(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < e->model.mesh_count; i++) {
        const ember_mesh *mesh = &e->model.meshes[i];
        char             *name = text_escape(mesh->name);
        table_cell(&table, "%u", (unsigned)i);
        table_cell(&table, "%s", name);
        table_cell(&table, "%u", (unsigned)mesh->vertex_count);
        table_cell(&table, "%u", (unsigned)(mesh->index_count / 3));
        if (mesh->bone >= 0) {
            const char *bone = ember_skeleton_name(&e->model.skeleton, (uint32_t)mesh->bone);
            table_cell(&table, "rigid on bone %d%s%s", (int)mesh->bone, bone != NULL ? " " : "",
                       bone != NULL ? bone : "");
        } else {
            table_cell(&table, "%s", mesh->joints != NULL ? "skinned" : "static");
        }
        free(name);
    }
    table_print(&table, "");
    return EXIT_DONE;
}

/* "3,000 vertices, 1,000 triangles, rigid on hand.r: 24,000 B less than skinned". Free it. */
static char *export_describe_mesh(const export *e, const ember_mesh *mesh)
{
    char vertices[TEXT_NUMBER_SIZE], triangles[TEXT_NUMBER_SIZE], saved[TEXT_NUMBER_SIZE], number[24],
        *rigid = NULL;
    text_count(vertices, mesh->vertex_count);
    text_count(triangles, mesh->index_count / 3);
    if (mesh->bone >= 0) {
        const char *bone = ember_skeleton_name(&e->model.skeleton, (uint32_t)mesh->bone);
        snprintf(number, sizeof(number), "bone %d", (int)mesh->bone);
        uint64_t skin_size = args_has(&e->args, "unpacked") ? EXPORT_SKIN_FLOATS : EXPORT_SKIN_PACKED;
        rigid = text_make(", rigid on %s: %s B less than skinned", bone != NULL ? bone : number,
                          text_count(saved, mesh->vertex_count * skin_size));
    }
    char *what =
        text_make("%s %s, %s %s%s", vertices, mesh->vertex_count == 1 ? "vertex" : "vertices", triangles,
                  mesh->index_count == 3 ? "triangle" : "triangles", rigid != NULL ? rigid : "");
    free(rigid);
    return what;
}

int export_mesh(export *e)
{
    int code = EXIT_DONE;
    if (!args_has(&e->args, "list"))
        code = export_plan(e, EMBER_ROM_MESH, "a mesh");
    if (code == EXIT_DONE && args_has(&e->args, "packed") && args_has(&e->args, "unpacked"))
        code = args_usage(&e->args, e->say, "--packed and --unpacked exclude each other");
    if (code == EXIT_DONE && args_has(&e->args, "unpacked") && e->out.path != NULL &&
        strstr(e->out.path, ".ncz") != NULL)
        code =
            args_usage(&e->args, e->say,
                       "Nethercore reads packed vertices alone: leave --unpacked out, or write an .ewzmesh");
    e->reading.skip_clips = true;
    e->reading.leave_bad_meshes = false;
    if (code == EXIT_DONE)
        code = export_open(e);
    if (code != EXIT_DONE)
        return code;
    place where = {e->in.name, NULL, NULL};
    if (e->model.mesh_count == 0)
        return say_error(e->say, where, "there are no meshes in it");
    if (args_has(&e->args, "list"))
        return export_list_meshes(e);
    const ember_mesh *chosen = export_pick_mesh(e);
    if (chosen == NULL)
        return say_error(e->say, where, "no mesh is called '%s' (--list tells which there are)",
                         args_value(&e->args, "mesh"));
    if (e->model.mesh_count > 1 && !args_has(&e->args, "mesh"))
        say_note(e->say, where, "the first of %u meshes, --mesh chooses another",
                 (unsigned)e->model.mesh_count);

    ember_ewzmesh_options vertices = {.unpacked = args_has(&e->args, "unpacked")};
    ember_mesh            mesh = *chosen;
    ember_model           only = {.format = e->model.format,
                                  .skeleton = e->model.skeleton,
                                  .mesh_count = 1,
                                  .meshes = &mesh};
    if (args_has(&e->args, "skinned") && mesh.bone >= 0 && !export_skin_rigid(&mesh, &e->model, &e->in.arena))
        return say_error(e->say, where, "out of memory");
    char *what = export_describe_mesh(e, &mesh),
         *stem = mesh.name[0] != '\0' ? text_make("%s", mesh.name) : output_stem(e->args.files[0]);
    code = export_write_model(e, &only, &(ember_write_options){.ewzmesh = &vertices}, stem, what);
    free(stem);
    free(what);
    return code;
}
