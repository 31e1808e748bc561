/* SPDX-License-Identifier: MIT */
/* Golden hashes of what works on one transform, one limb or one clip: rotations, matrices, IK, mirroring,
   root motion. */
#include "golden.h"

#define ROUNDS 3000
#define BONES 23
#define FRAMES 17

static void single_rotations(void)
{
    golden_begin("quat_functions");
    golden_seed(20);
    for (int i = 0; i < ROUNDS; i++) {
        ember_quat a = golden_rotation(), b = golden_rotation();
        ember_vec3 v = golden_vector(3.0f), w = golden_vector(3.0f);
        float      t = golden_between(0.0f, 1.0f), angle = golden_between(-7.0f, 7.0f);
        golden_quat(ember_quat_mul(a, b));
        golden_quat(ember_quat_conjugate(a));
        golden_quat(ember_quat_normalize((ember_quat){v.x, v.y, v.z, w.x}));
        golden_quat(ember_quat_nlerp(a, b, t));
        golden_quat(ember_quat_slerp(a, b, t));
        golden_vec3(ember_quat_rotate(a, v));
        golden_quat(ember_quat_from_axis_angle(v, angle));
        golden_quat(ember_quat_between(v, w));
    }
}

static void single_transforms(void)
{
    golden_begin("transform_functions");
    golden_seed(21);
    for (int i = 0; i < ROUNDS; i++) {
        ember_transform a = golden_transform(false), b = golden_transform(false), made;
        float           t = golden_between(0.0f, 1.0f);
        if (i % 2 == 0)
            a.scale.y = a.scale.z = a.scale.x;
        made = ember_transform_lerp(&a, &b, t);
        golden_transforms(&made, 1);
        made = ember_transform_mul(&a, &b);
        golden_transforms(&made, 1);
        made = ember_transform_inverse(&a);
        golden_transforms(&made, 1);
        golden_vec3(ember_transform_point(&a, b.position));
    }
}

static void single_matrices(void)
{
    golden_begin("matrix_functions");
    golden_seed(22);
    for (int i = 0; i < ROUNDS; i++) {
        ember_transform a = golden_transform(false), b = golden_transform(false), apart;
        ember_mat34 m = ember_mat34_from_transform(&a), n = ember_mat34_from_transform(&b), product, inverse;
        uint8_t     has_inverse;
        product = ember_mat34_mul(&m, &n);
        has_inverse = ember_mat34_inverse(&inverse, &product) ? 1 : 0;
        ember_mat43 columns = ember_mat43_from_mat34(&product);
        ember_mat44 square = ember_mat44_from_mat34(&product);
        ember_mat34 back = ember_mat34_from_mat43(&columns), again = ember_mat34_from_mat44(&square);
        golden_mat34s(&m, 1);
        golden_mat34s(&product, 1);
        golden_mat34s(&inverse, 1);
        golden_mat34s(&back, 1);
        golden_mat34s(&again, 1);
        golden_floats(columns.m, 12);
        golden_floats(square.m, 16);
        golden_bytes(&has_inverse, 1);
        golden_vec3(ember_mat34_point(&m, b.position));
        golden_vec3(ember_mat34_direction(&m, b.position));
        golden_float(ember_mat34_decompose(&apart, &product));
        golden_transforms(&apart, 1);
    }
}

/* ---- jobs that are not lanes ---- */

static ember_transform pose[BONES], rest[BONES], got[BONES], frames[FRAMES * BONES], motion[FRAMES];
static ember_mat34     model[BONES], scratch[3 * BONES];
static int16_t         parents[BONES];

/* A chain of bones, each a little way from its parent. */
static void limb_fill(void)
{
    for (int i = 0; i < BONES; i++) {
        parents[i] = (int16_t)(i - 1);
        pose[i].rotation = golden_rotation();
        pose[i].position = golden_vector(1.0f);
        pose[i].scale = (ember_vec3){1.0f, 1.0f, 1.0f};
    }
    ember_compose_job compose = {model, pose, parents, NULL, BONES};
    golden_status(ember_compose_run(&compose));
}

