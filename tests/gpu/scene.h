/* SPDX-License-Identifier: MIT */
/* Small scenes for the renderer's tests, and where things should be in them, worked out in double precision
   by formulas of the test's own: nothing here calls the library's mathematics. A mesh is made of markers,
   squares of a colour each; a marker's vertices share bones and weights, so its middle goes where the
   formula says. */
#ifndef EMBER_TEST_GPU_SCENE_H
#define EMBER_TEST_GPU_SCENE_H

#include "testing.h"

#include <math.h>

#include "ember/renderer.h"

#define SIDE 160         /* pixels of the picture */
#define REACH 4.0        /* the picture shows -REACH..REACH */
#define MARKER_HALF 0.16 /* about three pixels */
#define MARKERS_MOST 16
#define BACKGROUND 0x102030FFu

/* ---- matrices in double: m[row][column], the last row understood ---- */

typedef struct mat {
    double m[3][4];
} mat;

static const mat mat_identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static inline mat mat_mul(mat a, mat b)
{
    mat out;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            out.m[r][c] = c == 3 ? a.m[r][3] : 0.0;
            for (int k = 0; k < 3; k++)
                out.m[r][c] += a.m[r][k] * b.m[k][c];
        }
    return out;
}

static inline mat mat_move(double x, double y, double z)
{
    return (mat){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
}
static inline mat mat_scale(double x, double y, double z)
{
    return (mat){{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}}};
}
static inline mat mat_turn_z(double a)
{
    return (mat){{{cos(a), -sin(a), 0, 0}, {sin(a), cos(a), 0, 0}, {0, 0, 1, 0}}};
}
static inline mat mat_turn_y(double a)
{
    return (mat){{{cos(a), 0, sin(a), 0}, {0, 1, 0, 0}, {-sin(a), 0, cos(a), 0}}};
}

static inline void mat_point(const mat *a, const double p[3], double out[3])
{
    for (int r = 0; r < 3; r++)
        out[r] = a->m[r][0] * p[0] + a->m[r][1] * p[1] + a->m[r][2] * p[2] + a->m[r][3];
}

static inline ember_mat34 mat_f32(mat a)
{
    ember_mat34 out;
    for (int i = 0; i < 12; i++)
        out.m[i] = (float)a.m[i / 4][i % 4];
    return out;
}

/* ---- meshes of markers ---- */

typedef struct marker {
    double   at[3];
    uint32_t color; /* 0xRRGGBBFF */
    uint16_t joints[4];
    double   weights[4];
} marker;

typedef struct marker_mesh {
    ember_mesh mesh;
    ember_vec3 positions[MARKERS_MOST * 4];
    float      colors[MARKERS_MOST * 4][4];
    uint16_t   joints[MARKERS_MOST * 4][4];
    float      weights[MARKERS_MOST * 4][4];
    uint32_t   indices[MARKERS_MOST * 6];
} marker_mesh;

static inline double linear_of(uint32_t byte)
{
    double s = byte / 255.0;
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

static inline uint32_t byte_of(double linear)
{
    double s = linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
    return (uint32_t)(s * 255.0 + 0.5);
}

static inline void markers_make(marker_mesh *out, const marker *markers, uint32_t count, bool skinned)
{
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    memset(out, 0, sizeof(*out));
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t v = i * 4 + k;
            out->positions[v] =
                (ember_vec3){(float)(markers[i].at[0] + (k == 1 || k == 2 ? MARKER_HALF : -MARKER_HALF)),
                             (float)(markers[i].at[1] + (k >= 2 ? MARKER_HALF : -MARKER_HALF)),
                             (float)markers[i].at[2]};
            for (int c = 0; c < 4; c++) {
                out->colors[v][c] = (float)linear_of(markers[i].color >> (24 - 8 * c) & 0xFF);
                out->joints[v][c] = markers[i].joints[c];
                out->weights[v][c] = (float)markers[i].weights[c];
            }
        }
        for (uint32_t k = 0; k < 6; k++)
            out->indices[i * 6 + k] = i * 4 + corners[k];
    }
    out->mesh = (ember_mesh){.name = "markers",
                             .vertex_count = count * 4,
                             .positions = out->positions,
                             .colors = (const float(*)[4])out->colors,
                             .index_count = count * 6,
                             .indices = out->indices,
                             .bone = -1,
                             .base_color = {1, 1, 1, 1}};
    if (skinned) {
        out->mesh.joints = (const uint16_t(*)[4])out->joints;
        out->mesh.weights = (const float(*)[4])out->weights;
    }
}

/* ---- the picture ---- */

typedef struct scene {
    ember_renderer *renderer;
    ember_draw_list list;
    ember_draw      draws[64];
    uint8_t         pixels[SIDE * SIDE * 4];
} scene;

