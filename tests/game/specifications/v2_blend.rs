// SPDX-License-Identifier: MIT
//! Version 2's blend example as it prints it, and below it the loading and the exports. The test sets BONE_COUNT to the example character's.
#![allow(static_mut_refs, unknown_lints, dead_code, unused_unsafe)]

mod ember_game;
use ember_game::v2::*;

const BONE_COUNT: usize = 40;

// Keyframe buffers (40 bytes per bone: 4×4 rotation + 3×4 position + 3×4 scale)
static mut BUF_A: [BoneTransform; BONE_COUNT] = [BoneTransform::ZERO; BONE_COUNT];
static mut BUF_B: [BoneTransform; BONE_COUNT] = [BoneTransform::ZERO; BONE_COUNT];
static mut MATRICES: [[f32; 16]; BONE_COUNT] = [[0.0; 16]; BONE_COUNT];

fn render() {
    unsafe {
        let time = elapsed_time();
        let fps = 30.0;
        let frame_count = keyframes_frame_count(WALK_ANIM) as u32;

        // Calculate frame indices and blend factor
        let frame_f = time * fps;
        let frame_a = (frame_f.floor() as u32) % frame_count;
        let frame_b = (frame_a + 1) % frame_count;
        let blend = frame_f.fract();

        // Pull decoded keyframes from ROM
        keyframe_read(WALK_ANIM, frame_a, BUF_A.as_mut_ptr() as u32);
        keyframe_read(WALK_ANIM, frame_b, BUF_B.as_mut_ptr() as u32);

        // Blend and build matrices
        for i in 0..BONE_COUNT {
            let blended = BoneTransform {
                rotation: nlerp(BUF_A[i].rotation, BUF_B[i].rotation, blend),
                position: lerp3(BUF_A[i].position, BUF_B[i].position, blend),
                scale: lerp3(BUF_A[i].scale, BUF_B[i].scale, blend),  // XYZ scale
            };
            MATRICES[i] = build_bone_matrix_4x4(&blended);
        }

        // Upload and draw
        skeleton_bind(SKELETON);
        set_bones_4x4(MATRICES.as_ptr() as u32, BONE_COUNT as u32);
        draw_mesh(PLAYER_MESH);
    }
}

fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

fn lerp3(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    [lerp(a[0], b[0], t), lerp(a[1], b[1], t), lerp(a[2], b[2], t)]
}

fn nlerp(a: [f32; 4], b: [f32; 4], t: f32) -> [f32; 4] {
    // Flip if negative dot (shorter path)
    let dot = a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3];
    let b = if dot < 0.0 { [-b[0], -b[1], -b[2], -b[3]] } else { b };

    let result = [
        lerp(a[0], b[0], t),
        lerp(a[1], b[1], t),
        lerp(a[2], b[2], t),
        lerp(a[3], b[3], t),
    ];

    // Normalize
    let len = (result[0]*result[0] + result[1]*result[1] +
               result[2]*result[2] + result[3]*result[3]).sqrt();
    [result[0]/len, result[1]/len, result[2]/len, result[3]/len]
}

fn build_bone_matrix_4x4(t: &BoneTransform) -> [f32; 16] {
    let [qx, qy, qz, qw] = t.rotation;
    let [px, py, pz] = t.position;
    let [sx, sy, sz] = t.scale;  // Non-uniform XYZ scale

    let xx = qx * qx;
    let yy = qy * qy;
    let zz = qz * qz;
    let xy = qx * qy;
    let xz = qx * qz;
    let yz = qy * qz;
    let wx = qw * qx;
    let wy = qw * qy;
    let wz = qw * qz;

    [
        // Column 0 (scaled by sx)
        sx * (1.0 - 2.0 * (yy + zz)),
        sx * (2.0 * (xy + wz)),
        sx * (2.0 * (xz - wy)),
        0.0,
        // Column 1 (scaled by sy)
        sy * (2.0 * (xy - wz)),
        sy * (1.0 - 2.0 * (xx + zz)),
        sy * (2.0 * (yz + wx)),
        0.0,
        // Column 2 (scaled by sz)
        sz * (2.0 * (xz + wy)),
        sz * (2.0 * (yz - wx)),
        sz * (1.0 - 2.0 * (xx + yy)),
        0.0,
        // Column 3 (translation)
        px,
        py,
        pz,
        1.0,
    ]
}

// ---- the game's own ----

static mut WALK_ANIM: u32 = 0;
static mut SKELETON: u32 = 0;
static mut PLAYER_MESH: u32 = 0;

fn init() {
    unsafe {
        PLAYER_MESH = rom_mesh(b"player".as_ptr(), 6);
        SKELETON = rom_skeleton(b"player".as_ptr(), 6);
        WALK_ANIM = rom_keyframes(b"walk".as_ptr(), 4);
    }
}

// ---- the exports ----

#[export_name = "init"]
pub extern "C" fn export_init() {
    init()
}
#[export_name = "render"]
pub extern "C" fn export_render() {
    render()
}
