/* `ember export animation|skeleton|mesh`, also as `ember-export`: from the files that artists make to the console's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deliver.h"
#include "ember/pose.h"
#include "input.h"
#include "json_text.h"
#include "match.h"
#include "output.h"
#include "pick.h"
#include "table.h"
#include "text.h"
#include "verbs.h"

/* Bytes of a vertex's joints and weights in a mesh file: bytes both, or bytes and floats. */
enum { EXPORT_SKIN_PACKED = 8, EXPORT_SKIN_FLOATS = 20 };

typedef struct export {
    app_args      args; /* without the first word, which is the kind */
    app_say      *say;
    input_options reading;
    input         in, skeleton;
    ember_model   model; /* what was read, on --skeleton's bones if it is given */
    output        out;
    deliver       deliver;
    json_t       *report; /* --error-report, or NULL */
    bool          folder_made;
} export;

/* ---- what all three share ---- */

static bool export_make_folder(void *user)
{
    export *e = user;
    if (e->out.kind == OUTPUT_FOLDER && !e->folder_made)
        e->folder_made = output_make_folder(&e->out, e->say);
    return e->out.kind != OUTPUT_FOLDER || e->folder_made;
}

/* The frames within --range, as many as the clip has; markers outside are dropped. False if none is left. */
static bool export_crop(const export *e, ember_clip *clip, ember_arena *arena)
{
    double last = clip->frame_count > 0 ? (double)(clip->frame_count - 1) : 0.0;
    double start = e->reading.start_s * ember_clip_fps(clip), end = e->reading.end_s * ember_clip_fps(clip);
    if ((e->reading.start_s <= 0.0 && e->reading.end_s <= 0.0) || clip->frame_count == 0)
        return true;
    if (start > last)
        return false;
    bool          cut = end > 0.0 && end < last;
    uint32_t      first = (uint32_t)(start + 0.5), stop = cut ? (uint32_t)(end + 0.5) : clip->frame_count - 1, kept = 0;
    ember_marker *markers = EMBER_PUSH(arena, ember_marker, clip->marker_count);
    for (uint32_t i = 0; markers != NULL && i < clip->marker_count; i++)
        if (clip->markers[i].frame >= first && clip->markers[i].frame <= stop)
            markers[kept++] = (ember_marker){clip->markers[i].name, clip->markers[i].frame - first};
    clip->frames += (size_t)first * clip->bone_count;
    clip->frame_count = stop - first + 1;
    clip->markers = markers;
    clip->marker_count = kept;
    clip->loop = e->reading.loop;
    clip->raw = (ember_raw){EMBER_FORMAT_UNKNOWN, NULL};
    return true;
}

/* Formats that hold frames, not curves, are read as they are; what the options want of them is done afterwards. */
static bool export_resample(export *e, double fps)
{
    ember_clip *clips = EMBER_PUSH(&e->in.arena, ember_clip, e->model.clip_count);
    if (clips == NULL)
        return say_error(e->say, (place){e->in.name, NULL, NULL}, "out of memory"), false;
    for (uint32_t i = 0; i < e->model.clip_count; i++) {
        ember_clip clip = e->model.clips[i];
        if (!export_crop(e, &clip, &e->in.arena))
            return say_error(e->say, (place){e->in.name, clip.name, NULL}, "ends before --range begins"), false;
        clips[i] = clip;
        if (fps == EMBER_FPS_SOURCE)
            continue;
        ember_error err = EMBER_ERROR_INIT;
        if (input_resample(&clips[i], &e->in, &clip, fps > 0.0 ? fps : EMBER_DEFAULT_FPS, &e->in.arena, &err) != EMBER_OK)
            return say_error(e->say, (place){e->in.name, e->model.clips[i].name, NULL}, "%s", err.text), false;
    }
    e->model.clips = clips;
    return true;
}

static bool export_wants_none(void *user, const ember_model *model, uint32_t clip)
{
    (void)user;
    (void)model;
    (void)clip;
    return false;
}

