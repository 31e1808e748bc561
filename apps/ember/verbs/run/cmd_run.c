/* SPDX-License-Identifier: MIT */
/* `ember run`: a game on the console, in a window or without. A ROM or a bare module is opened, its frames
   are run, and what was asked for is written: inputs, draw lists, pictures, the state's hash. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/text.h"
#include "ember/machine.h"
#include "platform/clock.h"
#include "verbs/run/run_draws.h"
#include "verbs/run/run_inputs.h"
#include "verbs/run/run_pictures.h"
#include "verbs/run/run_saved.h"
#include "verbs/run/window.h"
#include "verbs/verbs.h"

#define RUN_FRAMES 60u
#define RUN_MAX_FRAMES 10000000u
#define RUN_MAX_WASM ((size_t)16 << 20)
#define RUN_MAX_WATCHDOG_S 1e6
#define RUN_MAX_LOG 1000u /* lines in a frame: a game that logs in an endless loop fills no disk */

typedef struct run {
    const app_args *args;
    app_say        *say;
    const char     *name; /* of the game's file, for messages */
    ember_buffer    wasm; /* a bare module */
    ember_rom      *rom;
    ember_machine  *machine;
    ember_synctest *synctest; /* or NULL */
    /* What was asked for. */
    bool            headless, random_inputs;
    uint32_t        frames, synctest_depth, dump_every;
    uint64_t        seed;
    double          watchdog_s;
    size_t          engine; /* an ember_engine */
    run_inputs      replay; /* played back, where --replay is given */
    bool            replaying;
    run_inputs      record; /* what was held, for --record-input */
    run_draws       draws;
    run_pictures    pictures;
    /* On the way. */
    uint32_t        random_state;
    uint32_t        logged;                      /* lines in this frame */
    uint32_t        held[EMBER_CONSOLE_PLAYERS]; /* of the last frame, in a window */
    uint64_t        hash;
} run;

/* ---- options ---- */

static int run_u32(const run *r, const char *name, uint32_t least, uint32_t most, uint32_t *out)
{
    const char *value = args_value(r->args, name);
    if (value == NULL)
        return EXIT_DONE;
    if (!text_read_u32(out, value) || *out < least || *out > most)
        return args_usage(r->args, r->say, "--%s is a number from %u to %u, not '%s'", name, (unsigned)least,
                          (unsigned)most, value);
    return EXIT_DONE;
}

static int run_seed(run *r)
{
    const char *value = args_value(r->args, "seed");
    char       *end;
    if (value == NULL)
        return EXIT_DONE;
    r->seed = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || strlen(value) > 19)
        return args_usage(r->args, r->say, "--seed is a whole number, not '%s'", value);
    return EXIT_DONE;
}

static int run_options(run *r)
{
    static const char *const engines[] = {"auto", "interp", "object", NULL};
    const char              *replay = args_value(r->args, "replay");
    ember_error              err = EMBER_ERROR_INIT;
    int                      code = run_u32(r, "frames", 0, RUN_MAX_FRAMES, &r->frames);
    r->headless = args_has(r->args, "headless");
    r->random_inputs = args_has(r->args, "random-inputs");
    if (code == EXIT_DONE)
        code = run_u32(r, "synctest", 1, EMBER_SYNCTEST_MAX, &r->synctest_depth);
    if (code == EXIT_DONE)
        code = run_u32(r, "dump-every", 1, RUN_MAX_FRAMES, &r->dump_every);
    if (code == EXIT_DONE)
        code = args_positive(r->args, r->say, "watchdog", &r->watchdog_s);
    if (code == EXIT_DONE && r->watchdog_s > RUN_MAX_WATCHDOG_S)
        code = args_usage(r->args, r->say, "--watchdog is at most %.0f seconds, not '%s'", RUN_MAX_WATCHDOG_S,
                          args_value(r->args, "watchdog"));
    if (code == EXIT_DONE)
        code = args_choice(r->args, r->say, "engine", engines, &r->engine);
    if (code == EXIT_DONE)
        code = run_seed(r);
    if (code != EXIT_DONE)
        return code;
    if (r->dump_every != 0 && !args_has(r->args, "dump-draws"))
        return args_usage(r->args, r->say, "--dump-every goes with --dump-draws");
    if (replay != NULL && (r->random_inputs || args_has(r->args, "seed")))
        return args_usage(r->args, r->say, "--replay brings its own inputs and seed");
    if (args_has(r->args, "load") && (replay != NULL || args_has(r->args, "record-input")))
        return args_usage(
            r->args, r->say,
            "a recording begins with the game: --load goes without --replay and --record-input");
    if (!r->headless &&
        (r->synctest_depth != 0 || args_has(r->args, "dump-draws") || args_has(r->args, "record")))
        return args_usage(r->args, r->say, "--synctest, --dump-draws and --record go with --headless");
    if (!r->headless && !args_has(r->args, "frames"))
        r->frames = 0; /* until the window is closed */
    code = run_pictures_read(&r->pictures, r->args, r->say);
    if (code != EXIT_DONE)
        return code;
    if (replay != NULL && !run_inputs_read(&r->replay, replay, &err))
        return say_library(r->say, say_input_name(replay), &err);
    if (replay != NULL) {
        r->replaying = true;
        r->seed = r->replay.seed;
        if (args_has(r->args, "frames") && r->frames > r->replay.frame_count)
            say_note(r->say, (place){say_input_name(replay), NULL, NULL}, "has %u frames, so no more are run",
                     (unsigned)r->replay.frame_count);
        if (!args_has(r->args, "frames") || r->frames > r->replay.frame_count)
            r->frames = r->replay.frame_count;
    }
    return EXIT_DONE;
}

