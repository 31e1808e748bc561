/* SPDX-License-Identifier: MIT */
/* `ember info --frame`: the values of all bones in one frame. */
#include <stdio.h>

#include "cli/json_text.h"
#include "cli/table.h"
#include "files/pick.h"
#include "files/values.h"
#include "verbs/info/info.h"

bool info_wants_frame(const info_job *job, const ember_model *model, uint32_t clip)
{
    return job->framed && (job->clip == NULL || pick_matches(model, clip, job->clip));
}

static bool frame_is_there(info_job *job, const char *file, const ember_clip *clip)
{
    if (job->frame < clip->frame_count)
        return true;
    job->failed = true;
    say_error(job->say, (place){file, clip->name, NULL}, "there is no frame %u: it has %u",
              (unsigned)job->frame, (unsigned)clip->frame_count);
    return false;
}

bool info_print_frame(info_job *job, const char *file, const ember_model *model, uint32_t index,
                      const void *data, size_t size)
{
    static const char *const heads[] = {"#",  "bone", "rx", "ry", "rz", "px",
                                        "py", "pz",   "sx", "sy", "sz", "stored"};
    const ember_clip        *clip = &model->clips[index];
    const values_source      source = {model, clip, data, size};
    app_table                table = {"rlrrrrrrrrrl", NULL, 0, 0};
    if (!frame_is_there(job, file, clip))
        return false;
    printf("  frame %u of %s, in %s space\n", (unsigned)job->frame,
           clip->name[0] != '\0' ? clip->name : "(unnamed)", info_space(clip));
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        table_cell(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        uint32_t    bone = ember_clip_bone(clip, i);
        const char *name = ember_skeleton_name(&model->skeleton, bone);
        char        number[VALUES_NUMBER_SIZE];
        values      v;
        values_get(&v, &source, job->frame, i);
        const ember_vec3 *p = &v.transform.position, *s = &v.transform.scale;
        const float       rest[6] = {p->x, p->y, p->z, s->x, s->y, s->z};
        table_cell(&table, "%u", (unsigned)bone);
        table_cell(&table, "%s", name != NULL ? name : "-");
        for (int k = 0; k < 3; k++)
            table_cell(&table, "%s", values_number(number, v.degrees[k], 2));
        for (int k = 0; k < 6; k++)
            table_cell(&table, "%s", values_number(number, (double)rest[k], 4));
        table_cell(&table, "%s", v.stored[0] != '\0' ? v.stored : "-");
    }
    table_print(&table, "  ");
    return true;
}

json_t *info_frame_json(info_job *job, const char *file, const ember_model *model, uint32_t index,
                        const void *data, size_t size)
{
    const ember_clip   *clip = &model->clips[index];
    const values_source source = {model, clip, data, size};
    json_t             *frame = json_object(), *bones = json_array();
    json_put(frame, "frame", json_count(job->frame));
    uint32_t count = frame_is_there(job, file, clip) ? clip->bone_count : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bone = ember_clip_bone(clip, i);
        json_t  *object = json_object(), *degrees = json_array();
        values   v;
        values_get(&v, &source, job->frame, i);
        json_put(object, "index", json_count(bone));
        json_put(object, "name", json_text(ember_skeleton_name(&model->skeleton, bone)));
        json_put(object, "stored", v.stored[0] != '\0' ? json_text(v.stored) : json_null());
        for (int k = 0; k < 3; k++)
            json_add(degrees, json_number(v.degrees[k]));
        json_put(object, "degrees", degrees);
        json_put(object, "transform", json_transform(&v.transform));
        json_add(bones, object);
    }
    json_put(frame, "bones", bones);
    return frame;
}
