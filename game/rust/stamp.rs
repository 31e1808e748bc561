// SPDX-License-Identifier: MIT
//! Stamp, in Rust: a walking character at twelve frames a second, without any interpolation. The same as examples/stamp.c.
#![no_std]
#![no_main]

mod ember_game;
use ember_game::*;

const FRAME_DURATION: f32 = 1.0 / 12.0;

struct Game {
    player_mesh: Mesh,
    skeleton: Skeleton,
    walk_anim: Clip,
    frame_timer: f32,
    current_frame: u32,
}

static mut GAME: Game = Game { player_mesh: Mesh::NONE, skeleton: Skeleton::NONE, walk_anim: Clip::NONE, frame_timer: 0.0, current_frame: 0 };

/// There is one thread, and no export calls another.
fn game() -> &'static mut Game {
    unsafe { &mut *core::ptr::addr_of_mut!(GAME) }
}

#[no_mangle]
pub extern "C" fn init() {
    let game = game();
    game.player_mesh = rom_mesh("player");
    game.skeleton = rom_skeleton("player");
    game.walk_anim = rom_keyframes("walk");
}

#[no_mangle]
pub extern "C" fn render() {
    let game = game();
    game.frame_timer += delta_time();
    if game.frame_timer >= FRAME_DURATION {
        game.frame_timer -= FRAME_DURATION;
        game.current_frame = (game.current_frame + 1) % keyframes_frame_count(game.walk_anim);
    }
    skeleton_bind(game.skeleton);
    keyframe_bind(game.walk_anim, game.current_frame);
    draw_mesh(game.player_mesh);
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
