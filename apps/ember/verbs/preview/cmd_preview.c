/* SPDX-License-Identifier: MIT */
/* `ember preview`: a clip as a picture, a sheet of some of its frames or the clip playing; without a window
   or a display. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "files/pick.h"
#include "files/rom_input.h"
#include "scene/canvas.h"
#include "verbs/preview/preview.h"
#include "verbs/verbs.h"

#define HEADER_HEIGHT 40
#define GAP 6
#define SHEET_COLUMNS 4u
#define SHEET_FRAMES 8u
#define FILM_MOST_FRAMES 300u /* without --frames */
#define TURN_FRAMES 48u
#define TURN_FPS 24.0

typedef enum preview_kind { PREVIEW_NOTHING = 0, PREVIEW_SHEET, PREVIEW_APNG, PREVIEW_GIF } preview_kind;

/* ---- what is shown ---- */

const ember_clip *preview_pick(preview *p, const ember_model *model, const char *word)
{
    const ember_clip *clip = pick_first(model, word);
    if (clip == NULL) {
        char *names = pick_names(model);
        say_error(p->say, (place){model == &p->other.model ? p->other.name : p->in.name, NULL, NULL},
                  "no clip matches '%s': the clips are %s", word, names);
        free(names);
    }
    return clip;
}

/* The compared file's clip: as said, of the same name, the only one, or the first. */
static const ember_clip *preview_pick_other(preview *p)
{
    const ember_model *model = &p->other.model;
    const char        *word = args_value(p->args, "clip-b");
    if (word != NULL)
        return preview_pick(p, model, word);
    for (uint32_t i = 0; p->a.clip != NULL && i < model->clip_count; i++)
        if (strcmp(model->clips[i].name, p->a.clip->name) == 0)
            return &model->clips[i];
    if (model->clip_count == 0)
        return say_error(p->say, (place){p->other.name, NULL, NULL}, "there are no clips in it"), NULL;
    return &model->clips[0];
}

static bool preview_wants(void *user, const ember_model *model, uint32_t clip)
{
    const preview *p = user;
    const char    *word = args_value(p->args, "clip");
    return word != NULL ? pick_matches(model, clip, word) : clip == 0;
}

static bool preview_open_inputs(preview *p)
{
    const char        *skeleton = args_value(p->args, "skeleton"), *other = args_value(p->args, "compare");
    ember_read_options plain = {.memory_limit = p->reading.memory_limit,
                                .skip_clips = true,
                                .leave_bad_meshes = true};
    if (skeleton != NULL) {
        if (!input_open(&p->skeleton, skeleton, &plain, p->say))
            return false;
        p->reading.skeleton = &p->skeleton.model.skeleton;
    }
    if (rom_input_is_file(p->args->files[0])) {
        p->in.path = p->in.name = p->args->files[0];
        p->in.arena = ember_arena_growing(ember_heap(), 0);
        p->in.info = ember_format_get(ember_rom_kind_format(EMBER_ROM_KEYFRAMES));
        if (!preview_open_rom(p))
            return false;
    } else {
        ember_read_options one = p->reading;
        one.wants = preview_wants;
        one.wants_user = p;
        if (!input_open(&p->in, p->args->files[0], &one, p->say) || !input_takes_take(&p->in, &one, p->say))
            return false;
    }
    if (other == NULL)
        return true;
    if (!input_open(&p->other, other, &p->reading, p->say))
        return false;
    input_share_skeleton(&p->in, &p->other, &p->reading, p->say);
    input_share_skeleton(&p->other, &p->in, &p->reading, p->say);
    return true;
}

/* Meshes of the file itself, or of the one that brought the skeleton. */
static const ember_model *preview_bodies(const preview *p)
{
    if (p->in.model.mesh_count != 0)
        return &p->in.model;
    if (p->skeleton.model.mesh_count != 0 &&
        p->skeleton.model.skeleton.bone_count == p->in.model.skeleton.bone_count)
        return &p->skeleton.model;
    return NULL;
}