static int export_open(export *e)
{
    ember_error err = EMBER_ERROR_INIT;
    double      fps = e->reading.fps;
    bool        told = input_load(&e->in, e->args.files[0], &err) && input_tell(&e->in, &e->reading, &err);
    bool        curves = told && input_has_curves(e->in.info->format);
    if (!curves)
        e->reading.fps = 0.0;
    if (!told || !input_parse(&e->in, &e->reading, e->say, &err))
        return say_library(e->say, e->in.name, NULL, &err);
    e->model = e->in.model;
    return curves || export_resample(e, fps) ? EXIT_DONE : EXIT_FAILED;
}

/* Something that is written whole and is no clip. `stem` names the file where -o does not; `what` describes it. */
static int export_write_model(export *e, const ember_model *model, const ember_write_options *options, const char *stem, const char *what)
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
    say_listener listener = {e->say, name, true};
    all.format = e->out.to->format;
    all.notes = say_notes(&listener);
    if (ember_model_write(&bytes, model, &all, &err) != EMBER_OK)
        code = say_library(e->say, e->in.name, model, &err);
    else if (!export_make_folder(e) || ember_file_write(path, bytes.data, bytes.size, &err) != EMBER_OK)
        code = say_library(e->say, name, NULL, &err);
    else {
        char size[TEXT_NUMBER_SIZE];
        say_line(e->say, "%s  %s  %s B", name, what, text_count(size, bytes.size));
    }
    free(made);
    ember_buffer_free(&bytes);
    return code;
}

static int export_expect(export *e, ember_format format, const char *what)
{
    if (e->out.to->format == format)
        return EXIT_DONE;
    return args_usage(&e->args, e->say, "%s goes into a file ending in .%s, not %s", what,
                      format == EMBER_FORMAT_EWZSKEL ? "ewzskel or .nczxskel" : "ewzmesh or .nczxmesh", e->out.to->name);
}

/* ---- animations ---- */

static int export_list(export *e)
{
    app_table table = {.align = "rlrrrr"};
    if (e->model.clip_count == 0)
        return say_error(e->say, (place){e->in.name, NULL, NULL}, "there are no animations in it");
    static const char *const heads[] = {"#", "animation", "frames", "bones", "fps", "seconds"};
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        table_cell(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < e->model.clip_count; i++) {
        const ember_clip *clip = &e->model.clips[i];
        uint32_t          steps = clip->loop ? clip->frame_count : clip->frame_count > 0 ? clip->frame_count - 1 : 0;
        char             *name = text_escape(clip->name);
        table_cell(&table, "%u", (unsigned)i);
        table_cell(&table, "%s", name);
        table_cell(&table, "%u", (unsigned)clip->frame_count);
        table_cell(&table, "%u", (unsigned)clip->bone_count);
        table_cell(&table, "%g", ember_clip_fps(clip));
        table_cell(&table, "%.2f", (double)steps / ember_clip_fps(clip));
        free(name);
    }
    table_print(&table, "");
    return EXIT_DONE;
}

static void export_note_error(void *user, const delivered *what)
{
    export *e = user;
    if (e->report == NULL)
        return;
    json_t *row = json_object();
    json_put(row, "clip", json_text(what->clip->name));
    json_put(row, "file", json_text(what->path));
    json_put(row, "bones", json_count(what->clip->bone_count));
    json_put(row, "frames", json_count(what->clip->frame_count));
    json_put(row, "bytes", json_count(what->size));
    json_put(row, "space", json_text(what->clip->space == EMBER_SPACE_MODEL ? "model" : "local"));
    json_put(row, "max_error", what->measured ? json_number(what->error.max) : json_null());
    json_put(row, "mean_error", what->measured ? json_number(what->error.mean) : json_null());
    json_put(row, "size", what->measured ? json_number(what->error.size) : json_null());
    json_put(row, "max_bone", what->measured ? json_text(what->error.bone) : json_null());
    json_put(row, "max_frame", what->measured ? json_count(what->error.frame) : json_null());
    json_add(e->report, row);
}

