/* SPDX-License-Identifier: MIT */
/* Wavefront OBJ: meshes only, read only. The file is walked twice: once to count, so that memory is
   taken for what is really there, and once to read; an index that points at nothing is an error with its
   line and column. */
#include <string.h>

#include "base/maths.h"
#include "format/text_scan.h"

/* A corner of a face: one-based numbers of its position, texture coordinate and normal; 0 is none. */
typedef struct obj_corner {
    uint32_t v, vt, vn;
} obj_corner;

typedef struct obj_group {
    const char *name; /* or NULL */
    size_t      first_corner;
    size_t      corner_count; /* a multiple of 3 */
} obj_group;

/* Open addressing; an entry counts only for the group that made it, so that groups share the table without
   clearing it. */
typedef struct obj_entry {
    obj_corner corner;
    uint32_t   vertex;
    uint32_t   group; /* its number + 1; 0 is free */
} obj_entry;

typedef struct obj_file {
    emberi_scan          scan;
    const emberi_source *source;
    double               scale;
    /* What the first walk found, and how much of it the second has read. */
    size_t               v_count, vt_count, vn_count, corner_count, group_count;
    size_t               v_read, vt_read, vn_read, corner_read, group_read;
    size_t               lines_and_points, unknown;
    bool                 materials;
    bool                 colored; /* every v has a colour */
    ember_vec3          *v, *vn;
    float (*vt)[2];
    float (*colors)[4];
    obj_corner *corners;
    obj_group  *groups;
    obj_entry  *table;
    size_t      table_mask;
} obj_file;

/* ---- lines ---- */

/* A backslash before a line's end joins it with the next. */
static void obj_blanks(emberi_scan *scan)
{
    for (;;) {
        emberi_scan_blanks(scan);
        const char *p = scan->cursor;
        if (p == scan->end || *p != '\\')
            return;
        p++;
        if (p < scan->end && *p == '\r')
            p++;
        if (p == scan->end || *p != '\n')
            return;
        scan->cursor = p + 1;
    }
}

static void obj_skip_line(emberi_scan *scan)
{
    for (obj_blanks(scan); !emberi_scan_at_line_end(scan); obj_blanks(scan))
        emberi_scan_word(scan);
}

static bool obj_next_line(emberi_scan *scan, emberi_word *keyword)
{
    for (;;) {
        emberi_scan_space(scan);
        if (emberi_scan_at_end(scan))
            return false;
        if (*scan->cursor != '#') {
            *keyword = emberi_scan_word(scan);
            return true;
        }
        emberi_scan_rest_of_line(scan);
    }
}

static bool obj_word_is(emberi_word word, const char *text)
{
    return strlen(text) == word.size && memcmp(word.text, text, word.size) == 0;
}

static bool obj_is_number(emberi_scan *scan, double *out)
{
    obj_blanks(scan);
    return !emberi_scan_at_line_end(scan) && emberi_scan_number(scan, out, NULL);
}

/* ---- counting ---- */

static size_t obj_count_words(emberi_scan *scan)
{
    size_t count = 0;
    for (obj_blanks(scan); !emberi_scan_at_line_end(scan); obj_blanks(scan)) {
        emberi_scan_word(scan);
        count++;
    }
    return count;
}

/* A vertex is a few bytes of text, so that counts of size_t cannot overflow; the vertices of a mesh are
   counted by 32 bits. */
static void obj_count(obj_file *file)
{
    emberi_scan scan = file->scan;
    emberi_word keyword;
    file->group_count = 1;
    while (obj_next_line(&scan, &keyword)) {
        if (obj_word_is(keyword, "v"))
            file->v_count++;
        else if (obj_word_is(keyword, "vt"))
            file->vt_count++;
        else if (obj_word_is(keyword, "vn"))
            file->vn_count++;
        else if (obj_word_is(keyword, "o") || obj_word_is(keyword, "g")) {
            file->group_count++;
            emberi_scan_rest_of_line(&scan); /* as it is read: no joining of lines in names */
        } else if (obj_word_is(keyword, "f")) {
            size_t words = obj_count_words(&scan);
            file->corner_count += words >= 3 ? (words - 2) * 3 : 0;
        }
        obj_skip_line(&scan);
    }
}

