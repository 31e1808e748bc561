/* SPDX-License-Identifier: MIT */
/* Axes, units and rate of a document. What makes no sense is as if it were not there. */
#include "format/fbx/fbx_scene.h"

static uint32_t settings_record(const fbx_document *doc)
{
    uint32_t record = emberi_fbx_child(&doc->file, 0, "GlobalSettings");
    if (record == FBX_NONE)
        record = emberi_fbx_child(&doc->file, emberi_fbx_child(&doc->file, 0, "Objects"), "GlobalSettings");
    return record;
}

static double settings_rate(int64_t mode, double custom)
{
    static const double rates[18] = {30,         120, 100, 60,   50,         48, 30, 30, 30 / 1.001,
                                     30 / 1.001, 25,  24,  1000, 24 / 1.001, 0,  96, 72, 60 / 1.001};
    if (mode == 14)
        return custom > 0.0 && custom <= 100000.0 ? custom : 30.0;
    return mode >= 0 && mode < 18 ? rates[mode] : 30.0;
}

static void settings_axes(fbx_settings *out, const int64_t axes[3], const int64_t signs[3])
{
    bool used[3] = {false, false, false};
    out->axes = emberi_real_mat_identity;
    for (int i = 0; i < 3; i++) {
        if (axes[i] < 0 || axes[i] > 2 || used[axes[i]])
            return;
        used[axes[i]] = true;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out->axes.m[i][k] = axes[i] != k ? 0.0 : signs[i] < 0 ? -1.0 : 1.0;
}

void emberi_fbx_settings_read(const fbx_document *doc, fbx_settings *out)
{
    int64_t  axes[3] = {0, 1, 2}, signs[3] = {1, 1, 1}, mode = 0;
    double   unit = 1.0, custom = 0.0;
    fbx_want wants[] = {{.name = "CoordAxis", .whole = &axes[0]},
                        {.name = "CoordAxisSign", .whole = &signs[0]},
                        {.name = "UpAxis", .whole = &axes[1]},
                        {.name = "UpAxisSign", .whole = &signs[1]},
                        {.name = "FrontAxis", .whole = &axes[2]},
                        {.name = "FrontAxisSign", .whole = &signs[2]},
                        {.name = "UnitScaleFactor", .reals = &unit, .count = 1},
                        {.name = "TimeMode", .whole = &mode},
                        {.name = "CustomFrameRate", .reals = &custom, .count = 1}};
    emberi_fbx_record_properties(doc, settings_record(doc), wants, sizeof(wants) / sizeof(wants[0]));
    settings_axes(out, axes, signs);
    if (!(unit > 1e-9 && unit < 1e9))
        unit = 1.0;
    out->unit = unit / 100.0;
    out->fps = settings_rate(mode, custom);
    out->fps_known = wants[7].found;
}
