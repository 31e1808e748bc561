/* SPDX-License-Identifier: MIT */
/* How a game's object is made: with which programs, from which text, and the key under which it
   is found again. */
#define _GNU_SOURCE /* realpath */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "console/functions.h"
#include "ember/file.h"
#include "engine/object/object.h"
#include "engine/object/object_parts.h"

const char *const emberi_object_flags[] =
    {"-std=gnu11", "-O2", "-fPIC", "-shared", "-fno-plt",
     /* The same numbers as every other engine's: no fusing, no folding that a mode of rounding or a
        NaN would show. */
     "-ffp-contract=off", "-frounding-math", "-fsignaling-nans", "-fno-math-errno",
     /* The depth of calls is counted, and the stack touched page by page. */
     "-fno-optimize-sibling-calls", "-fstack-clash-protection", "-fno-strict-aliasing",
     /* Nothing runs when it is loaded, and it has no symbol but one. */
     "-fvisibility=hidden", "-nostartfiles", "-Wl,-z,defs", "-Wl,-z,now", "-Wl,-z,noexecstack", NULL};

/* ---- the programs ---- */

static bool plan_is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* As a shell would find it; no path in it means $PATH. */
static bool plan_find(char out[1024], const char *name)
{
    const char *path = getenv("PATH");
    size_t      name_size = name != NULL ? strlen(name) : 0;
    if (name_size == 0 || name_size >= 1024)
        return false;
    if (strchr(name, '/') != NULL) {
        memcpy(out, name, name_size + 1);
        return plan_is_program(out);
    }
    for (path = path != NULL ? path : "/usr/local/bin:/usr/bin:/bin"; *path != '\0';) {
        size_t size = strcspn(path, ":");
        if (path[0] == '/' && size + 1 + name_size < 1024) {
            memcpy(out, path, size);
            out[size] = '/';
            memcpy(out + size + 1, name, name_size + 1);
            if (plan_is_program(out))
                return true;
        }
        path += size + (path[size] == ':' ? 1 : 0);
    }
    return false;
}

static ember_status plan_programs(emberi_object_recipe *out, const emberi_object_job *job, ember_error *err)
{
    if (!plan_find(out->translator, "wasm2c"))
        return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                          "wasm2c is needed to run games and is not installed: it is in the package wabt "
                          "(apt-get install wabt)");
    if (job->compiler != NULL)
        return plan_find(out->compiler, job->compiler)
                   ? EMBER_OK
                   : emberi_failf(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                                  "there is no compiler %s, which was to compile the game", job->compiler);
    if (plan_find(out->compiler, EMBER_BUILD_COMPILER) || plan_find(out->compiler, "cc"))
        return EMBER_OK;
    return ember_fail(
        err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
        "a C compiler is needed to run games and none is installed (apt-get install gcc libc6-dev)");
}

/* ---- the text in front of the game ---- */

#define FUNCTION_MEMBER(result, name, signature, parameters, arguments) \
    "    " #result " (*" #name ")" #parameters ";\n",
#define FUNCTION_CALL(result, name, signature, parameters, arguments) \
    "static inline " #result " Z_envZ_" #name #parameters "\n"        \
    "{ EMBERI_ENTER(c); return emberi_functions." #name #arguments "; }\n",

/* The console's functions as the game calls them. `c` comes as the address of the instance and goes on
   as the console. */
static const char *const plan_functions[] = {
    "struct Z_env_instance_t;\n",
    "typedef uint32_t guest_in, guest_out;\n",
    "#define ember_console struct Z_env_instance_t\n",
    "struct emberi_guest_functions {\n",
    EMBERI_HOST_FUNCTIONS(FUNCTION_MEMBER) "};\n",
    "static struct emberi_guest_functions emberi_functions;\n",
    "#define EMBERI_ENTER(c) do { \\\n",
    "    c = EMBERI_HEAD(c).console; \\\n",
    "  } while (0)\n",
    EMBERI_HOST_FUNCTIONS(FUNCTION_CALL) "#endif\n",
};