/* ---- the game ---- */

static void run_log(void *user, const char *text, size_t size)
{
    run *r = user;
    (void)size;
    if (r->synctest != NULL && ember_synctest_replaying(r->synctest))
        return;
    if (r->logged < RUN_MAX_LOG)
        say_line(r->say, "%s", text);
    else if (r->logged == RUN_MAX_LOG)
        say_warning(r->say, (place){r->name, NULL, NULL},
                    "logs more than %u lines in one frame; the others are left out", RUN_MAX_LOG);
    r->logged += r->logged <= RUN_MAX_LOG;
}

static int run_open_rom(run *r, const char *path)
{
    ember_error err = EMBER_ERROR_INIT;
    return ember_rom_open_file(&r->rom, path, ember_heap(), &err) == EMBER_OK
               ? EXIT_DONE
               : say_library(r->say, path, &err);
}

/* A module by its first bytes, else a ROM that holds one. */
static int run_open(run *r, const void **wasm, size_t *size)
{
    const char     *path = r->args->files[0], *assets = args_value(r->args, "rom");
    ember_error     err = EMBER_ERROR_INIT;
    ember_rom_entry game;
    if (ember_file_read(&r->wasm, path, RUN_MAX_WASM, &err) != EMBER_OK)
        return say_library(r->say, r->name, &err);
    *wasm = r->wasm.data;
    *size = r->wasm.size;
    if (r->wasm.size >= 4 && memcmp(r->wasm.data, "\0asm", 4) == 0)
        return assets != NULL ? run_open_rom(r, assets) : EXIT_DONE;
    if (assets != NULL)
        return args_usage(r->args, r->say, "--rom goes with a bare module, and %s is none", r->name);
    if (strcmp(path, "-") == 0)
        return say_error(r->say, (place){r->name, NULL, NULL},
                         "it is no WebAssembly module; a ROM must be a file");
    int code = run_open_rom(r, path);
    if (code != EXIT_DONE)
        return code;
    if (!ember_rom_find(&game, r->rom, EMBER_ROM_GAME, "game", 4))
        return say_error(r->say, (place){r->name, NULL, NULL}, "there is no game in this ROM");
    if (ember_rom_verify(r->rom, &game, &err) != EMBER_OK)
        return say_library(r->say, r->name, &err);
    *wasm = game.data;
    *size = game.size;
    return EXIT_DONE;
}

