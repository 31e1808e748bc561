/* SPDX-License-Identifier: MIT */
/* Curves of errors. The worst bones have colours and names, the others are grey behind them. */
#include "verbs/preview/preview_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/text.h"
#include "scene/canvas.h"

#define WORST 10u
#define PLOT_PAPER 0xFCFBF8FFu
#define PLOT_INK 0x2B2F36FFu
#define PLOT_GRID 0xE3E1DBFFu
#define PLOT_OTHERS 0xC4C2BCFFu

static const uint32_t plot_colors[WORST] = {0xD1382CFFu, 0x2F6FB5FFu, 0xE08A1EFFu, 0x3B9A4FFFu, 0x8A4FB0FFu,
                                            0x1E9C9CFFu, 0xB5526FFFu, 0x7A6A2FFFu, 0x55606EFFu, 0x9C3D14FFu};

typedef struct plot_area {
    const plot  *p;
    ember_image *image;
    int          left, top, width, height;
    double       most; /* the highest error on the axis */
} plot_area;

typedef struct plot_bone {
    uint32_t bone;
    double   worst;
} plot_bone;

static int plot_compare(const void *a, const void *b)
{
    const plot_bone *x = a, *y = b;
    if (x->worst != y->worst)
        return x->worst < y->worst ? 1 : -1;
    return x->bone < y->bone ? -1 : 1;
}

static double plot_step(double most, int wanted)
{
    double rough = most / wanted, power = pow(10.0, floor(log10(rough))), part = rough / power;
    return (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0) * power;
}

static double plot_x(const plot_area *area, double frame)
{
    double last = area->p->frame_count > 1 ? (double)(area->p->frame_count - 1) : 1.0;
    return area->left + area->width * frame / last;
}

static double plot_y(const plot_area *area, double error)
{
    return area->top + area->height * (1.0 - (error < area->most ? error : area->most) / area->most);
}

static void plot_axes(const plot_area *area)
{
    double step = plot_step(area->most, 6), seconds = (double)(area->p->frame_count - 1) / area->p->fps;
    char   text[64];
    for (int i = 0; i * step <= area->most * 1.0001; i++) {
        double at = i * step;
        char   length[TEXT_NUMBER_SIZE];
        canvas_line(area->image, area->left, plot_y(area, at), area->left + area->width, plot_y(area, at),
                    1.0, PLOT_GRID);
        text_length(length, at);
        canvas_text(area->image, area->left - 10 - canvas_text_width(length, 2), (int)plot_y(area, at) - 7, 2,
                    PLOT_INK, length);
    }
    step = seconds > 0.0 ? plot_step(seconds, 8) : 1.0;
    for (int i = 0; i * step <= seconds * 1.0001; i++) {
        double at = i * step, x = plot_x(area, at * area->p->fps);
        canvas_line(area->image, x, area->top, x, area->top + area->height, 1.0, PLOT_GRID);
        snprintf(text, sizeof(text), "%g s", at);
        canvas_text(area->image, (int)x - canvas_text_width(text, 2) / 2, area->top + area->height + 12, 2,
                    PLOT_INK, text);
    }
    canvas_line(area->image, area->left, area->top, area->left, area->top + area->height, 2.0, PLOT_INK);
    canvas_line(area->image, area->left, area->top + area->height, area->left + area->width,
                area->top + area->height, 2.0, PLOT_INK);
}

static void plot_curve(const plot_area *area, uint32_t bone, double width, uint32_t color)
{
    const plot *p = area->p;
    for (uint32_t frame = 0; frame + 1 < p->frame_count; frame++) {
        double from = p->errors[(size_t)frame * p->bone_count + bone],
               to = p->errors[(size_t)(frame + 1) * p->bone_count + bone];
        if (from >= 0.0 && to >= 0.0)
            canvas_line(area->image, plot_x(area, frame), plot_y(area, from), plot_x(area, frame + 1.0),
                        plot_y(area, to), width, color);
    }
    if (p->frame_count == 1 && p->errors[bone] >= 0.0)
        canvas_line(area->image, area->left, plot_y(area, p->errors[bone]), area->left + area->width,
                    plot_y(area, p->errors[bone]), width, color);
}

static void plot_legend(const plot_area *area, const plot_bone *order, uint32_t named)
{
    int x = area->left + area->width + 24, y = area->top;
    for (uint32_t i = 0; i < named; i++, y += 44) {
        const char *name = area->p->names[order[i].bone];
        char        made[32], length[TEXT_NUMBER_SIZE];
        snprintf(made, sizeof(made), "bone %u", (unsigned)order[i].bone);
        canvas_fill(area->image, x, y + 2, 14, 14, plot_colors[i]);
        canvas_text_within(area->image, x + 22, y, 2, (int)area->image->width - x - 30, PLOT_INK,
                           name != NULL ? name : made);
        text_length(length, order[i].worst);
        canvas_text(area->image, x + 22, y + 20, 1, PLOT_INK, length);
    }
}

ember_image plot_draw(const plot *p, uint32_t width, uint32_t height)
{
    ember_image image = canvas_make(width, height, PLOT_PAPER);
    plot_bone  *order = must_alloc(p->bone_count, sizeof(*order));
    plot_area   area = {.p = p,
                        .image = &image,
                        .left = 120,
                        .top = 64,
                        .width = (int)width - 120 - 270,
                        .height = (int)height - 64 - 56,
                        .most = 0.0};
    for (uint32_t bone = 0; bone < p->bone_count; bone++) {
        order[bone] = (plot_bone){bone, -1.0};
        for (uint32_t frame = 0; frame < p->frame_count; frame++) {
            double error = p->errors[(size_t)frame * p->bone_count + bone];
            if (isfinite(error) && error > order[bone].worst)
                order[bone].worst = error;
        }
        area.most = order[bone].worst > area.most ? order[bone].worst : area.most;
    }
    if (!(area.most > 0.0))
        area.most = 0.001;
    qsort(order, p->bone_count, sizeof(*order), plot_compare);
    uint32_t named = 0;
    while (named < WORST && named < p->bone_count && order[named].worst >= 0.0)
        named++;
    canvas_text_within(&image, 24, 22, 2, (int)width - 48, PLOT_INK, p->title);
    plot_axes(&area);
    for (uint32_t i = p->bone_count; i-- > named;)
        plot_curve(&area, order[i].bone, 1.0, PLOT_OTHERS);
    for (uint32_t i = named; i-- > 0;)
        plot_curve(&area, order[i].bone, 2.0, plot_colors[i]);
    plot_legend(&area, order, named);
    free(order);
    return image;
}
