/* SPDX-License-Identifier: MIT */
/* The formats of this build, how they are told apart, and the two doors through which every file goes in and
   out. A reader's result is checked here once more, and what a failed reader or writer has left behind is
   taken back. */
#include <string.h>

#include "base/maths.h"
#include "format/known_options.h"
#include "format/ops.h"

#define REGISTRY_ENTRY(name) &emberi_##name##_ops,
static const emberi_format_ops *const registry[] = {EMBERI_FORMATS(REGISTRY_ENTRY)};

#define REGISTRY_COUNT (sizeof(registry) / sizeof(registry[0]))

const emberi_format_ops *emberi_format_ops_of(ember_format format)
{
    for (size_t i = 0; i < REGISTRY_COUNT; i++)
        if (registry[i]->info.format == format)
            return registry[i];
    return NULL;
}

size_t ember_format_count(void) { return REGISTRY_COUNT; }

const ember_format_info *ember_format_at(size_t index)
{
    return index < REGISTRY_COUNT ? &registry[index]->info : NULL;
}

const ember_format_info *ember_format_get(ember_format format)
{
    const emberi_format_ops *ops = emberi_format_ops_of(format);
    return ops != NULL ? &ops->info : NULL;
}

const ember_format_info *ember_format_by_name(const char *name)
{
    for (size_t i = 0; name != NULL && i < REGISTRY_COUNT; i++)
        if (strcmp(registry[i]->info.name, name) == 0)
            return &registry[i]->info;
    return NULL;
}

/* ---- telling formats apart ---- */

static char registry_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool registry_same_word(const char *word, size_t size, const char *text)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\0' || word[i] != registry_lower(text[i]))
            return false;
    return text[size] == '\0';
}

static bool registry_has_extension(const char *extensions, const char *extension)
{
    while (*extensions != '\0') {
        size_t size = strcspn(extensions, " ");
        if (registry_same_word(extensions, size, extension))
            return true;
        extensions += size + (extensions[size] == ' ' ? 1 : 0);
    }
    return false;
}

static const emberi_format_ops *registry_by_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    for (size_t i = 0; dot == NULL && i < REGISTRY_COUNT; i++)
        if (registry[i]->named != NULL && registry[i]->named(base))
            return registry[i];
    if (dot == NULL || dot == base)
        return NULL;
    for (size_t i = 0; i < REGISTRY_COUNT; i++)
        if (registry_has_extension(registry[i]->info.extensions, dot + 1))
            return registry[i];
    return NULL;
}

const ember_format_info *ember_format_by_path(const char *path)
{
    const emberi_format_ops *ops = path != NULL ? registry_by_path(path) : NULL;
    return ops != NULL ? &ops->info : NULL;
}

const ember_format_info *ember_format_sniff(const void *data, size_t size, const char *path)
{
    static const uint8_t     empty[1] = {0};
    const uint8_t           *bytes = data != NULL ? data : empty;
    const emberi_format_ops *named = path != NULL ? registry_by_path(path) : NULL;
    const emberi_format_ops *plausible = NULL;
    for (size_t i = 0; i < REGISTRY_COUNT; i++) {
        const emberi_format_ops *ops = registry[i];
        emberi_likeness          likeness =
            ops->sniff != NULL ? ops->sniff(bytes, data != NULL ? size : 0) : EMBERI_UNLIKE;
        if (likeness == EMBERI_CERTAIN)
            return &ops->info;
        /* Among several that would do, the one that the extension names. */
        if (likeness == EMBERI_PLAUSIBLE && (plausible == NULL || ops == named))
            plausible = ops;
    }
    if (plausible != NULL)
        return &plausible->info;
    return named != NULL ? &named->info : NULL;
}

/* ---- in ---- */

static ember_status registry_check_options(const ember_read_options *options, ember_error *err)
{
    if (options->fps != EMBER_FPS_SOURCE && (!(options->fps >= 0.0) || options->fps - options->fps != 0.0))
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a rate of %g is not possible", options->fps);
    if (!(options->fps_else >= 0.0) || options->fps_else - options->fps_else != 0.0)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a rate of %g is not possible",
                            options->fps_else);
    if (!(options->scale >= 0.0) || !emberi_is_finite((float)options->scale))
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a scale of %g is not possible",
                            options->scale);
    if ((unsigned)options->space > EMBER_SPACE_LOCAL)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "%d is not a space", (int)options->space);
    const ember_skeleton *skeleton = options->skeleton;
    if (skeleton == NULL)
        return EMBER_OK;
    ember_model model = {.skeleton = *skeleton};
    return ember_model_check(&model, err);
}

static ember_status registry_read(ember_model *out, const emberi_source *source)
{
    const ember_read_options *options = source->options;
    ember_status              status = registry_check_options(options, source->err);
    if (status != EMBER_OK)
        return status;
    ember_format format = options->format;
    if (format == EMBER_FORMAT_UNKNOWN) {
        const ember_format_info *info = ember_format_sniff(source->data, source->size, options->path);
        if (info == NULL)
            return ember_fail(source->err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                              source->size == 0 ? "unknown format: there are no bytes"
                                                : "unknown format: neither content nor name tell what it is");
        format = info->format;
    }
    const emberi_format_ops *ops = emberi_format_ops_of(format);
    if (ops == NULL || !ops->info.reads)
        return emberi_failf(source->err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, "%s cannot be read",
                            ops != NULL ? ops->info.title : "this format");
    status = ops->read(out, source);
    if (status != EMBER_OK)
        return status;
    out->format = format;
    return ember_model_check(out, source->err);
}

