// SPDX-License-Identifier: MIT
//! The first draft's blend and stamp examples as it prints them, but for one type (decode_keyframe takes the slice that its example hands over);
//! below them what a game adds: what the draft leaves to it, and its exports. The test sets BONE_COUNT to the example character's.
#![allow(static_mut_refs, unknown_lints, dead_code, unused_unsafe)]

mod ember_game;
use ember_game::draft::*;

/// Decode smallest-three quaternion to [x, y, z, w]
fn decode_quat_smallest_three(packed: u32) -> [f32; 4] {
    let largest_idx = (packed & 0b11) as usize;

    // Extract 10-bit components
    let uc = ((packed >> 2) & 0x3FF) as i32 - 512;
    let ub = ((packed >> 12) & 0x3FF) as i32 - 512;
    let ua = ((packed >> 22) & 0x3FF) as i32 - 512;

    // Dequantize
    let scale = 0.7071067811865476 / 511.0;
    let a = ua as f32 * scale;
    let b = ub as f32 * scale;
    let c = uc as f32 * scale;

    // Reconstruct largest component
    let sum_sq = a * a + b * b + c * c;
    let largest = (1.0 - sum_sq).max(0.0).sqrt();

    // Rebuild quaternion
    match largest_idx {
        0 => [largest, a, b, c],       // x was largest
        1 => [a, largest, b, c],       // y was largest
        2 => [a, b, largest, c],       // z was largest
        _ => [a, b, c, largest],       // w was largest
    }
}

/// Convert f32 to f16 bits (simplified, handles common cases)
fn f32_to_f16_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let exp = ((bits >> 23) & 0xFF) as i32 - 127 + 15;
    let mantissa = bits & 0x7FFFFF;

    if exp <= 0 {
        // Denormal or zero
        if exp < -10 {
            return sign as u16; // Too small, return signed zero
        }
        let m = (mantissa | 0x800000) >> (1 - exp);
        return (sign | (m >> 13)) as u16;
    } else if exp >= 31 {
        // Overflow to infinity
        return (sign | 0x7C00) as u16;
    }

    (sign | ((exp as u32) << 10) | (mantissa >> 13)) as u16
}

/// Convert f16 bits to f32
fn f16_bits_to_f32(bits: u16) -> f32 {
    let sign = ((bits & 0x8000) as u32) << 16;
    let exp = (bits >> 10) & 0x1F;
    let mantissa = (bits & 0x3FF) as u32;

    let result = if exp == 0 {
        if mantissa == 0 {
            sign // Zero
        } else {
            // Denormal
            let mut m = mantissa;
            let mut e = 1u32;
            while (m & 0x400) == 0 {
                m <<= 1;
                e += 1;
            }
            let exp32 = (127 - 15 - e + 1) << 23;
            sign | exp32 | ((m & 0x3FF) << 13)
        }
    } else if exp == 31 {
        sign | 0x7F800000 | (mantissa << 13) // Inf or NaN
    } else {
        let exp32 = ((exp as u32) - 15 + 127) << 23;
        sign | exp32 | (mantissa << 13)
    };

    f32::from_bits(result)
}

/// Decode platform keyframe to transform components
fn decode_keyframe(data: &[u8]) -> BoneTransform {
    // Bytes 0-3: rotation (smallest-three)
    let rot_packed = u32::from_le_bytes([data[0], data[1], data[2], data[3]]);
    let rotation = decode_quat_smallest_three(rot_packed);

    // Bytes 4-9: position (3 × f16)
    let px = f16_bits_to_f32(u16::from_le_bytes([data[4], data[5]]));
    let py = f16_bits_to_f32(u16::from_le_bytes([data[6], data[7]]));
    let pz = f16_bits_to_f32(u16::from_le_bytes([data[8], data[9]]));

    // Bytes 10-11: scale (f16)
    let scale = f16_bits_to_f32(u16::from_le_bytes([data[10], data[11]]));

    BoneTransform {
        rotation,
        position: [px, py, pz],
        scale,
    }
}

struct BoneTransform {
    rotation: [f32; 4],  // Quaternion [x, y, z, w]
    position: [f32; 3],  // Translation
    scale: f32,          // Uniform scale
}

/// Build 3×4 affine matrix from transform components
/// Output is row-major: [[r00, r01, r02, tx], [r10, r11, r12, ty], [r20, r21, r22, tz]]
fn build_bone_matrix(t: &BoneTransform) -> [f32; 12] {
    let [qx, qy, qz, qw] = t.rotation;
    let [px, py, pz] = t.position;
    let s = t.scale;

    // Rotation matrix from quaternion (scaled)
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
        // Row 0
        s * (1.0 - 2.0 * (yy + zz)),
        s * (2.0 * (xy - wz)),
        s * (2.0 * (xz + wy)),
        px,
        // Row 1
        s * (2.0 * (xy + wz)),
        s * (1.0 - 2.0 * (xx + zz)),
        s * (2.0 * (yz - wx)),
        py,
        // Row 2
        s * (2.0 * (xz - wy)),
        s * (2.0 * (yz + wx)),
        s * (1.0 - 2.0 * (xx + yy)),
        pz,
    ]
}