/* What the shim makes a game's state of; the sections were checked. */
static bool plan_state(ember_buffer *out, const emberi_wasm_module *m)
{
    char     line[96];
    uint32_t count = 0;
    bool     ok = ember_buffer_append(out, "#define EMBERI_GLOBALS", 22);
    for (uint32_t i = 0; i < m->global_count && ok; i++) {
        uint8_t width = m->mutable_widths[i];
        int     used = snprintf(line, sizeof(line), " EMBERI_GLOBAL(%u, %u)", (unsigned)i, (unsigned)width);
        ok = width == 0 || ember_buffer_append(out, line, (size_t)used);
        count += width != 0;
    }
    ok = ok && ember_buffer_append(out, "\n#define EMBERI_SEGMENTS", 24);
    emberi_reader r = emberi_wasm_data(m);
    for (uint32_t i = 0; m->uses_segments && i < m->data_count && ok; i++, count++) {
        emberi_wasm_segment segment = emberi_wasm_next_segment(&r);
        bool                passive = segment.passive && segment.size != 0;
        int used = snprintf(line, sizeof(line), passive ? " EMBERI_FLAG(%u)" : " EMBERI_DONE", (unsigned)i);
        ok = ember_buffer_append(out, line, (size_t)used);
    }
    int used = snprintf(line, sizeof(line), "\n#define EMBERI_CELL_COUNT %u\n", (unsigned)count);
    return ok && ember_buffer_append(out, line, (size_t)used);
}

static bool plan_text(ember_buffer *out, const emberi_wasm_module *m)
{
    char facts[400];
    int  size =
        snprintf(facts, sizeof(facts),
                 "#ifndef EMBERI_WASM_RT\n#define EMBERI_WASM_RT 2\n"
                 "#define EMBERI_TYPE_COUNT %u\n#define EMBERI_TYPE_SIZE %u\n#define EMBERI_HAS_ENV "
                 "%d\n#define EMBERI_HAS_TABLE %d\n"
                 "#define EMBERI_HAS_INIT %d\n#define EMBERI_HAS_UPDATE %d\n#define EMBERI_HAS_RENDER %d\n",
                 (unsigned)(m->type_count != 0 ? m->type_count : 1), (unsigned)(2 + m->longest_type),
                 m->import_count != 0, m->has_table, m->exports[EMBER_PHASE_INIT] >= 0,
                 m->exports[EMBER_PHASE_UPDATE] >= 0, m->exports[EMBER_PHASE_RENDER] >= 0);
    bool ok = size > 0 && (size_t)size < sizeof(facts) && ember_buffer_append(out, facts, (size_t)size) &&
              plan_state(out, m) && ember_buffer_append(out, emberi_guest_abi_text, emberi_guest_abi_size) &&
              ember_buffer_append(out, emberi_guest_runtime_text, emberi_guest_runtime_size);
    for (size_t i = 0; i < sizeof(plan_functions) / sizeof(plan_functions[0]); i++)
        ok = ok && ember_buffer_append(out, plan_functions[i], strlen(plan_functions[i]));
    return ok;
}

/* ---- the key ---- */

static void key_add(XXH3_state_t *state, const void *data, size_t size)
{
    uint64_t length = size;
    XXH3_128bits_update(state, &length, sizeof(length));
    XXH3_128bits_update(state, data, size);
}

/* Another version of a program is another file behind its name. */
static bool key_add_program(XXH3_state_t *state, const char *path)
{
    struct stat info;
    char        real[PATH_MAX];
    if (realpath(path, real) == NULL || stat(real, &info) != 0)
        return false;
    const int64_t facts[3] = {(int64_t)info.st_size, (int64_t)info.st_mtim.tv_sec,
                              (int64_t)info.st_mtim.tv_nsec};
    key_add(state, path, strlen(path));
    key_add(state, real, strlen(real));
    key_add(state, facts, sizeof(facts));
    return true;
}

static bool plan_key(emberi_object_recipe *recipe, const emberi_object_job *job)
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    key_add(&state, job->stripped->data, job->stripped->size);
    key_add(&state, recipe->runtime.data, recipe->runtime.size);
    key_add(&state, emberi_guest_shim_text, emberi_guest_shim_size);
    for (size_t i = 0; emberi_object_flags[i] != NULL; i++)
        key_add(&state, emberi_object_flags[i], strlen(emberi_object_flags[i]));
    if (!key_add_program(&state, recipe->translator) || !key_add_program(&state, recipe->compiler))
        return false;
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    snprintf(recipe->key, sizeof(recipe->key), "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return true;
}

ember_status emberi_object_plan(emberi_object_recipe *out, const emberi_object_job *job, ember_error *err)
{
    memset(out, 0, sizeof(*out));
    out->runtime.allocator = job->allocator;
    ember_status status = plan_programs(out, job, err);
    if (status != EMBER_OK)
        return status;
    if (!plan_text(&out->runtime, job->module))
        return emberi_fail_memory(err);
    return plan_key(out, job) ? EMBER_OK
                              : ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET,
                                           "the programs that compile games cannot be looked at");
}