static ember_status obj_allocate(obj_file *file)
{
    ember_arena *arena = file->source->arena;
    size_t       room = 16;
    if (file->v_count > UINT32_MAX - 1 || file->vt_count > UINT32_MAX - 1 ||
        file->vn_count > UINT32_MAX - 1 || file->corner_count > UINT32_MAX - 1)
        return emberi_failf(file->source->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "obj: more than 4294967294 corners or vertices");
    while (room < file->corner_count + file->corner_count / 2)
        room *= 2;
    file->v = EMBER_PUSH(arena, ember_vec3, file->v_count);
    file->vn = EMBER_PUSH(arena, ember_vec3, file->vn_count);
    file->vt = ember_arena_push(arena, file->vt_count, sizeof(*file->vt), _Alignof(float));
    file->colors = ember_arena_push(arena, file->v_count, sizeof(*file->colors), _Alignof(float));
    file->corners = EMBER_PUSH(arena, obj_corner, file->corner_count);
    file->groups = EMBER_PUSH(arena, obj_group, file->group_count);
    file->table = EMBER_PUSH(arena, obj_entry, room);
    file->table_mask = room - 1;
    if (file->v == NULL || file->vn == NULL || file->vt == NULL || file->colors == NULL ||
        file->corners == NULL || file->groups == NULL || file->table == NULL)
        return emberi_fail_memory(file->source->err);
    return EMBER_OK;
}

/* ---- vertices ---- */

/* As many numbers as the line has, `most` at the most; what does not fit a float is an error. */
static ember_status obj_numbers(obj_file *file, float *out, size_t least, size_t most, size_t *count)
{
    emberi_scan *scan = &file->scan;
    double       value;
    for (*count = 0; *count < most && obj_is_number(scan, &value); ++*count) {
        out[*count] = (float)value;
        if (!emberi_is_finite(out[*count]))
            return emberi_scan_fail(scan, EMBER_E_RANGE, "%g is too large", value);
    }
    obj_blanks(scan);
    if (*count < least || !emberi_scan_at_line_end(scan))
        return emberi_scan_fail(scan, emberi_scan_at_end(scan) ? EMBER_E_TRUNCATED : EMBER_E_MALFORMED,
                                "%zu to %zu numbers should be here, %zu are", least, most, *count);
    return EMBER_OK;
}

/* x y z, x y z w, or x y z and a colour, which is not in the format's book but in many files. */
static ember_status obj_position(obj_file *file)
{
    float        numbers[7];
    size_t       count;
    ember_status status = obj_numbers(file, numbers, 3, 7, &count);
    if (status != EMBER_OK)
        return status;
    float      scale = (float)file->scale;
    ember_vec3 v = {numbers[0] * scale, numbers[1] * scale, numbers[2] * scale};
    if (!emberi_is_finite(v.x) || !emberi_is_finite(v.y) || !emberi_is_finite(v.z))
        return emberi_scan_fail(&file->scan, EMBER_E_RANGE, "the scaled position is too far away");
    file->v[file->v_read] = v;
    for (size_t i = 0; i < 4; i++)
        file->colors[file->v_read][i] = i < 3 && count >= 6 ? emberi_clamp(numbers[3 + i], 0.0f, 1.0f) : 1.0f;
    file->colored = file->colored && count >= 6;
    file->v_read++;
    return EMBER_OK;
}

/* OBJ counts v from the image's bottom, glTF and the model from its top. */
static ember_status obj_texture_coordinate(obj_file *file)
{
    float        numbers[3] = {0.0f, 0.0f, 0.0f};
    size_t       count;
    ember_status status = obj_numbers(file, numbers, 1, 3, &count);
    if (status != EMBER_OK)
        return status;
    file->vt[file->vt_read][0] = numbers[0];
    file->vt[file->vt_read][1] = 1.0f - numbers[1];
    file->vt_read++;
    return EMBER_OK;
}

static ember_status obj_normal(obj_file *file)
{
    float        numbers[3];
    size_t       count;
    ember_status status = obj_numbers(file, numbers, 3, 3, &count);
    if (status != EMBER_OK)
        return status;
    ember_vec3 vn = {numbers[0], numbers[1], numbers[2]};
    file->vn[file->vn_read++] = vn;
    return EMBER_OK;
}

