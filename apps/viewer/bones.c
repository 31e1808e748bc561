/* SPDX-License-Identifier: MIT */
/* Bones for files that have none of their own: which of the open files lends them. A wrong skeleton draws a
   crumpled character and converts to a wrong file, so that as many bones alone are a last resort: a clip
   whose bones are as long as the skeleton's is of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/rom_input.h"
#include "scene/program.h"
#include "viewer.h"

/* of the bones' whole length, by which it may differ between a skeleton and a clip of it */
#define LENGTHS_NEAR 0.1

/* What speaks for a file; less is better, the upper part first. */
typedef struct bones_rank {
    /* 0: bones of the clip's lengths, and meshes; 1: of its lengths; 2: as many; 3: more */
    uint32_t fit;
    uint32_t apart;    /* 0: opened together */
    uint32_t distance; /* in the order of opening */
} bones_rank;

static bool rank_is_better(const bones_rank *a, const bones_rank *b)
{
    if (a->fit != b->fit)
        return a->fit < b->fit;
    return a->apart != b->apart ? a->apart < b->apart : a->distance < b->distance;
}

void bones_let_go(input *in)
{
    /* The bytes are the page's. */
    ember_arena_free(&in->arena);
    memset(in, 0, sizeof(*in));
}

bool bones_read(input *out, viewer *v, uint32_t file)
{
    ember_read_options plain = {.path = NULL};
    ember_error        err = EMBER_ERROR_INIT;
    app_say            silent = {.quiet = true};
    viewer_file       *from = &v->files[file];
    input_of_file(out, from);
    bool found = !rom_input_is(out) && input_tell(out, &plain, &err) &&
                 input_parse(out, &plain, &silent, &err) && ember_skeleton_is_known(&out->model.skeleton);
    from->looked = true;
    from->bone_count = found ? out->model.skeleton.bone_count : 0;
    if (!found)
        bones_let_go(out);
    return found;
}

bool bones_offered(const document *d, viewer *v, uint32_t file)
{
    input    look;
    uint32_t wanted = d->poor_bones;
    if (!d->poor || file >= v->file_count || file == d->file)
        return false;
    if (!v->files[file].looked && bones_read(&look, v, file))
        bones_let_go(&look);
    uint32_t has = v->files[file].bone_count;
    return has == wanted || (has > wanted && d->in.info->rest_from_skeleton);
}

static double length_between(const ember_mat34 *a, const ember_mat34 *b)
{
    double x = (double)a->m[3] - (double)b->m[3], y = (double)a->m[7] - (double)b->m[7],
           z = (double)a->m[11] - (double)b->m[11];
    return sqrt(x * x + y * y + z * z);
}

/* Whether the first frame's bones are as long as the skeleton's at rest. */
static bool lengths_fit(const document *d, const ember_model *lender)
{
    const ember_clip *clip = d->in.model.clip_count != 0 ? &d->in.model.clips[0] : NULL;
    ember_model       both = d->in.model;
    actor             rest, posed;
    double            sum = 0.0, off = 0.0;
    /* Lengths that come from the skeleton tell nothing. */
    if (clip == NULL || clip->frame_count == 0 || d->in.info->rest_from_skeleton ||
        lender->skeleton.bone_count != d->poor_bones)
        return false;
    both.skeleton = lender->skeleton;
    actor_open(&rest, lender, NULL, NULL);
    actor_open(&posed, &both, clip, NULL);
    ember_mat34 *pose = must_alloc(posed.bone_count, sizeof(*pose));
    bool         done = actor_pose(&posed, 0, pose);
    for (uint32_t i = 0; done && i < posed.bone_count; i++) {
        int16_t parent = lender->skeleton.parents[i];
        double  still = parent >= 0 ? length_between(&rest.rest[i], &rest.rest[parent]) : 0.0;
        sum += still;
        off += parent >= 0 ? fabs(length_between(&pose[i], &pose[parent]) - still) : 0.0;
    }
    free(pose);
    actor_close(&posed);
    actor_close(&rest);
    return done && sum > 0.0 && off <= LENGTHS_NEAR * sum;
}

static bool bones_rank_of(bones_rank *out, const document *d, viewer *v, uint32_t file)
{
    const viewer_file *own = &v->files[d->file], *other = &v->files[file];
    input              lender;
    if (!bones_offered(d, v, file) || !bones_read(&lender, v, file))
        return false;
    if (lengths_fit(d, &lender.model))
        out->fit = lender.model.mesh_count != 0 ? 0 : 1;
    else
        out->fit = lender.model.skeleton.bone_count == d->poor_bones ? 2 : 3;
    out->apart = own->batch != other->batch;
    /* Of two that are equally far, the one before. */
    out->distance =
        other->order < own->order ? 2 * (own->order - other->order) : 2 * (other->order - own->order) + 1;
    bones_let_go(&lender);
    return true;
}

static uint32_t bones_best(const document *d, viewer *v)
{
    uint32_t   best = BONES_NONE;
    bones_rank best_rank = {0, 0, 0}, rank;
    for (uint32_t i = 0; i < v->file_count; i++)
        if (bones_rank_of(&rank, d, v, i) && (best == BONES_NONE || rank_is_better(&rank, &best_rank))) {
            best = i;
            best_rank = rank;
        }
    return best;
}

static bool same_bones(const ember_skeleton *a, const ember_skeleton *b)
{
    bool same = a->bone_count == b->bone_count;
    for (uint32_t i = 0; same && i < a->bone_count; i++) {
        const char *x = ember_skeleton_name(a, i), *y = ember_skeleton_name(b, i);
        same =
            a->parents[i] == b->parents[i] && (x == NULL) == (y == NULL) && (x == NULL || strcmp(x, y) == 0);
    }
    return same;
}

static bool files_have_same_bones(viewer *v, uint32_t a, uint32_t b)
{
    input one, two;
    bool  same = false;
    if (!bones_read(&one, v, a))
        return false;
    if (bones_read(&two, v, b)) {
        same = same_bones(&one.model.skeleton, &two.model.skeleton);
        bones_let_go(&two);
    }
    bones_let_go(&one);
    return same;
}

uint32_t bones_wanted(const document *d, viewer *v)
{
    const viewer_file *own = &v->files[d->file];
    if (!d->poor || own->bones != BONES_AUTO)
        return d->poor ? own->bones : BONES_NONE;
    uint32_t best = bones_best(d, v);
    /* The reference knows better, unless it says the same: then the other may have meshes. */
    if (bones_offered(d, v, own->lent) && (best == BONES_NONE || !files_have_same_bones(v, best, own->lent)))
        return own->lent;
    return best;
}

void bones_take(document *d, viewer *v)
{
    ember_read_options reading = {.ff7 = &d->ff7};
    uint32_t           file = bones_wanted(d, v);
    d->helper_file = BONES_NONE;
    if (file == BONES_NONE)
        return;
    /* A copy of the other's own is read, so that neither document points into the other: either may be
       closed first. */
    if (bones_offered(d, v, file) && bones_read(&d->helper, v, file)) {
        input_share_skeleton(&d->in, &d->helper, &reading, &v->say);
        if (ember_skeleton_is_known(&d->in.model.skeleton)) {
            d->helper_file = file;
            say_note(&v->say, (place){d->in.name, NULL, NULL}, "its bones are those of %s", d->helper.name);
            return;
        }
        bones_let_go(&d->helper);
    }
    say_warning(&v->say, (place){d->in.name, NULL, NULL}, "%s has no bones that fit",
                file < v->file_count ? v->files[file].name : "the chosen file");
}