static bool preview_open_actors(preview *p)
{
    const ember_model *model = &p->in.model;
    const char        *word = args_value(p->args, "clip");
    const ember_clip  *clip = model->clip_count != 0 ? &model->clips[0] : NULL;
    if (word != NULL && p->rom == NULL) {
        clip = preview_pick(p, model, word);
        if (clip == NULL)
            return false;
    } else if (model->clip_count > 1) {
        say_note(p->say, (place){p->in.name, NULL, NULL},
                 "it has %u clips, this is '%s' (--clip picks another)", (unsigned)model->clip_count,
                 clip->name);
    }
    if (model->skeleton.bone_count == 0 && model->mesh_count == 0)
        return say_error(p->say, (place){p->in.name, NULL, NULL},
                         "there is nothing to see in it: no bones, no meshes"),
               false;
    actor_open(&p->a, model, clip, preview_bodies(p));
    if (!p->a.linked && p->a.bone_count > 1 && p->a.bodies == NULL)
        say_note(p->say, (place){p->in.name, NULL, NULL},
                 "its bones have no parents, so only joints are shown%s (--skeleton FILE brings them)",
                 clip != NULL && clip->space == EMBER_SPACE_LOCAL ? ", each as if it were a root" : "");
    if (!args_has(p->args, "compare"))
        return true;
    if (clip == NULL || clip->frame_count == 0)
        return say_error(p->say, (place){p->in.name, NULL, NULL}, "there is no clip in it to compare"), false;
    const ember_clip *other = preview_pick_other(p);
    if (other == NULL)
        return false;
    actor_open(&p->b, &p->other.model, other, NULL);
    p->comparing = true;
    return preview_compare(p);
}

/* ---- a sheet ---- */

static void sheet_shots(const preview *p, preview_shot *shots, uint32_t count)
{
    bool     loop = p->a.clip != NULL && p->a.clip->loop;
    uint32_t frames = p->a.frame_count, steps = loop ? count : count > 1 ? count - 1 : 1;
    for (uint32_t i = 0; i < count; i++) {
        shots[i].frame =
            (uint32_t)(((uint64_t)i * (loop ? frames : frames - 1) * 2 + steps) / (2 * (uint64_t)steps));
        if (shots[i].frame >= frames)
            shots[i].frame = frames - 1;
        shots[i].turn = p->a.clip == NULL ? 360.0 * i / count : 0.0;
    }
}

static bool preview_sheet(preview *p, uint32_t wanted, ember_buffer *out, ember_error *err)
{
    uint32_t count = p->a.clip != NULL && wanted > p->a.frame_count ? p->a.frame_count : wanted;
    uint32_t columns = count < SHEET_COLUMNS ? count : SHEET_COLUMNS, rows = (count + columns - 1) / columns;
    preview_shot *shots = must_alloc(count, sizeof(*shots));
    ember_image   cell = canvas_make(p->width, p->height, STAGE_BACKGROUND);
    ember_image   sheet =
        canvas_make(GAP + columns * (p->width + GAP), HEADER_HEIGHT + rows * (p->height + GAP), 0x15181CFFu);
    bool done = true;
    sheet_shots(p, shots, count);
    progress_start(&p->say->bar, count);
    for (uint32_t i = 0; done && i < count; i++) {
        done = preview_draw(p, &shots[i], &cell);
        preview_label(p, &shots[i], &cell, 10, (int)p->height - 22);
        canvas_put(&sheet, (int)(GAP + i % columns * (p->width + GAP)),
                   (int)(HEADER_HEIGHT + i / columns * (p->height + GAP)), &cell);
        progress_step(&p->say->bar);
    }
    preview_header(p, &sheet, 2);
    if (done && ember_png_write(out, &sheet, err) != EMBER_OK)
        done = say_library(p->say, NULL, err) == EXIT_DONE;
    if (done && p->a.clip != NULL)
        say_detail(p->say, (place){p->in.name, p->a.clip->name, NULL}, "%u of %u frames", (unsigned)count,
                   (unsigned)p->a.frame_count);
    canvas_free(&cell);
    canvas_free(&sheet);
    free(shots);
    return done;
}

/* ---- a film ---- */

/* The rate and number of pictures: the clip's own, up to what a GIF can show. */
static void film_plan(const preview *p, uint32_t wanted, double *fps, uint32_t *count)
{
    double all = (double)TURN_FRAMES;
    *fps = TURN_FPS;
    if (p->a.clip != NULL) {
        *fps = p->a.fps <= 34.0 ? p->a.fps : 30.0;
        double seconds = (double)(p->a.frame_count - (p->a.clip->loop ? 0u : 1u)) / p->a.fps;
        all = floor(seconds * *fps + 1e-6) + (p->a.clip->loop ? 0.0 : 1.0);
    }
    all = all < 1.0 ? 1.0 : all;
    double most = wanted != 0 ? (double)wanted : (double)FILM_MOST_FRAMES;
    if (all > most && wanted == 0)
        say_note(p->say, (place){p->in.name, p->a.clip != NULL ? p->a.clip->name : NULL, NULL},
                 "the film ends after %.3g s (--frames N makes it longer)", most / *fps);
    *count = (uint32_t)(all < most ? all : most);
}