/* ---- faces ---- */

/* Positive numbers count from the file's beginning, negative ones back from here. */
static ember_status obj_index(obj_file *file, uint32_t *out, size_t read, size_t count, const char *what)
{
    emberi_scan *scan = &file->scan;
    const char  *start = scan->cursor;
    int64_t      number;
    if (!emberi_scan_integer(scan, &number, "/"))
        return emberi_scan_fail(scan, emberi_scan_at_end(scan) ? EMBER_E_TRUNCATED : EMBER_E_MALFORMED,
                                "the number of a %s should be here", what);
    int64_t index = number < 0 ? (int64_t)read + 1 + number : number;
    if (index < 1 || index > (int64_t)count) {
        scan->cursor = start;
        return emberi_scan_fail(scan, EMBER_E_MALFORMED, "%s %lld of %zu", what, (long long)number,
                                number < 0 ? read : count);
    }
    *out = (uint32_t)index;
    return EMBER_OK;
}

static bool obj_slash(emberi_scan *scan)
{
    if (emberi_scan_at_end(scan) || *scan->cursor != '/')
        return false;
    scan->cursor++;
    return true;
}

/* v, v/vt, v//vn or v/vt/vn. */
static ember_status obj_corner_read(obj_file *file, obj_corner *out)
{
    emberi_scan *scan = &file->scan;
    *out = (obj_corner){0, 0, 0};
    ember_status status = obj_index(file, &out->v, file->v_read, file->v_count, "position");
    if (status != EMBER_OK || !obj_slash(scan))
        return status;
    if (emberi_scan_at_end(scan) || *scan->cursor != '/')
        status = obj_index(file, &out->vt, file->vt_read, file->vt_count, "texture coordinate");
    if (status != EMBER_OK || !obj_slash(scan))
        return status;
    return obj_index(file, &out->vn, file->vn_read, file->vn_count, "normal");
}

static ember_status obj_face(obj_file *file)
{
    emberi_scan *scan = &file->scan;
    obj_corner   first = {0, 0, 0}, last = {0, 0, 0}, corner;
    size_t       count = 0;
    for (obj_blanks(scan); !emberi_scan_at_line_end(scan); obj_blanks(scan), count++) {
        ember_status status = obj_corner_read(file, &corner);
        if (status != EMBER_OK)
            return status;
        if (count >= 2) {
            obj_corner *triangle = file->corners + file->corner_read;
            EMBERI_ASSERT(file->corner_read + 3 <= file->corner_count);
            triangle[0] = first;
            triangle[1] = last;
            triangle[2] = corner;
            file->corner_read += 3;
            file->groups[file->group_read].corner_count += 3;
        }
        if (count == 0)
            first = corner;
        last = corner;
    }
    if (count < 3)
        return emberi_scan_fail(scan, emberi_scan_at_end(scan) ? EMBER_E_TRUNCATED : EMBER_E_MALFORMED,
                                "a face of %zu corners", count);
    return EMBER_OK;
}

/* Groups without faces make no mesh; the next name takes their place. */
static ember_status obj_group_begin(obj_file *file)
{
    emberi_word name = emberi_scan_rest_of_line(&file->scan);
    if (file->groups[file->group_read].corner_count != 0)
        file->group_read++;
    obj_group *group = &file->groups[file->group_read];
    group->first_corner = file->corner_read;
    group->name = NULL;
    if (name.size == 0)
        return EMBER_OK;
    group->name = emberi_copy_name(file->source->arena, name.text, name.size);
    return group->name != NULL ? EMBER_OK : emberi_fail_memory(file->source->err);
}

/* ---- the file ---- */

static bool obj_is_keyword(emberi_word word)
{
    for (size_t i = 0; i < word.size; i++) {
        char c = word.text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i != 0 && c >= '0' && c <= '9'))
            return false;
    }
    return true;
}

static ember_status obj_other_line(obj_file *file, emberi_word keyword)
{
    if (!obj_is_keyword(keyword)) {
        file->scan.cursor = keyword.text;
        return emberi_scan_fail(&file->scan, EMBER_E_MALFORMED, "this is not a line of an OBJ file");
    }
    if (obj_word_is(keyword, "mtllib") || obj_word_is(keyword, "usemtl"))
        file->materials = true;
    else if (obj_word_is(keyword, "l") || obj_word_is(keyword, "p"))
        file->lines_and_points++;
    else if (!obj_word_is(keyword, "s"))
        file->unknown++;
    obj_skip_line(&file->scan);
    return EMBER_OK;
}