// Game state
static mut ANIM_STATE: AnimState = AnimState::new();
static mut KEYFRAME_BUF_A: [u8; 480] = [0u8; 480]; // 40 bones × 12 bytes
static mut KEYFRAME_BUF_B: [u8; 480] = [0u8; 480];
static mut BONE_MATRICES: [f32; 480] = [0.0; 480];  // 40 bones × 12 floats (3×4)

const BONE_COUNT: usize = 40;

fn update_animation() {
    unsafe {
        let state = &mut ANIM_STATE;

        // Advance time
        state.time += DELTA_TIME;

        // Calculate frame indices and blend factor
        let frame_f = state.time * state.fps;
        let frame_a = frame_f.floor() as u32;
        let frame_b = frame_a + 1;
        let blend = frame_f.fract();

        // Pull keyframes from ROM
        read_frame(state.clip_handle, frame_a, KEYFRAME_BUF_A.as_mut_ptr());
        read_frame(state.clip_handle, frame_b, KEYFRAME_BUF_B.as_mut_ptr());

        // Blend and build matrices
        for i in 0..BONE_COUNT {
            let offset = i * 12;

            // Decode keyframes
            let kf_a = decode_keyframe(&KEYFRAME_BUF_A[offset..offset+12]);
            let kf_b = decode_keyframe(&KEYFRAME_BUF_B[offset..offset+12]);

            // Blend (lerp position/scale, slerp rotation)
            let blended = BoneTransform {
                rotation: slerp(kf_a.rotation, kf_b.rotation, blend),
                position: lerp3(kf_a.position, kf_b.position, blend),
                scale: lerp(kf_a.scale, kf_b.scale, blend),
            };

            // Build matrix
            let mat = build_bone_matrix(&blended);
            BONE_MATRICES[i*12..(i+1)*12].copy_from_slice(&mat);
        }

        // Upload to GPU
        set_bones(BONE_MATRICES.as_ptr(), BONE_COUNT as u32);
    }
}

fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

fn lerp3(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    [lerp(a[0], b[0], t), lerp(a[1], b[1], t), lerp(a[2], b[2], t)]
}

fn slerp(a: [f32; 4], b: [f32; 4], t: f32) -> [f32; 4] {
    // Simplified slerp (nlerp for small angles is often sufficient)
    let dot = a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3];

    // Flip if negative dot (take shorter path)
    let b = if dot < 0.0 { [-b[0], -b[1], -b[2], -b[3]] } else { b };

    // Linear interpolate and normalize
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

static mut CURRENT_FRAME: u32 = 0;
static mut FRAME_TIMER: f32 = 0.0;

const FRAME_DURATION: f32 = 1.0 / 12.0; // 12 fps animation

fn update_animation_stamp() {
    unsafe {
        FRAME_TIMER += DELTA_TIME;

        if FRAME_TIMER >= FRAME_DURATION {
            FRAME_TIMER -= FRAME_DURATION;
            CURRENT_FRAME += 1;

            // Wrap at end of clip
            let info = get_clip_info(CLIP_HANDLE);
            if CURRENT_FRAME >= info.frame_count {
                CURRENT_FRAME = 0;
            }
        }

        // Direct ROM → GPU, no WASM memory used
        set_bones_from_clip(CLIP_HANDLE, CURRENT_FRAME);
    }
}

// ---- the game's own ----

const DELTA_TIME: f32 = 1.0 / 60.0;

struct AnimState {
    time: f32,
    fps: f32,
    clip_handle: u32,
}
impl AnimState {
    const fn new() -> AnimState {
        AnimState { time: 0.0, fps: 30.0, clip_handle: 0 }
    }
}

struct ClipInfo {
    frame_count: u32,
}
unsafe fn get_clip_info(clip: u32) -> ClipInfo {
    let mut bytes = [0u8; 12];
    clip_info(clip, bytes.as_mut_ptr());
    ClipInfo { frame_count: u16::from_le_bytes([bytes[2], bytes[3]]) as u32 }
}

static mut CLIP_HANDLE: u32 = 0;
static mut MESH: u32 = 0;
static mut SKELETON: u32 = 0;
static mut FILE: [u8; 16384] = [0; 16384];

#[no_mangle]
pub unsafe extern "C" fn init() {
    let size = rom_data(b"walk.eza".as_ptr(), 8, FILE.as_mut_ptr(), 16384);
    CLIP_HANDLE = load_clip(FILE.as_ptr(), size);
    ANIM_STATE.clip_handle = CLIP_HANDLE;
    MESH = rom_mesh(b"player".as_ptr(), 6);
    SKELETON = rom_skeleton(b"player".as_ptr(), 6);
}

#[no_mangle]
pub unsafe extern "C" fn render() {
    skeleton_bind(SKELETON);
    push_translate(-1.0, 0.0, 0.0);
    update_animation_stamp();
    draw_mesh(MESH);
    push_translate(2.0, 0.0, 0.0);
    update_animation();
    draw_mesh(MESH);
}