static bool preview_film(preview *p, preview_kind kind, uint32_t wanted, ember_buffer *out, ember_error *err)
{
    ember_film_options options = {.allocator = ember_heap(),
                                  .kind = kind == PREVIEW_GIF ? EMBER_FILM_GIF : EMBER_FILM_APNG,
                                  .width = p->width,
                                  .height = p->height};
    ember_image        image = canvas_make(p->width, p->height, STAGE_BACKGROUND);
    ember_film        *film;
    uint32_t           count;
    film_plan(p, wanted, &options.fps, &count);
    bool done = ember_film_create(&film, &options, err) == EMBER_OK;
    progress_start(&p->say->bar, count);
    for (uint32_t i = 0; done && i < count; i++) {
        preview_shot shot = {0, p->a.clip == NULL ? 360.0 * i / TURN_FRAMES : 0.0};
        if (p->a.clip != NULL)
            shot.frame = (uint32_t)((double)i * p->a.fps / options.fps + 0.5);
        shot.frame = shot.frame < p->a.frame_count ? shot.frame : p->a.frame_count - 1;
        done = preview_draw(p, &shot, &image); /* which says why not */
        if (!done)
            break;
        preview_header(p, &image, 2);
        if (p->a.clip != NULL)
            preview_label(p, &shot, &image, 14, (int)p->height - 26);
        done = ember_film_add(film, image.pixels, err) == EMBER_OK;
        progress_step(&p->say->bar);
    }
    say_detail(p->say, (place){p->in.name, NULL, NULL}, "%u of %u pictures drawn, the others show the same",
               (unsigned)p->drawn, (unsigned)count);
    done = done && ember_film_finish(film, out, err) == EMBER_OK;
    if (!done && err->status != EMBER_OK)
        say_library(p->say, NULL, err);
    ember_film_destroy(film);
    canvas_free(&image);
    return done;
}

/* ---- the verb ---- */

static int preview_frames(preview *p, uint32_t *out)
{
    const char *given = args_value(p->args, "frames");
    if (given == NULL || (text_read_u32(out, given) && *out >= 1 && *out <= 10000))
        return EXIT_DONE;
    return args_usage(p->args, p->say, "--frames is a number from 1 to 10000, not '%s'", given);
}

static int preview_angle(preview *p, const char *name, double *out)
{
    const char *given = args_value(p->args, name);
    if (given == NULL || (text_read_double(out, given) && fabs(*out) <= 360.0))
        return EXIT_DONE;
    return args_usage(p->args, p->say, "--%s is an angle in degrees, not '%s'", name, given);
}

static int preview_target(preview *p, preview_kind *kind)
{
    const char *path = args_value(p->args, "output"), *dot = path != NULL ? strrchr(path, '.') : NULL;
    *kind = PREVIEW_NOTHING;
    if (path == NULL && args_has(p->args, "plot"))
        return EXIT_DONE;
    if (path == NULL)
        return args_usage(p->args, p->say, "where to? -o FILE.png or -o FILE.gif");
    if (dot != NULL && strcmp(dot, ".gif") == 0)
        *kind = PREVIEW_GIF;
    else if (dot != NULL && strcmp(dot, ".apng") == 0)
        *kind = PREVIEW_APNG;
    else if (strcmp(path, "-") == 0 || (dot != NULL && strcmp(dot, ".png") == 0))
        *kind = args_has(p->args, "animate") ? PREVIEW_APNG : PREVIEW_SHEET;
    else
        return args_usage(p->args, p->say, "pictures are .png, .apng or .gif, not '%s'", path);
    return EXIT_DONE;
}

static int preview_options_read(preview *p, preview_kind *kind, uint32_t *frames)
{
    static const char *const ups[] = {"y", "z", "-y", NULL};
    size_t                   up = 0;
    int                      code = input_options_read(&p->reading, &p->formats, p->args, p->say);
    p->turn = 30.0;
    p->pitch = 14.0;
    if (code == EXIT_DONE)
        code = preview_target(p, kind);
    p->width = p->height = *kind == PREVIEW_SHEET ? 320 : 480;
    *frames = *kind == PREVIEW_SHEET ? SHEET_FRAMES : 0;
    if (code == EXIT_DONE)
        code = args_size(p->args, p->say, &p->width, &p->height);
    if (code == EXIT_DONE)
        code = preview_frames(p, frames);
    if (code == EXIT_DONE)
        code = preview_angle(p, "turn", &p->turn);
    if (code == EXIT_DONE)
        code = preview_angle(p, "pitch", &p->pitch);
    if (code == EXIT_DONE)
        code = args_choice(p->args, p->say, "up", ups, &up);
    if (code == EXIT_DONE && args_has(p->args, "plot") && !args_has(p->args, "compare"))
        code = args_usage(p->args, p->say, "--plot shows errors: it needs --compare FILE");
    if (code == EXIT_DONE && args_has(p->args, "clip-b") && !args_has(p->args, "compare"))
        code = args_usage(p->args, p->say,
                          "--clip-b chooses a clip of the compared file: it needs --compare FILE");
    p->film = *kind == PREVIEW_APNG || *kind == PREVIEW_GIF;
    p->bones = args_has(p->args, "bones");
    p->names = args_has(p->args, "names");
    p->onion = args_has(p->args, "onion");
    return code;
}