static int run_load(run *r)
{
    const void *wasm = NULL;
    size_t      size = 0;
    ember_error err = EMBER_ERROR_INIT;
    int         code = run_open(r, &wasm, &size);
    if (code != EXIT_DONE)
        return code;
    ember_machine_options options = {.allocator = ember_heap(),
                                     .engine = (ember_engine)r->engine,
                                     .rom = r->rom,
                                     .seed = r->seed,
                                     .watchdog_s = r->watchdog_s,
                                     .log = run_log,
                                     .user = r};
    if (ember_machine_load_wasm(&r->machine, wasm, size, &options, &err) != EMBER_OK)
        return say_library(r->say, r->name, &err);
    r->record.game = ember_machine_game_hash(r->machine);
    r->record.seed = r->seed;
    if (r->replaying && r->replay.game != r->record.game)
        say_warning(r->say, (place){args_value(r->args, "replay"), NULL, NULL},
                    "was recorded with another game or another version of it");
    if (r->synctest_depth != 0 &&
        ember_synctest_create(&r->synctest, r->synctest_depth, ember_heap()) != EMBER_OK)
        return say_error(r->say, (place){r->name, NULL, NULL}, "out of memory");
    return EXIT_DONE;
}

/* ---- inputs ---- */

static int run_write_inputs(run *r)
{
    const char *inputs = args_value(r->args, "record-input");
    ember_error err = EMBER_ERROR_INIT;
    if (inputs != NULL && !run_inputs_write(&r->record, inputs, &err))
        return say_library(r->say, say_output_name(inputs), &err);
    return EXIT_DONE;
}

/* What led to a trap is wanted more than anything, and a window with a stopped game may be closed in any way:
   at once. */
static void run_stopped(run *r)
{
    if (r->record.trapped)
        return;
    r->record.trapped = true;
    run_write_inputs(r);
}

/* ---- frames ---- */

/* Buttons that are pressed and let go now and then, the same for the same seed. */
static uint32_t run_random(run *r)
{
    r->random_state = r->random_state * 1664525u + 1013904223u;
    return r->random_state >> 8;
}

static void run_hold(run *r, uint32_t frame, uint32_t held[EMBER_CONSOLE_PLAYERS])
{
    if (r->replaying)
        run_inputs_get(held, &r->replay, frame);
    for (uint32_t i = 0; r->random_inputs && i < EMBER_CONSOLE_PLAYERS; i++)
        if (run_random(r) % 8 == 0)
            held[i] ^= 1u << run_random(r) % BUTTON_COUNT;
}

static bool run_frame(run *r, const uint32_t held[EMBER_CONSOLE_PLAYERS], ember_error *err)
{
    r->logged = 0;
    if (r->synctest != NULL)
        return ember_synctest_frame(r->synctest, r->machine, held, err) == EMBER_OK;
    return ember_machine_update(r->machine, held, err) == EMBER_OK &&
           ember_machine_render(r->machine, err) == EMBER_OK;
}

static bool run_wants_draws(const run *r, uint32_t frame)
{
    if (!args_has(r->args, "dump-draws"))
        return false;
    return r->dump_every != 0 ? (frame + 1) % r->dump_every == 0 : frame + 1 == r->frames;
}

static int run_frames(run *r)
{
    uint32_t    held[EMBER_CONSOLE_PLAYERS] = {0};
    ember_error err = EMBER_ERROR_INIT;
    bool        recorded = args_has(r->args, "record-input");
    r->random_state = (uint32_t)r->seed;
    if (ember_machine_init(r->machine, &err) != EMBER_OK)
        return say_library(r->say, r->name, &err);
    int code = run_saved_load(r->machine, r->args, r->say);
    if (code != EXIT_DONE)
        return code;
    progress_start(&r->say->bar, r->frames);
    for (uint32_t i = 0; i < r->frames; i++) {
        run_hold(r, i, held);
        if (recorded)
            run_inputs_add(&r->record, held);
        if (!run_frame(r, held, &err))
            return say_library(r->say, r->name, &err);
        if (run_wants_draws(r, i))
            run_draws_add(&r->draws, ember_console_draws(ember_machine_console(r->machine)));
        if (!run_pictures_frame(&r->pictures, ember_machine_console(r->machine), i, i + 1 == r->frames, &err))
            return say_library(r->say, r->name, &err);
        progress_step(&r->say->bar);
    }
    return EXIT_DONE;
}

/* ---- in a window ---- */

/* The same as a frame without a window, so that a recording replays to the same hash. */
static bool run_window_frame(void *user, const uint32_t pressed[EMBER_CONSOLE_PLAYERS], ember_error *err)
{
    run     *r = user;
    uint32_t held[EMBER_CONSOLE_PLAYERS];
    memcpy(held, r->random_inputs ? r->held : pressed, sizeof(held));
    run_hold(r, r->record.frame_count, held);
    memcpy(r->held, held, sizeof(held));
    run_inputs_add(&r->record, held);
    if (run_frame(r, held, err))
        return true;
    run_stopped(r);
    return false;
}