static int export_write_report(export *e, const char *path)
{
    json_t     *root = json_object();
    ember_error err = EMBER_ERROR_INIT;
    json_put(root, "source", json_text(e->in.name));
    json_put(root, "clips", json_incref(e->report));
    char *text = json_must_dump(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    int   code = EXIT_DONE;
    if (ember_file_write(path, text, strlen(text), &err) != EMBER_OK)
        code = say_library(e->say, path, NULL, &err);
    free(text);
    json_decref(root);
    return code;
}

/* --range a:b in seconds; either may be missing: without b, end_s stays 0, which is the end. */
static int export_read_range(export *e)
{
    const char *value = args_value(&e->args, "range");
    if (value == NULL)
        return EXIT_DONE;
    const char *colon = strchr(value, ':');
    char       *first = colon != NULL ? text_make("%.*s", (int)(colon - value), value) : NULL;
    bool        right = colon != NULL && (*first == '\0' || text_read_double(&e->reading.start_s, first)) &&
                 (colon[1] == '\0' || text_read_double(&e->reading.end_s, colon + 1)) && e->reading.start_s >= 0.0 &&
                 (colon[1] == '\0' || e->reading.end_s > e->reading.start_s);
    free(first);
    return right ? EXIT_DONE : args_usage(&e->args, e->say, "--range is a:b in seconds, not '%s'", value);
}

static int export_read_rate(export *e)
{
    const char *value = args_value(&e->args, "frame-rate");
    if (value != NULL && strcmp(value, "source") == 0)
        e->reading.fps = EMBER_FPS_SOURCE;
    else
        return args_positive(&e->args, e->say, "frame-rate", &e->reading.fps);
    return EXIT_DONE;
}

static int export_read_clip_options(export *e)
{
    static const char *const fits[] = {"closed", "plain", NULL};
    size_t                   fit = 0;
    int                      code = export_read_rate(e);
    if (code == EXIT_DONE)
        code = export_read_range(e);
    if (code == EXIT_DONE)
        code = args_space(&e->args, e->say, "space", &e->deliver.space);
    if (code == EXIT_DONE)
        code = args_choice(&e->args, e->say, "fit", fits, &fit);
    e->deliver.writing.fit = fit == 1 ? EMBER_FIT_PLAIN : EMBER_FIT_CLOSED;
    e->reading.loop = args_has(&e->args, "loop");
    if (code == EXIT_DONE && args_has(&e->args, "all") && args_has(&e->args, "animation"))
        code = args_usage(&e->args, e->say, "--all and --animation exclude each other");
    return code;
}

static bool export_on_skeleton(export *e)
{
    const char *path = args_value(&e->args, "skeleton");
    if (path == NULL)
        return true;
    input_options plain = {.memory_limit = e->reading.memory_limit};
    if (!input_open(&e->skeleton, path, &plain, e->say))
        return false;
    if (!input_knows_bones(&e->skeleton.model.skeleton))
        return say_error(e->say, (place){e->skeleton.name, NULL, NULL}, "there are no bones with names in it"), false;
    return match_bones(&e->model, &e->model, &e->skeleton.model.skeleton, e->in.name, e->say, &e->in.arena);
}

/* The clips to write: the first, those that --animation means, or all. */
static bool export_wants(void *user, const ember_model *model, uint32_t clip)
{
    const export *e = user;
    const char *word = args_value(&e->args, "animation");
    return args_has(&e->args, "all") || (word == NULL && clip == 0) || (word != NULL && pick_matches(model, clip, word));
}

/* Which they are. Free it. */
static uint32_t *export_choose(export *e, uint32_t *count)
{
    uint32_t *chosen = must_alloc((size_t)e->model.clip_count + 1, sizeof(*chosen));
    *count = 0;
    for (uint32_t i = 0; i < e->model.clip_count; i++)
        if (export_wants(e, &e->model, i))
            chosen[(*count)++] = i;
    return chosen;
}

static int export_clip(export *e, uint32_t *clip)
{
    deliver_part part = {e->in.name, &e->model, clip, 1};
    if (e->out.kind == OUTPUT_FILE)
        return deliver_write(&e->deliver, e->out.path, &part) ? EXIT_DONE : EXIT_FAILED;
    bool  again = false;
    char *path = output_path(&e->out, e->model.clips[*clip].name, &again);
    if (again)
        say_note(e->say, (place){e->in.name, e->model.clips[*clip].name, NULL}, "the name is taken, written as %s", path);
    int code = deliver_write(&e->deliver, path, &part) ? EXIT_DONE : EXIT_FAILED;
    free(path);
    return code;
}

static int export_clips(export *e)
{
    uint32_t  count;
    uint32_t *chosen = export_choose(e, &count);
    int       code = EXIT_DONE;
    if (count == 0 || (count > 1 && e->out.kind == OUTPUT_FILE && e->out.to->one_clip)) {
        char *names = pick_names(&e->model);
        place where = {e->in.name, NULL, NULL};
        if (e->model.clip_count == 0)
            code = say_error(e->say, where, "there are no animations in it%s",
                             e->in.info->format == EMBER_FORMAT_OBJ ? ": OBJ holds meshes only" : "");
        else if (count == 0)
            code = say_error(e->say, where, "no animation matches '%s': there are %s", args_value(&e->args, "animation"), names);
        else
            code = say_error(e->say, where, "%u animations for one file: put {clip} in the output's name", (unsigned)count);
        free(names);
    } else if (!e->out.to->one_clip && e->out.kind == OUTPUT_FILE) {
        deliver_part part = {e->in.name, &e->model, chosen, count};
        code = deliver_write(&e->deliver, e->out.path, &part) ? EXIT_DONE : EXIT_FAILED;
    } else {
        progress_start(&e->say->bar, count);
        for (uint32_t i = 0; i < count; i++) {
            if (export_clip(e, &chosen[i]) != EXIT_DONE)
                code = EXIT_FAILED;
            progress_step(&e->say->bar);
        }
    }
    free(chosen);
    return code;
}

static int export_animation(export *e)
{
    int code = export_read_clip_options(e);
    if (code != EXIT_DONE)
        return code;
    if (args_has(&e->args, "list"))
        return export_open(e) == EXIT_DONE ? export_list(e) : EXIT_FAILED;
    if ((code = output_plan(&e->out, &e->args, EMBER_FORMAT_EWZANIM, e->say)) != EXIT_DONE)
        return code;
    /* The console's files do not say their space, and are read as model space. */
    if (e->deliver.space == EMBER_SPACE_UNSTATED && !input_states_space(e->out.to->format))
        e->deliver.space = EMBER_SPACE_MODEL;
    e->deliver.to = e->out.to;
    const char *report = args_value(&e->args, "error-report");
    if (report != NULL && (strcmp(report, e->out.path) == 0 || output_overwrites(&e->out, report, 0) != SIZE_MAX))
        return args_usage(&e->args, e->say, "--error-report would overwrite '%s'", report);
    e->reading.wants = export_wants;
    e->reading.wants_user = e;
    if (export_open(e) != EXIT_DONE || !export_on_skeleton(e))
        return EXIT_FAILED;
    if (report != NULL)
        e->report = json_array();
    code = export_clips(e);
    if (report != NULL && code == EXIT_DONE)
        code = export_write_report(e, report);
    return code;
}

/* ---- skeletons and meshes ---- */

static int export_skeleton(export *e)
{
    int code = output_plan(&e->out, &e->args, EMBER_FORMAT_EWZSKEL, e->say);
    if (code == EXIT_DONE)
        code = export_expect(e, EMBER_FORMAT_EWZSKEL, "a skeleton");
    e->reading.wants = export_wants_none;
    if (code == EXIT_DONE)
        code = export_open(e);
    if (code != EXIT_DONE)
        return code;
    if (e->model.skeleton.bone_count == 0)
        return say_error(e->say, (place){e->in.name, NULL, NULL}, "there are no bones in it");
    ember_model bones = {.format = e->model.format, .skeleton = e->model.skeleton};
    uint32_t    count = bones.skeleton.bone_count;
    char       *what = text_make("%u %s", (unsigned)count, count == 1 ? "bone" : "bones"), *stem = output_stem(e->args.files[0]);
    code = export_write_model(e, &bones, &(ember_write_options){.compact = false}, stem, what);
    free(stem);
    free(what);
    return code;
}

/* A rigid mesh as a skinned one: all of it on its bone, and moved to where the inverse bind takes it back from. */
static bool export_skin_rigid(ember_mesh *mesh, const ember_model *model, ember_arena *arena)
{
    typedef uint16_t four_joints[4];
    typedef float    four_weights[4];
    ember_vec3   *positions = EMBER_PUSH(arena, ember_vec3, mesh->vertex_count);
    ember_vec3   *normals = EMBER_PUSH(arena, ember_vec3, mesh->vertex_count);
    four_joints  *joints = EMBER_PUSH(arena, four_joints, mesh->vertex_count);
    four_weights *weights = EMBER_PUSH(arena, four_weights, mesh->vertex_count);
    ember_mat34 bind = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
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
            table_cell(&table, "rigid on bone %d%s%s", (int)mesh->bone, bone != NULL ? " " : "", bone != NULL ? bone : "");
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
    char vertices[TEXT_NUMBER_SIZE], triangles[TEXT_NUMBER_SIZE], saved[TEXT_NUMBER_SIZE], number[24], *rigid = NULL;
    text_count(vertices, mesh->vertex_count);
    text_count(triangles, mesh->index_count / 3);
    if (mesh->bone >= 0) {
        const char *bone = ember_skeleton_name(&e->model.skeleton, (uint32_t)mesh->bone);
        snprintf(number, sizeof(number), "bone %d", (int)mesh->bone);
        rigid = text_make(", rigid on %s: %s B less than skinned", bone != NULL ? bone : number,
                          text_count(saved, (uint64_t)mesh->vertex_count * (args_has(&e->args, "unpacked") ? EXPORT_SKIN_FLOATS : EXPORT_SKIN_PACKED)));
    }
    char *what = text_make("%s %s, %s %s%s", vertices, mesh->vertex_count == 1 ? "vertex" : "vertices", triangles,
                           mesh->index_count == 3 ? "triangle" : "triangles", rigid != NULL ? rigid : "");
    free(rigid);
    return what;
}

static int export_mesh(export *e)
{
    int code = EXIT_DONE;
    if (!args_has(&e->args, "list")) {
        code = output_plan(&e->out, &e->args, EMBER_FORMAT_EWZMESH, e->say);
        if (code == EXIT_DONE)
            code = export_expect(e, EMBER_FORMAT_EWZMESH, "a mesh");
    }
    if (code == EXIT_DONE && args_has(&e->args, "packed") && args_has(&e->args, "unpacked"))
        code = args_usage(&e->args, e->say, "--packed and --unpacked exclude each other");
    e->reading.wants = export_wants_none;
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
        return say_error(e->say, where, "no mesh is called '%s' (--list tells which there are)", args_value(&e->args, "mesh"));
    if (e->model.mesh_count > 1 && !args_has(&e->args, "mesh"))
        say_note(e->say, where, "the first of %u meshes, --mesh chooses another", (unsigned)e->model.mesh_count);

    ember_mesh  mesh = *chosen;
    ember_model only = {.format = e->model.format, .skeleton = e->model.skeleton, .mesh_count = 1, .meshes = &mesh};
    if (args_has(&e->args, "skinned") && mesh.bone >= 0 && !export_skin_rigid(&mesh, &e->model, &e->in.arena))
        return say_error(e->say, where, "out of memory");
    char *what = export_describe_mesh(e, &mesh), *stem = mesh.name[0] != '\0' ? text_make("%s", mesh.name) : output_stem(e->args.files[0]);
    code = export_write_model(e, &only, &(ember_write_options){.unpacked = args_has(&e->args, "unpacked")}, stem, what);
    free(stem);
    free(what);
    return code;
}

/* ---- the verb ---- */

/* What only one of the three takes, as the options' texts say; the rest is for all. */
static const char *const export_for_animation[] = {"animation", "all",   "frame-rate", "space",        "fit",
                                                   "loop",      "range", "skeleton",   "error-report", NULL};
static const char *const export_for_mesh[] = {"mesh", "packed", "unpacked", "skinned", NULL};

static int export_refuse(const app_args *args, app_say *say, const char *const *options, const char *owner, const char *kind)
{
    for (; strcmp(kind, owner) != 0 && *options != NULL; options++)
        if (args_has(args, *options))
            return args_usage(args, say, "--%s is for export %s, not for %s", *options, owner, kind);
    return EXIT_DONE;
}

static int export_check_kind(const app_args *args, app_say *say, const char *kind)
{
    int code = export_refuse(args, say, export_for_animation, "animation", kind);
    if (code == EXIT_DONE)
        code = export_refuse(args, say, export_for_mesh, "mesh", kind);
    if (code == EXIT_DONE && strcmp(kind, "skeleton") == 0 && args_has(args, "list"))
        code = args_usage(args, say, "--list is for export animation and mesh: a file has one skeleton");
    return code;
}

static int export_run(const app_args *args, app_say *say)
{
    static const struct {
        const char *name;
        int (*run)(export *e);
    } kinds[] = {{"animation", export_animation}, {"skeleton", export_skeleton}, {"mesh", export_mesh}};
    export e = {.args = *args, .say = say};
    int    code = EXIT_USAGE;
    e.args.files++;
    e.args.file_count--;
    e.deliver = (deliver){.say = say, .ready = export_make_folder, .told = export_note_error, .user = &e};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(args->files[0], kinds[i].name) != 0)
            continue;
        code = export_check_kind(args, say, kinds[i].name);
        if (code == EXIT_DONE)
            code = input_options_read(&e.reading, &e.args, say);
        if (code == EXIT_DONE)
            code = kinds[i].run(&e);
        json_decref(e.report);
        input_close(&e.in);
        input_close(&e.skeleton);
        output_free(&e.out);
        return code;
    }
    return args_usage(args, say, "first comes animation, skeleton or mesh, not '%s'", args->files[0]);
}