static ember_status obj_lines(obj_file *file)
{
    emberi_word  keyword;
    ember_status status = EMBER_OK;
    while (status == EMBER_OK && obj_next_line(&file->scan, &keyword)) {
        if (obj_word_is(keyword, "v"))
            status = obj_position(file);
        else if (obj_word_is(keyword, "vt"))
            status = obj_texture_coordinate(file);
        else if (obj_word_is(keyword, "vn"))
            status = obj_normal(file);
        else if (obj_word_is(keyword, "f"))
            status = obj_face(file);
        else if (obj_word_is(keyword, "o") || obj_word_is(keyword, "g"))
            status = obj_group_begin(file);
        else
            status = obj_other_line(file, keyword);
    }
    return status;
}

static void obj_notes(const obj_file *file)
{
    const ember_notes *notes = &file->source->options->notes;
    if (file->materials)
        emberi_notef(notes, EMBER_NOTE_LOSS, NULL, NULL, "materials are not read");
    if (file->lines_and_points != 0)
        emberi_notef(notes, EMBER_NOTE_LOSS, NULL, NULL, "%zu lines and points are not read",
                     file->lines_and_points);
    if (file->unknown != 0)
        emberi_notef(notes, EMBER_NOTE_LOSS, NULL, NULL,
                     "%zu statements that are neither vertices nor faces are not read", file->unknown);
}

/* ---- meshes ---- */

static uint32_t obj_hash(obj_corner corner)
{
    uint32_t hash = corner.v * 0x9e3779b1u ^ corner.vt * 0x85ebca77u ^ corner.vn * 0xc2b2ae3du;
    return hash ^ hash >> 15;
}

/* The vertex of a corner; a new one, next in number, where the group has not had it yet. */
static uint32_t obj_vertex(obj_file *file, obj_corner corner, uint32_t group, uint32_t next)
{
    size_t slot = obj_hash(corner) & file->table_mask;
    for (;; slot = (slot + 1) & file->table_mask) {
        obj_entry *entry = &file->table[slot];
        if (entry->group != group) {
            *entry = (obj_entry){corner, next, group};
            return next;
        }
        if (memcmp(&entry->corner, &corner, sizeof(corner)) == 0)
            return entry->vertex;
    }
}

/* Attributes that only some corners have are left out: what should the others get? */
static ember_status obj_attributes(obj_file *file, ember_mesh *mesh, const obj_corner *corners,
                                   const uint32_t *indices)
{
    ember_arena       *arena = file->source->arena;
    const ember_notes *notes = &file->source->options->notes;
    size_t             with_vt = 0, with_vn = 0;
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        with_vt += corners[i].vt != 0 ? 1u : 0u;
        with_vn += corners[i].vn != 0 ? 1u : 0u;
    }
    if ((with_vt != 0 && with_vt != mesh->index_count) || (with_vn != 0 && with_vn != mesh->index_count))
        emberi_notef(notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "mesh %s: %zu of %u corners have texture coordinates and %zu normals; what not all have "
                     "is left out",
                     emberi_quote(mesh->name).text, with_vt, (unsigned)mesh->index_count, with_vn);
    ember_vec3 *positions = EMBER_PUSH(arena, ember_vec3, mesh->vertex_count);
    ember_vec3 *normals =
        with_vn == mesh->index_count ? EMBER_PUSH(arena, ember_vec3, mesh->vertex_count) : NULL;
    float(*uvs)[2] = with_vt == mesh->index_count
                         ? ember_arena_push(arena, mesh->vertex_count, sizeof(*uvs), _Alignof(float))
                         : NULL;
    float(*colors)[4] =
        file->colored ? ember_arena_push(arena, mesh->vertex_count, sizeof(*colors), _Alignof(float)) : NULL;
    if (positions == NULL || (normals == NULL && with_vn == mesh->index_count) ||
        (uvs == NULL && with_vt == mesh->index_count) || (colors == NULL && file->colored))
        return emberi_fail_memory(file->source->err);
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        uint32_t vertex = indices[i];
        positions[vertex] = file->v[corners[i].v - 1];
        if (normals != NULL)
            normals[vertex] = file->vn[corners[i].vn - 1];
        if (uvs != NULL)
            memcpy(uvs[vertex], file->vt[corners[i].vt - 1], sizeof(uvs[vertex]));
        if (colors != NULL)
            memcpy(colors[vertex], file->colors[corners[i].v - 1], sizeof(colors[vertex]));
    }
    mesh->positions = positions;
    mesh->normals = normals;
    mesh->uvs = (const float(*)[2])uvs;
    mesh->colors = (const float(*)[4])colors;
    return EMBER_OK;
}