/* Of all that is in the ROM. */
static uint64_t run_rom_size(const run *r)
{
    uint64_t        size = 0;
    ember_rom_entry entry;
    for (uint32_t i = 0; r->rom != NULL && i < ember_rom_entry_count(r->rom); i++)
        if (ember_rom_entry_at(&entry, r->rom, i))
            size += entry.size;
    return size;
}

static int run_window(run *r)
{
    ember_error err = EMBER_ERROR_INIT;
    window_job  job = {
         .say = r->say,
         .name = r->name,
         .rom_size = run_rom_size(r),
         .width = r->pictures.width,
         .height = r->pictures.height,
         .fullscreen = args_has(r->args, "fullscreen"),
         .frames = r->frames,
         .screenshot = r->pictures.screenshot,
         .console = ember_machine_console(r->machine),
         .frame = run_window_frame,
         .user = r,
    };
    r->random_state = (uint32_t)r->seed;
    if (ember_machine_init(r->machine, &err) != EMBER_OK)
        job.trap = &err; /* shown as any other */
    int code = job.trap == NULL ? run_saved_load(r->machine, r->args, r->say) : EXIT_DONE;
    if (code != EXIT_DONE)
        return code;
    ember_error failed = EMBER_ERROR_INIT;
    if (!window_run(&job, &failed))
        return say_library(r->say, r->name, &failed);
    r->frames = job.frames_run;
    return job.trapped ? EXIT_FAILED : EXIT_DONE;
}

/* ---- the end ---- */

static int run_hash(run *r)
{
    ember_snapshot *end;
    bool            saved = ember_snapshot_create(&end, ember_heap()) == EMBER_OK;
    if (saved && ember_machine_save(end, r->machine) == EMBER_OK)
        r->hash = r->record.hash = ember_snapshot_hash(end);
    else
        saved = false;
    if (saved)
        ember_snapshot_destroy(end);
    return saved ? EXIT_DONE : say_error(r->say, (place){r->name, NULL, NULL}, "out of memory");
}

static int run_write(run *r)
{
    const char *draws = args_value(r->args, "dump-draws");
    ember_error err = EMBER_ERROR_INIT;
    int         code = run_write_inputs(r);
    if (code == EXIT_DONE)
        code = run_saved_write(r->machine, r->args, r->say);
    if (code != EXIT_DONE)
        return code;
    if (draws != NULL && !run_draws_write(&r->draws, draws, &err))
        return say_library(r->say, say_output_name(draws), &err);
    const char *picture = NULL;
    if (r->headless && !run_pictures_write(&r->pictures, &picture, &err))
        return say_library(r->say, say_output_name(picture), &err);
    return EXIT_DONE;
}

/* The result is data, unless a document goes the same way or a picture is what was wanted. */
static void run_report(const run *r)
{
    const char *inputs = args_value(r->args, "record-input"), *draws = args_value(r->args, "dump-draws");
    bool taken = (inputs != NULL && strcmp(inputs, "-") == 0) || (draws != NULL && strcmp(draws, "-") == 0) ||
                 run_pictures_wanted(&r->pictures);
    unsigned frames = (unsigned)r->frames,
             drawn = (unsigned)ember_console_draws(ember_machine_console(r->machine))->draw_count;
    char *line = text_make("%u %s, %u %s in the last, hash %016" PRIx64, frames,
                           frames == 1 ? "frame" : "frames", drawn, drawn == 1 ? "draw" : "draws", r->hash);
    if (taken)
        say_line(r->say, "%s", line);
    else
        printf("%s\n", line);
    free(line);
}

