/* SPDX-License-Identifier: MIT */
/* gltf_dump FILE [fps=N|source] [skin=S] [start=S] [end=S] [loop] [scale=S] [meshes]: reads a file as the
   library does and writes what it got as one JSON document: "model" (the clip form), "notes", and with
   `meshes` "binds" and "meshes". For the scripts beside it. */
#include "ember/ember.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static void put_floats(const char *key, const float *values, size_t count)
{
    printf(", \"%s\": ", key);
    if (values == NULL) {
        printf("null");
        return;
    }
    for (size_t i = 0; i < count; i++)
        printf("%c%.9g", i == 0 ? '[' : ',', (double)values[i]);
    printf("%s", count == 0 ? "[]" : "]");
}

static void put_mesh(const ember_mesh *mesh)
{
    size_t count = mesh->vertex_count;
    printf("{\"name\": ");
    put_text(mesh->name);
    printf(", \"bone\": %d, \"texture_size\": %zu", (int)mesh->bone, mesh->texture_size);
    put_floats("base_color", mesh->base_color, 4);
    put_floats("positions", &mesh->positions->x, count * 3);
    put_floats("normals", mesh->normals != NULL ? &mesh->normals->x : NULL, count * 3);
    put_floats("uvs", mesh->uvs != NULL ? mesh->uvs[0] : NULL, count * 2);
    put_floats("weights", mesh->weights != NULL ? mesh->weights[0] : NULL, count * 4);
    printf(", \"joints\": ");
    for (size_t i = 0; mesh->joints != NULL && i < count * 4; i++)
        printf("%c%u", i == 0 ? '[' : ',', (unsigned)mesh->joints[i / 4][i % 4]);
    printf("%s, \"indices\": [", mesh->joints != NULL ? "]" : "null");
    for (uint32_t i = 0; i < mesh->index_count; i++)
        printf("%s%u", i == 0 ? "" : ",", (unsigned)mesh->indices[i]);
    printf("]}");
}

/* Notes are kept until the document is written. */
typedef struct note_list {
    ember_buffer text;
} note_list;

static void take_note(void *user, const ember_note *note)
{
    static const char *const kinds[] = {"loss", "warning", "detail"};
    note_list               *list = user;
    char                     line[1024];
    int                      size = snprintf(line, sizeof(line), "%s: %s%s%s%s%s\n", kinds[note->kind],
                        note->clip != NULL ? note->clip : "", note->clip != NULL ? ": " : "",
                        note->bone != NULL ? note->bone : "", note->bone != NULL ? ": " : "", note->text);
    if (size > 0)
        (void)ember_buffer_append(&list->text, line,
                                  (size_t)size < sizeof(line) ? (size_t)size : sizeof(line) - 1);
}

static void put_notes(const note_list *list)
{
    bool first = true;
    printf("\"notes\": [");
    for (size_t start = 0, i = 0; i < list->text.size; i++) {
        char line[1024];
        if (list->text.data[i] != '\n')
            continue;
        memcpy(line, list->text.data + start, i - start);
        line[i - start] = '\0';
        printf("%s", first ? "" : ", ");
        put_text(line);
        first = false;
        start = i + 1;
    }
    printf("]");
}

static void put_model(const ember_model *model, const ember_buffer *json, const note_list *notes, bool meshes)
{
    printf("{");
    put_notes(notes);
    if (json->size != 0)
        printf(", \"model\": %.*s", (int)json->size, (const char *)json->data);
    if (meshes) {
        const ember_mat34 *binds = model->skeleton.inverse_binds;
        put_floats("binds", binds != NULL ? binds[0].m : NULL, (size_t)model->skeleton.bone_count * 12);
        printf(", \"meshes\": [");
        for (uint32_t i = 0; i < model->mesh_count; i++) {
            printf("%s", i == 0 ? "" : ",\n");
            put_mesh(&model->meshes[i]);
        }
        printf("]");
    }
    printf("}\n");
}

static bool take_option(ember_read_options *options, const char *argument)
{
    const char *value = strchr(argument, '=');
    if (strcmp(argument, "loop") == 0)
        options->loop = true;
    else if (value == NULL)
        return false;
    else if (strncmp(argument, "fps=", 4) == 0)
        options->fps = strcmp(value + 1, "source") == 0 ? EMBER_FPS_SOURCE : atof(value + 1);
    else if (strncmp(argument, "skin=", 5) == 0)
        options->skin = value + 1;
    else if (strncmp(argument, "start=", 6) == 0)
        options->start_s = atof(value + 1);
    else if (strncmp(argument, "end=", 4) == 0)
        options->end_s = atof(value + 1);
    else if (strncmp(argument, "scale=", 6) == 0)
        options->scale = atof(value + 1);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    note_list           notes = {{.allocator = ember_heap()}};
    ember_buffer        file = {.allocator = ember_heap()}, json = {.allocator = ember_heap()};
    ember_arena         arena = ember_arena_growing(ember_heap(), 0);
    ember_error         err = EMBER_ERROR_INIT;
    ember_model         model;
    bool                meshes = false;
    ember_read_options  options = {.path = argc > 1 ? argv[1] : NULL, .notes = {take_note, &notes}};
    ember_write_options write = {.format = EMBER_FORMAT_JSON, .compact = true};
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "meshes") == 0)
            meshes = true;
        else if (!take_option(&options, argv[i]))
            return 2;
    }
    if (argc < 2)
        return 2;
    if (ember_file_read(&file, argv[1], 0, &err) == EMBER_OK &&
        ember_model_read(&model, file.data, file.size, &options, &arena, &err) == EMBER_OK &&
        (model.skeleton.bone_count == 0 || ember_model_write(&json, &model, &write, &err) == EMBER_OK))
        put_model(&model, &json, &notes, meshes);
    if (err.status != EMBER_OK)
        fprintf(stderr, "%s: %s: %s\n", argv[1], ember_status_name(err.status), err.text);
    ember_buffer_free(&file);
    ember_buffer_free(&json);
    ember_buffer_free(&notes.text);
    ember_arena_free(&arena);
    return err.status != EMBER_OK;
}