static ember_status obj_mesh(obj_file *file, ember_mesh *mesh, uint32_t number)
{
    const obj_group  *group = &file->groups[number];
    const obj_corner *corners = file->corners + group->first_corner;
    uint32_t         *indices = EMBER_PUSH(file->source->arena, uint32_t, group->corner_count);
    mesh->name = group->name != NULL
                     ? group->name
                     : emberi_name_from_path(file->source->arena, file->source->options->path);
    if (indices == NULL || mesh->name == NULL)
        return emberi_fail_memory(file->source->err);
    mesh->index_count = (uint32_t)group->corner_count;
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        indices[i] = obj_vertex(file, corners[i], number + 1, mesh->vertex_count);
        if (indices[i] == mesh->vertex_count)
            mesh->vertex_count++;
    }
    mesh->indices = indices;
    mesh->bone = -1;
    for (int i = 0; i < 4; i++)
        mesh->base_color[i] = 1.0f;
    return obj_attributes(file, mesh, corners, indices);
}

static ember_status obj_read(ember_model *out, const emberi_source *source)
{
    obj_file file = {.scan = emberi_scan_init(source->data, source->size, "obj", source->err),
                     .source = source,
                     .scale = source->options->scale != 0.0 ? source->options->scale : 1.0,
                     .colored = true};
    out->format = EMBER_FORMAT_OBJ;
    obj_count(&file);
    ember_status status = obj_allocate(&file);
    if (status == EMBER_OK)
        status = obj_lines(&file);
    if (status != EMBER_OK)
        return status;
    size_t count = file.group_read + (file.groups[file.group_read].corner_count != 0 ? 1u : 0u);
    if (count == 0)
        return emberi_failf(source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "obj: there are no faces in it");
    ember_mesh *meshes = EMBER_PUSH(source->arena, ember_mesh, count);
    if (meshes == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < count && status == EMBER_OK; i++)
        status = obj_mesh(&file, &meshes[i], i);
    out->meshes = meshes;
    out->mesh_count = (uint32_t)count;
    obj_notes(&file);
    return status;
}

/* A file that begins with statements of this format, and has a position among the first of them. */
static emberi_likeness obj_sniff(const uint8_t *data, size_t size)
{
    static const char *const known[] = {"mtllib", "usemtl", "o", "g", "s", "vt", "vn"};
    ember_error              unused = EMBER_ERROR_INIT;
    emberi_scan              scan = emberi_scan_init(data, size, "obj", &unused);
    emberi_word              keyword;
    double                   number;
    for (int lines = 0; lines < 16 && obj_next_line(&scan, &keyword); lines++) {
        size_t i = 0;
        if (obj_word_is(keyword, "v")) {
            while (i < 3 && obj_is_number(&scan, &number))
                i++;
            return i == 3 ? EMBERI_PLAUSIBLE : EMBERI_UNLIKE;
        }
        while (i < sizeof(known) / sizeof(known[0]) && !obj_word_is(keyword, known[i]))
            i++;
        if (i == sizeof(known) / sizeof(known[0]))
            return EMBERI_UNLIKE;
        obj_skip_line(&scan);
    }
    return EMBERI_UNLIKE;
}

const emberi_format_ops emberi_obj_ops = {
    .info = {.format = EMBER_FORMAT_OBJ,
             .name = "obj",
             .title = "Wavefront OBJ (meshes only)",
             .extensions = "obj",
             .reads = true,
             .data_in_rom = true,
             .stores = {.meshes = true}},
    .sniff = obj_sniff,
    .read = obj_read,
};