static void single_decompose(void)
{
    golden_begin("decompose");
    golden_seed(23);
    for (int i = 0; i < 100; i++) {
        float shear = 0.0f;
        golden_pose(pose, BONES, false);
        golden_parents(parents, BONES);
        ember_compose_job   compose = {model, pose, parents, NULL, BONES};
        ember_decompose_job job = {got, model, parents, &shear, BONES, NULL};
        golden_status(ember_compose_run(&compose));
        golden_status(ember_decompose_run(&job));
        golden_transforms(got, BONES);
        golden_float(shear);
    }
}

static void single_reach(void)
{
    golden_begin("ik_two_bone");
    golden_seed(24);
    for (int i = 0; i < 500; i++) {
        bool    reached = false;
        uint8_t byte;
        limb_fill();
        ember_ik_two_bone_job job = {.pose = pose,
                                     .model = model,
                                     .parents = parents,
                                     .bone_count = BONES,
                                     .reached = &reached};
        job.start = golden_u32() % 5;
        job.mid = job.start + 1 + golden_u32() % 3;
        job.end = job.mid + 1 + golden_u32() % 3;
        job.target = golden_vector(4.0f);
        job.pole = i % 3 == 0 ? (ember_vec3){0.0f, 0.0f, 0.0f} : golden_vector(1.0f);
        job.twist = i % 2 == 0 ? 0.0f : golden_between(-3.0f, 3.0f);
        job.soften = i % 4 == 0 ? 0.0f : golden_between(0.5f, 1.0f);
        job.weight = i % 5 == 0 ? 1.0f : golden_between(0.0f, 1.0f);
        golden_status(ember_ik_two_bone_run(&job));
        golden_transforms(pose, BONES);
        byte = reached ? 1 : 0;
        golden_bytes(&byte, 1);
    }
}

static void single_aim(void)
{
    golden_begin("ik_aim");
    golden_seed(25);
    for (int i = 0; i < 500; i++) {
        limb_fill();
        ember_ik_aim_job job = {.pose = pose, .model = model, .parents = parents, .bone_count = BONES};
        job.bone = golden_u32() % BONES;
        job.target = golden_vector(5.0f);
        job.forward = golden_vector(1.0f);
        job.up = i % 3 == 0 ? (ember_vec3){0.0f, 0.0f, 0.0f} : golden_vector(1.0f);
        job.pole = golden_vector(1.0f);
        job.offset = i % 2 == 0 ? (ember_vec3){0.0f, 0.0f, 0.0f} : golden_vector(0.5f);
        job.weight = i % 5 == 0 ? 1.0f : golden_between(0.0f, 1.0f);
        golden_status(ember_ik_aim_run(&job));
        golden_transforms(pose, BONES);
    }
}

static void single_mirror(void)
{
    golden_begin("mirror");
    golden_seed(26);
    for (int i = 0; i < 100; i++) {
        uint16_t pairs[BONES];
        golden_parents(parents, BONES);
        for (int k = 0; k < BONES; k++) {
            rest[k] = golden_transform(false);
            pose[k] = golden_transform(false);
            rest[k].scale = pose[k].scale = (ember_vec3){1.0f, 1.0f, 1.0f};
            pairs[k] = (uint16_t)(k % 3 == 0 ? k : k % 3 == 1 ? (k + 1 < BONES ? k + 1 : k) : k - 1);
        }
        ember_mirror_job job = {got, pose, rest, parents, pairs, scratch, (ember_axis)(i % 3), BONES, NULL};
        golden_status(ember_mirror_run(&job));
        golden_transforms(got, BONES);
    }
}

static void single_motion(void)
{
    golden_begin("root_motion");
    golden_seed(27);
    for (int i = 0; i < 50; i++) {
        golden_pose(frames, FRAMES * BONES, false);
        ember_root_motion_job job =
            {frames,    motion, FRAMES, BONES, golden_u32() % BONES, golden_u32() % 8, (ember_axis)(i % 3),
             i % 2 == 0};
        golden_status(ember_root_motion_run(&job));
        golden_transforms(frames, FRAMES * BONES);
        golden_transforms(motion, FRAMES);
    }
}

void golden_single(void)
{
    single_rotations();
    single_transforms();
    single_matrices();
    single_decompose();
    single_reach();
    single_aim();
    single_mirror();
    single_motion();
}