static const app_option export_options[] = {
    {"output", 'o', "OUT", "a file, a folder, or a name with {clip} in it (needed unless --list)"},
    {"list", 0, NULL, "animation, mesh: say what there is to choose from, on standard output"},
    {"animation", 0, "N|NAME", "animation: which one, by number (from 0), name or glob; else the first"},
    {"all", 0, NULL, "animation: every one, into a folder or a name with {clip}"},
    {"frame-rate", 0, "N|source", "animation: frames a second, or those of the source's keys; else 30"},
    {"skin", 0, "N|NAME", "whose joints are the bones; else the first skin"},
    {"space", 0, "model|local", "animation: model space, as the console draws it, or local; else model"},
    {"fit", 0, "closed|plain", "animation: local clips rounded against their parents (closed), or each value by itself"},
    {"loop", 0, NULL, "animation: leave out the last frame where it repeats the first"},
    {"range", 0, "A:B", "animation: only that part, in seconds; either may be left out"},
    {"skeleton", 0, "FILE", "animation: on that file's bones, matched by name (-v prints the map)"},
    {"scale", 0, "N", "multiply all lengths; 0.01 makes metres of centimetres"},
    {"error-report", 0, "FILE", "animation: what storing each cost, as JSON"},
    {"mesh", 0, "N|NAME", "mesh: which one; else the first"},
    {"packed", 0, NULL, "mesh: small vertices, as the console's ROM has them; so it is without --unpacked"},
    {"unpacked", 0, NULL, "mesh: vertices as floats"},
    {"tpose", 0, "keep|drop", "BVH: the T-pose that many captures begin with; else kept"},
    {"skinned", 0, NULL, "mesh: keep a mesh that follows one bone skinned"},
    {"from", 0, "FMT", "the input's format; else by content, then by extension"},
    INPUT_MAX_MEMORY,
    {"to", 0, "FMT", "the output's format; else by OUT's extension"},
    {NULL, 0, NULL, NULL},
};

const app_verb verb_export = {
    .name = "export",
    .summary = "animations, skeleton and meshes of a model file for the console",
    .usage = "animation|skeleton|mesh IN -o OUT [options]",
    .about = "Animations are sampled from the first to the last key that moves the bones, each frame 1/rate after the one\n"
             "before. A skeleton keeps inverse binds, parents, names and rest pose. A mesh without weights that hangs on a\n"
             "bone is stored rigid, without skinning data.",
    .options = export_options,
    .example = "ember export animation hero.glb --all -o '{clip}.ewzanim'",
    .least_files = 2,
    .most_files = 2,
    .files = "animation, skeleton or mesh, and an input file",
    .run = export_run,
};