ember_status ember_model_read(ember_model *out, const void *data, size_t size,
                              const ember_read_options *options, ember_arena *arena, ember_error *err)
{
    static const uint8_t empty[1] = {0};
    ember_error          local = EMBER_ERROR_INIT;
    ember_arena_mark     mark = ember_arena_save(arena);
    emberi_read_options  known;
    emberi_budget        budget;
    emberi_source        source =
        {data != NULL ? data : empty, data != NULL ? size : 0, &known.all, arena, &local, &budget};

    memset(out, 0, sizeof(*out));
    EMBERI_TRY(emberi_read_options_take(&known, options, err));
    emberi_budget_open(&budget, source.options->memory_limit, source.size, arena);
    ember_status status = registry_read(out, &source);
    emberi_budget_close(&budget, arena);
    if (status == EMBER_E_NOMEM && budget.refused) {
        local = (ember_error)EMBER_ERROR_INIT;
        status = emberi_budget_fail(&budget, &local);
    }
    if (source.options->skip_meshes)
        out->mesh_count = 0;
    if (source.options->skip_clips)
        out->clip_count = 0;
    if (status != EMBER_OK) {
        memset(out, 0, sizeof(*out));
        ember_arena_restore(arena, mark);
        if (err != NULL && err->status == EMBER_OK)
            *err = local;
    }
    return status;
}

bool ember_model_references(const char *const **paths, uint32_t *count, const void *data, size_t size,
                            const char *path, ember_arena *arena)
{
    ember_error              err = EMBER_ERROR_INIT;
    ember_read_options       options = {.path = path};
    emberi_source            source = {data, size, &options, arena, &err, NULL};
    const ember_format_info *info = ember_format_sniff(data, size, path);
    const emberi_format_ops *ops = info != NULL ? emberi_format_ops_of(info->format) : NULL;
    *paths = NULL;
    *count = 0;
    if (data == NULL || ops == NULL || ops->references == NULL)
        return true;
    ember_status status = ops->references(paths, count, &source);
    if (status != EMBER_OK)
        *count = 0;
    return status != EMBER_E_NOMEM;
}

/* ---- out ---- */

ember_space emberi_stored_space(const ember_write_options *options, const ember_clip *clip)
{
    const ember_format_info *info = ember_format_get(options->format);
    ember_space              space = options->space;
    if (space == EMBER_SPACE_UNSTATED && info != NULL)
        space = info->default_space;
    return space != EMBER_SPACE_UNSTATED ? space : clip->space;
}

ember_status emberi_model_to_space(ember_model *out, const ember_model *model,
                                   const ember_write_options *options, ember_arena *arena, ember_error *err)
{
    ember_clip *clips = EMBER_PUSH(arena, ember_clip, model->clip_count);
    if (clips == NULL)
        return emberi_fail_memory(err);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        ember_space_losses losses;
        ember_space        space = emberi_stored_space(options, &model->clips[i]);
        ember_status       status =
            ember_clip_to_space(&clips[i], &losses, model, &model->clips[i], space, arena, err);
        if (status != EMBER_OK)
            return status;
        /* Stored values do not survive the change; where they are not stored anyway, that is
           still to be said. */
        const ember_format_info *info = ember_format_get(options->format);
        if (info != NULL && !info->stores.raw)
            clips[i].raw = model->clips[i].raw;
        emberi_note_space_losses(&options->notes, model, &clips[i], &losses);
    }
    *out = *model;
    out->clips = clips;
    return EMBER_OK;
}

static ember_status registry_write(ember_buffer *out, const ember_model *model,
                                   const ember_write_options *options, ember_error *err)
{
    const emberi_format_ops *ops = emberi_format_ops_of(options->format);
    if (ops == NULL || ops->write == NULL)
        return emberi_failf(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, "%s cannot be written",
                            ops != NULL ? ops->info.title : "this format");
    if (ops->info.one_clip && model->clip_count != 1)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "%s hold exactly one clip, here are %u",
                            ops->info.title, (unsigned)model->clip_count);
    if ((unsigned)options->space > EMBER_SPACE_LOCAL)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "%d is not a space", (int)options->space);
    /* Clips that are not stored must not fail for a hierarchy that only they need. */
    if (!ops->info.stores.clips)
        return ops->write(out, model, options, err);
    /* no more than the model takes already */
    ember_arena  arena = ember_arena_growing(ember_heap(), SIZE_MAX);
    ember_model  stored;
    ember_status status = emberi_model_to_space(&stored, model, options, &arena, err);
    if (status == EMBER_OK)
        status = ops->write(out, &stored, options, err);
    if (status == EMBER_OK && model->clip_count == 0)
        emberi_note_losses_without_clips(&options->notes, model, ops->info.stores);
    ember_arena_free(&arena);
    return status;
}

ember_status ember_model_write(ember_buffer *out, const ember_model *model,
                               const ember_write_options *options, ember_error *err)
{
    ember_error          local = EMBER_ERROR_INIT;
    emberi_write_options known;
    size_t               size = out->size;
    if (options == NULL)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "no options: the format is required");
    EMBERI_TRY(emberi_write_options_take(&known, options, err));
    ember_status status = ember_model_check(model, &local);
    if (status == EMBER_OK)
        status = registry_write(out, model, &known.all, &local);
    if (status != EMBER_OK) {
        out->size = size;
        if (err != NULL && err->status == EMBER_OK)
            *err = local;
    }
    return status;
}