/* False where there is no renderer on this machine, with a word. */
static inline bool scene_open_with(scene *s, uint32_t samples)
{
    ember_error            err = EMBER_ERROR_INIT;
    ember_renderer_options options = {.allocator = ember_heap(),
                                      .width = SIDE,
                                      .height = SIDE,
                                      .samples = samples,
                                      .headless = true};
    memset(s, 0, sizeof(*s));
    if (ember_renderer_create(&s->renderer, &options, &err) != EMBER_OK) {
        assert_int_equal(err.status, EMBER_E_UNSUPPORTED);
        print_message("skipped: %s\n", err.text);
        return false;
    }
    ember_renderer_show(s->renderer, EMBER_SHOW_FLAT);
    s->list.view = mat_f32(mat_identity);
    /* Parallel: x and y from -REACH to REACH, z the same. */
    s->list.projection = (ember_mat44){
        {(float)(1 / REACH), 0, 0, 0, 0, (float)(1 / REACH), 0, 0, 0, 0, (float)(-1 / REACH), 0, 0, 0, 0, 1}};
    s->list.clear_color = BACKGROUND;
    s->list.draws = s->draws;
    return true;
}

static inline void scene_close(scene *s) { ember_renderer_destroy(s->renderer); }

static inline uint32_t scene_add(scene *s, const ember_mesh *mesh)
{
    uint32_t    number = UINT32_MAX;
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_renderer_add_mesh(s->renderer, mesh, &number, &err), EMBER_OK);
    return number;
}

static inline ember_draw *scene_draw(scene *s, ember_draw_branch branch, uint32_t mesh)
{
    ember_draw *draw = &s->draws[s->list.draw_count++];
    *draw = (ember_draw){.branch = branch,
                         .mesh = mesh,
                         .transform = mat_f32(mat_identity),
                         .skeleton = -1,
                         .color = 0xFFFFFFFFu};
    return draw;
}

static inline void scene_show(scene *s)
{
    ember_error err = EMBER_ERROR_INIT;
    if (ember_renderer_draw(s->renderer, &s->list, &err) != EMBER_OK)
        fail_msg("draw: %s", err.text);
    assert_int_equal(ember_renderer_read(s->renderer, s->pixels, sizeof(s->pixels)), EMBER_OK);
}

static inline uint32_t scene_pixel(const scene *s, int x, int y)
{
    const uint8_t *p = s->pixels + ((size_t)y * SIDE + (size_t)x) * 4;
    assert_true(x >= 0 && y >= 0 && x < SIDE && y < SIDE);
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | 0xFFu;
}

/* ---- where markers should be ---- */

typedef struct expected {
    uint32_t count;
    struct {
        double   x, y; /* pixels */
        uint32_t color;
    } at[64];
} expected;

/* A place in the scene's parallel picture. */
static inline void expect(expected *e, const double p[3], uint32_t color)
{
    e->at[e->count].x = (p[0] / REACH * 0.5 + 0.5) * SIDE;
    e->at[e->count].y = (0.5 - p[1] / REACH * 0.5) * SIDE;
    e->at[e->count++].color = color;
}

static inline int channel_off(uint32_t a, uint32_t b)
{
    int most = 0;
    for (int shift = 8; shift <= 24; shift += 8) {
        int off = abs((int)(a >> shift & 0xFF) - (int)(b >> shift & 0xFF));
        most = off > most ? off : most;
    }
    return most;
}

/* Every marker's middle has its colour, and whatever is not background belongs to a marker: within `reach`
   pixels, of its colour. */
static inline void check_markers(const scene *s, const expected *e, double reach)
{
    for (uint32_t i = 0; i < e->count; i++) {
        uint32_t seen = scene_pixel(s, (int)floor(e->at[i].x), (int)floor(e->at[i].y));
        if (channel_off(seen, e->at[i].color) > 1)
            fail_msg("marker %u at %.1f, %.1f should be %08x, but there is %08x", i, e->at[i].x, e->at[i].y,
                     e->at[i].color, seen);
    }
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            uint32_t seen = scene_pixel(s, x, y);
            bool     known = seen == BACKGROUND;
            for (uint32_t i = 0; !known && i < e->count; i++)
                known = hypot(x + 0.5 - e->at[i].x, y + 0.5 - e->at[i].y) < reach &&
                        channel_off(seen, e->at[i].color) <= 1;
            if (!known)
                fail_msg("there is %08x at %d, %d, where nothing should be", seen, x, y);
        }
}

#define MARKER_REACH (MARKER_HALF / REACH / 2.0 * SIDE * 1.4143 + 1.5)

#endif