static int run_game(run *r)
{
    double start = emberi_clock_s();
    int    code = run_load(r);
    if (code != EXIT_DONE)
        return code;
    say_detail(r->say, (place){r->name, NULL, NULL}, "loaded in %.3f s", emberi_clock_s() - start);
    ember_error err = EMBER_ERROR_INIT;
    if (r->headless && !run_pictures_open(&r->pictures, &err))
        return say_library(r->say, NULL, &err);
    start = emberi_clock_s();
    code = r->headless ? run_frames(r) : run_window(r);
    if (code != EXIT_DONE) {
        run_stopped(r);
        return code;
    }
    code = run_hash(r);
    if (code == EXIT_DONE)
        code = run_write(r);
    if (code != EXIT_DONE)
        return code;
    if (r->frames != 0)
        say_detail(r->say, (place){r->name, NULL, NULL}, "%.3f ms a frame, at the end %s",
                   (emberi_clock_s() - start) * 1e3 / r->frames,
                   ember_machine_engine(r->machine) == EMBER_ENGINE_INTERP ? "interpreted" : "compiled");
    if (r->replaying && !r->replay.trapped && r->frames == r->replay.frame_count && r->replay.hash != r->hash)
        return say_error(r->say, (place){args_value(r->args, "replay"), NULL, NULL},
                         "frame %u ended differently than it was recorded (hash %016" PRIx64
                         ", now %016" PRIx64 ")",
                         (unsigned)r->frames, r->replay.hash, r->hash);
    run_report(r);
    return EXIT_DONE;
}

static int run_run(const app_args *args, app_say *say)
{
    run r = {.args = args, .say = say, .name = say_input_name(args->files[0]), .frames = RUN_FRAMES};
    r.wasm.allocator = r.draws.text.allocator = ember_heap();
    int code = run_options(&r);
    if (code == EXIT_DONE)
        code = run_game(&r);
    ember_synctest_destroy(r.synctest);
    ember_machine_unload(r.machine);
    ember_rom_close(r.rom);
    ember_buffer_free(&r.wasm);
    run_draws_free(&r.draws);
    run_inputs_free(&r.record);
    run_inputs_free(&r.replay);
    run_pictures_close(&r.pictures);
    return code;
}

static const app_option run_options_list[] = {
    {"headless", 0, NULL, "without a window"},
    {"frames", 0, "N",
     "how many frames to run (60; with --replay as many as it has; in a window until it is closed)"},
    {"screenshot", 0, "FILE.png", "write the picture of the last frame"},
    {"record", 0, "FILE", "without a window: write a film of all frames, .gif or animated .png"},
    {"size", 0, "WxH", "of the window or the pictures, in pixels (960x540)"},
    {"fullscreen", 0, NULL, "all of the screen; F11 changes it"},
    {"seed", 0, "N", "of the game's random numbers (0)"},
    {"rom", 0, "FILE", "with a bare module: the ROM its assets are in"},
    {"engine", 0, "NAME",
     "interp (starts at once), object (compiled first) or auto: interp, then object when it is ready (auto)"},
    {"save", 0, "FILE", "save the game's state behind the last frame"},
    {"load", 0, "FILE", "go on from a saved state of this game"},
    {"watchdog", 0, "S", "seconds of processor time that one call of the game may take (2)"},
    {"synctest", 0, "N", "after every frame go back N frames, run them again and compare"},
    {"record-input", 0, "FILE", "write what the players held, also where the game traps"},
    {"replay", 0, "FILE", "hold what was recorded, and compare the end"},
    {"random-inputs", 0, NULL, "press and release buttons at random, by the seed"},
    {"dump-draws", 0, "FILE", "write the draw list of the last frame as JSON"},
    {"dump-every", 0, "N", "of every Nth frame instead"},
    {NULL, 0, NULL, NULL},
};

const app_verb verb_run = {
    .name = "run",
    .summary = "run a game on the console",
    .usage = "GAME.ewz|GAME.wasm [options]",
    .about = "Runs a ROM, or a WASM module, frame by frame. It starts on an interpreter; if there is a C "
             "compiler, the game is compiled meanwhile\n"
             "and goes on compiled. Results are the same.\n"
             "Without a window it prints how many frames ran and the hash of the game's state behind the "
             "last one; what the game logs goes to\n"
             "standard error. In a window: arrows, Z X A S, Q W, Enter and Backspace are player 1, "
             "controllers are players 1 to 4; F1 shows\n"
             "how it runs, F2 pauses, F3 goes on by one frame, F11 fills the screen, F12 saves a picture, "
             "Esc ends.",
    .options = run_options_list,
    .example = "ember run game.ewz --headless --frames 600 --synctest 8",
    .least_files = 1,
    .most_files = 1,
    .files = "a game",
    .run = run_run,
};
