// SPDX-License-Identifier: MIT
//! Version 2's stamp example as it prints it, and its exports.
#![allow(static_mut_refs, unknown_lints, dead_code, unused_unsafe)]

mod ember_game;
use ember_game::v2::*;

// Game state
static mut WALK_ANIM: u32 = 0;
static mut SKELETON: u32 = 0;
static mut PLAYER_MESH: u32 = 0;
static mut FRAME_TIMER: f32 = 0.0;
static mut CURRENT_FRAME: u32 = 0;

const FRAME_DURATION: f32 = 1.0 / 12.0; // 12 fps playback

fn init() {
    unsafe {
        PLAYER_MESH = rom_mesh(b"player".as_ptr(), 6);
        SKELETON = rom_skeleton(b"player".as_ptr(), 6);
        WALK_ANIM = rom_keyframes(b"walk".as_ptr(), 4);
    }
}

fn render() {
    unsafe {
        // Advance frame (step-based, no interpolation)
        FRAME_TIMER += delta_time();
        if FRAME_TIMER >= FRAME_DURATION {
            FRAME_TIMER -= FRAME_DURATION;
            CURRENT_FRAME = (CURRENT_FRAME + 1) % keyframes_frame_count(WALK_ANIM) as u32;
        }

        // Bind skeleton and keyframe
        skeleton_bind(SKELETON);
        keyframe_bind(WALK_ANIM, CURRENT_FRAME);

        // Draw
        draw_mesh(PLAYER_MESH);
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