static bool preview_write(preview *p, preview_kind kind, uint32_t frames)
{
    const char  *path = args_value(p->args, "output");
    ember_buffer bytes = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    char         size[TEXT_NUMBER_SIZE];
    bool         done = preview_stage(p);
    done = done && (kind == PREVIEW_SHEET ? preview_sheet(p, frames, &bytes, &err)
                                          : preview_film(p, kind, frames, &bytes, &err));
    if (done && ember_file_write(path, bytes.data, bytes.size, &err) != EMBER_OK)
        done = say_library(p->say, say_output_name(path), &err) == EXIT_DONE;
    if (done && strcmp(path, "-") != 0)
        say_line(p->say, "%s  %s  %s B", path, kind == PREVIEW_SHEET ? "sheet" : "film",
                 text_count(size, bytes.size));
    ember_buffer_free(&bytes);
    return done;
}

static int preview_run(const app_args *args, app_say *say)
{
    preview      p = {.args = args, .say = say};
    preview_kind kind = PREVIEW_NOTHING;
    uint32_t     frames = 0;
    int          code = preview_options_read(&p, &kind, &frames);
    if (code == EXIT_DONE) {
        bool done = preview_open_inputs(&p) && preview_open_actors(&p);
        if (done && args_has(args, "plot"))
            done = preview_plot(&p, args_value(args, "plot"));
        if (done && kind != PREVIEW_NOTHING)
            done = preview_write(&p, kind, frames);
        code = done ? EXIT_DONE : EXIT_FAILED;
    }
    stage_close(&p.stage);
    actor_close(&p.a);
    actor_close(&p.b);
    free(p.pose);
    free(p.colors);
    free(p.last_pose);
    canvas_free(&p.last);
    free(p.error.by_bone);
    input_close(&p.in);
    input_close(&p.other);
    input_close(&p.skeleton);
    ember_rom_close(p.rom);
    return code;
}

static const app_option preview_options[] = {
    {"output", 'o', "FILE", ".png: a sheet of frames; .gif or .apng: the clip playing"},
    {"clip", 0, "NAME|N", "the clip; else the first"},
    {"frames", 0, "N", "pictures on the sheet, else 8; of a film the most, else 300"},
    {"size", 0, "WxH", "of each picture in pixels; else 320x320 on a sheet, 480x480 in a film"},
    {"bones", 0, NULL, "bones inside the body, too"},
    {"names", 0, NULL, "the bones' names"},
    {"onion", 0, NULL, "pale ghosts of the frames before (blue) and after (orange)"},
    {"compare", 0, "FILE", "its clip on top: bones from green to red by how far they are off"},
    {"clip-b", 0, "NAME|N", "the compared file's clip; else that of the same name, else the first"},
    {"plot", 0, "FILE.png", "with --compare: curves of each bone's error over time"},
    {"animate", 0, NULL, "a .png that moves, as .apng does"},
    {"turn", 0, "DEG", "from which side: 0 is the front, 90 the left; else 30"},
    {"pitch", 0, "DEG", "how far from above; else 14"},
    {"up", 0, "y|z|-y", "which way is up in the file; else y"},
    {"skeleton", 0, "FILE", "names, parents, rest pose and meshes for files without them"},
    {"from", 0, "FMT", "the file's format; else by content, then by extension"},
    INPUT_MAX_MEMORY,
    {"source-space", 0, "model|local", "the space of files that do not say (.ewzanim, .eza); else model"},
    {"fps", 0, "N", "the rate; curves (glTF) are sampled at it"},
    {"skin", 0, "N|NAME", "glTF, FBX: whose joints are the bones"},
    INPUT_TAKE,
    {"unit", 0, "N", "animbin: stored units that make a length of 1; else 4096"},
    {"basis", 0, "same|psx", "animbin: with psx its roots are turned by diag(1, -1, -1)"},
    {NULL, 0, NULL, NULL},
};

const app_verb verb_preview = {
    .name = "preview",
    .summary = "a clip as a picture or a film",
    .usage = "FILE -o OUT.png|OUT.gif [options]",
    .about = "Shows the meshes of the file, or its bones where it has none, with the camera set to the whole "
             "motion. A file\n"
             "without clips is shown from all sides. No window and no display is needed.",
    .options = preview_options,
    .example = "ember preview walk.glb -o walk.gif",
    .least_files = 1,
    .most_files = 1,
    .files = "a file",
    .run = preview_run,
};
