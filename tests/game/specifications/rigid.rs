// SPDX-License-Identifier: MIT
//! The rigid proposal's examples as it prints them, each inside of a function, for Rust has no `let` outside of one; and exports around the first.
#![allow(static_mut_refs, unknown_lints, dead_code)]

mod ember_game;
use ember_game::*;

struct Arm {
    anim: Clip,
    arm_base: Mesh,
    arm_joint: Mesh,
    arm_claw: Mesh,
}

fn load() -> Arm {
    let anim = rom_keyframes(b"robot-arm");
    Arm { anim, arm_base: rom_mesh(b"arm-base"), arm_joint: rom_mesh(b"arm-joint"), arm_claw: rom_mesh(b"arm-claw") }
}

fn simple_mechanical_animation(arm: &Arm) {
    let Arm { anim, arm_base, arm_joint, arm_claw } = *arm;
    let frame = (elapsed_time() * 30.0) as u32 % keyframes_frame_count(anim);

    // Just bind and draw - works for both rigid and skinned!
    keyframe_bind(anim, frame);
    draw_mesh(arm_base);   // Rigid - attached to bone 0
    draw_mesh(arm_joint);  // Rigid - attached to bone 1
    draw_mesh(arm_claw);   // Rigid - attached to bone 2
}

fn mixed_skinned_and_rigid(frame: u32, character_body: Mesh) {
    let skeleton = rom_skeleton(b"character");
    let walk_anim = rom_keyframes(b"character-walk");
    let sword_mesh = rom_mesh(b"sword");  // Rigid, attached to hand bone

    // Skinned character
    skeleton_bind(skeleton);
    keyframe_bind(walk_anim, frame);
    draw_mesh(character_body);  // Skinned mesh

    // Weapon follows hand bone (rigid)
    draw_mesh(sword_mesh);  // System knows it's rigid, uses bone matrix directly
}

fn per_node_control(anim: Clip, frame: u32, special_part: Mesh) {
    keyframe_bind(anim, frame);

    // Override attached bone for this draw
    bone_bind(3);  // "Use bone 3 for next draw"
    draw_mesh(special_part);
}

// ---- the exports ----

static mut ARM: Option<Arm> = None;

#[no_mangle]
pub unsafe extern "C" fn init() {
    ARM = Some(load());
}

#[no_mangle]
pub unsafe extern "C" fn render() {
    if let Some(arm) = &ARM {
        simple_mechanical_animation(arm);
    }
}
