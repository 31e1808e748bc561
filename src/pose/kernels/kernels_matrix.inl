/* SPDX-License-Identifier: MIT */
/* Kernels on matrices, over the lane vocabulary: from transforms, down the hierarchy, palettes. Included once
   per instruction set by kernels_all.inl. */

#define ROWS_FLOATS 12u
#define COLUMNS_FLOATS 16u

/* ---- transforms to matrices ---- */

EMBERI_INLINE void matrices_rows(lanes m[12], const lanes q[4], const lanes position[3], const lanes scale[3])
{
    const lanes one = lanes_set(1.0f);
    lanes       x2 = lanes_add(q[0], q[0]), y2 = lanes_add(q[1], q[1]), z2 = lanes_add(q[2], q[2]);
    lanes       xx = lanes_mul(q[0], x2), yy = lanes_mul(q[1], y2), zz = lanes_mul(q[2], z2);
    lanes       xy = lanes_mul(q[0], y2), xz = lanes_mul(q[0], z2), yz = lanes_mul(q[1], z2);
    lanes       wx = lanes_mul(q[3], x2), wy = lanes_mul(q[3], y2), wz = lanes_mul(q[3], z2);
    m[0] = lanes_mul(lanes_sub(one, lanes_add(yy, zz)), scale[0]);
    m[1] = lanes_mul(lanes_sub(xy, wz), scale[1]);
    m[2] = lanes_mul(lanes_add(xz, wy), scale[2]);
    m[3] = position[0];
    m[4] = lanes_mul(lanes_add(xy, wz), scale[0]);
    m[5] = lanes_mul(lanes_sub(one, lanes_add(xx, zz)), scale[1]);
    m[6] = lanes_mul(lanes_sub(yz, wx), scale[2]);
    m[7] = position[1];
    m[8] = lanes_mul(lanes_sub(xz, wy), scale[0]);
    m[9] = lanes_mul(lanes_add(yz, wx), scale[1]);
    m[10] = lanes_mul(lanes_sub(one, lanes_add(xx, yy)), scale[2]);
    m[11] = position[2];
}

EMBERI_INLINE void matrices_block(float *out, const float *pose, size_t in_block)
{
    lanes q[4], low[4], high[4], m[12];
    lanes_load4(q, pose, BONE_FLOATS, in_block);
    lanes_load4(low, pose + 4, BONE_FLOATS, in_block);  /* position, scale x */
    lanes_load4(high, pose + 6, BONE_FLOATS, in_block); /* position z, scale */
    const lanes scale[3] = {low[3], high[2], high[3]};
    matrices_rows(m, q, low, scale);
    LANES_UNROLL
    for (size_t row = 0; row < ROWS_FLOATS; row += 4)
        lanes_store4(out + row, ROWS_FLOATS, in_block, m + row);
}

static void kernel_matrices(ember_mat34 *out, const ember_transform *pose, size_t count)
{
    FOR_BLOCKS(count, matrices_block((float *)(out + first), (const float *)(pose + first), in_block));
}

/* ---- the hierarchy ---- */

/* A parent's store reaches its child's load late. Often the parent is the bone before, which is still
   in registers. */
static void kernel_compose(ember_mat34 *matrices, const int16_t *parents, size_t count)
{
    rows last = rows_load(matrices[0].m);
    for (size_t i = 0; i < count; i++) {
        if (parents[i] < 0) {
            last = rows_load(matrices[i].m);
            continue;
        }
        size_t parent = (size_t)parents[i];
        if (parent + 1 != i)
            last = rows_load(matrices[parent].m);
        last = rows_mul(last, matrices[i].m);
        rows_store(matrices[i].m, last);
    }
}

/* Neighbours are of one level, and so do not wait for each other. */
static void kernel_compose_steps(ember_mat34 *matrices, const ember_rig_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float *bone = matrices[steps[i].bone].m;
        rows_store(bone, rows_mul_at(matrices[steps[i].parent].m, bone));
    }
}

/* ---- palettes ---- */

static void palette_rows(ember_mat34 *out, const ember_mat34 *model, const ember_mat34 *inverse_binds,
                         size_t count)
{
    for (const ember_mat34 *end = model + count; model != end; model++, inverse_binds++)
        rows_store((out++)->m, rows_mul_at(model->m, inverse_binds->m));
}

static void palette_columns(ember_mat44 *out, const ember_mat34 *model, const ember_mat34 *inverse_binds,
                            size_t count)
{
    size_t i = 0;
    for (; i + 2 <= count; i += 2)
        rows_product_columns2(out[i].m, model[i].m, inverse_binds[i].m);
    if (i < count)
        rows_store_columns(out[i].m, rows_mul_at(model[i].m, inverse_binds[i].m));
}

static void palette_both(ember_mat34 *out_rows, ember_mat44 *out_columns, const ember_mat34 *model,
                         const ember_mat34 *inverse_binds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rows product = rows_mul_at(model[i].m, inverse_binds[i].m);
        rows_store(out_rows[i].m, product);
        rows_store_columns(out_columns[i].m, product);
    }
}

static void kernel_palette(ember_mat34 *out_rows, ember_mat44 *out_columns, const ember_mat34 *model,
                           const ember_mat34 *inverse_binds, size_t count)
{
    if (out_columns == NULL)
        palette_rows(out_rows, model, inverse_binds, count);
    else if (out_rows == NULL)
        palette_columns(out_columns, model, inverse_binds, count);
    else
        palette_both(out_rows, out_columns, model, inverse_binds, count);
}

static void kernel_columns(ember_mat44 *out, const ember_mat34 *in, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rows_store_columns(out[i].m, rows_load(in[i].m));
}
