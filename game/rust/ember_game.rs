// SPDX-License-Identifier: MIT
//! What a game calls, for games in Rust: the functions of ember_game.h with slices in place of pointers and lengths. `mod ember_game;` it, build for
//! wasm32-unknown-unknown, export `init`, `update` and `render` with `#[no_mangle] pub extern "C" fn`. It needs neither std nor alloc.
//!
//! A wrong argument ends the game with a message; docs/console-api.md says which. Matrices are columns, as OpenGL has them; rotations are quaternions x, y, z, w;
//! angles are degrees; y is up.
#![allow(dead_code)]

/// Where a bone is: 40 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneTransform {
    pub rotation: [f32; 4],
    pub position: [f32; 3],
    pub scale: [f32; 3],
}

impl BoneTransform {
    pub const IDENTITY: BoneTransform = BoneTransform { rotation: [0.0, 0.0, 0.0, 1.0], position: [0.0; 3], scale: [1.0; 3] };
    /// For buffers that are filled later; it is no transform.
    pub const ZERO: BoneTransform = BoneTransform { rotation: [0.0; 4], position: [0.0; 3], scale: [0.0; 3] };
}

/// What `clip_info` tells.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipInformation {
    pub bone_count: u16,
    pub frame_count: u16,
    pub fps: f32,
    /// 1: has scale, 2: loops
    pub flags: u32,
}

/// A vertex's parts, in this order behind its position: 3 floats, then uv 2, colour 3, normal 3, tangent 4, joints 4 bytes and weights 4 floats.
/// Packed: 8 bytes, then 4, 4, 4, 4, 8.
pub const MESH_UV: u32 = 1;
pub const MESH_COLOR: u32 = 2;
pub const MESH_NORMAL: u32 = 4;
pub const MESH_SKINNED: u32 = 8;
pub const MESH_TANGENT: u32 = 16;

/// Bits of `input_held`.
pub const BUTTON_UP: u32 = 1 << 0;
pub const BUTTON_DOWN: u32 = 1 << 1;
pub const BUTTON_LEFT: u32 = 1 << 2;
pub const BUTTON_RIGHT: u32 = 1 << 3;
pub const BUTTON_A: u32 = 1 << 4;
pub const BUTTON_B: u32 = 1 << 5;
pub const BUTTON_X: u32 = 1 << 6;
pub const BUTTON_Y: u32 = 1 << 7;
pub const BUTTON_L1: u32 = 1 << 8;
pub const BUTTON_R1: u32 = 1 << 9;
pub const BUTTON_L3: u32 = 1 << 10;
pub const BUTTON_R3: u32 = 1 << 11;
pub const BUTTON_START: u32 = 1 << 12;
pub const BUTTON_SELECT: u32 = 1 << 13;

/// The imports as they are.
pub mod raw {
    use super::{BoneTransform, ClipInformation};

    #[link(wasm_import_module = "env")]
    extern "C" {
        pub fn keyframes_load(data: *const u8, size: u32) -> u32;
        pub fn rom_keyframes(id: *const u8, id_size: u32) -> u32;
        pub fn keyframes_bone_count(clip: u32) -> u32;
        pub fn keyframes_frame_count(clip: u32) -> u32;
        pub fn keyframe_read(clip: u32, frame: u32, out: *mut BoneTransform);
        pub fn keyframe_bind(clip: u32, frame: u32);
        pub fn set_bones(matrices: *const f32, count: u32);
        pub fn set_bones_4x4(matrices: *const f32, count: u32);
        pub fn set_bones_rows(matrices: *const f32, count: u32);
        pub fn load_skeleton(inverse_binds: *const f32, count: u32) -> u32;
        pub fn rom_skeleton(id: *const u8, id_size: u32) -> u32;
        pub fn skeleton_bind(skeleton: u32);
        pub fn load_mesh(vertices: *const u8, vertex_count: u32, format: u32) -> u32;
        pub fn load_mesh_packed(vertices: *const u8, vertex_count: u32, format: u32) -> u32;
        pub fn load_mesh_indexed(vertices: *const u8, vertex_count: u32, indices: *const u16, index_count: u32, format: u32) -> u32;
        pub fn load_mesh_indexed_packed(vertices: *const u8, vertex_count: u32, indices: *const u16, index_count: u32, format: u32) -> u32;
        pub fn rom_mesh(id: *const u8, id_size: u32) -> u32;
        pub fn draw_mesh(mesh: u32);
        pub fn load_clip(data: *const u8, size: u32) -> u32;
        pub fn clip_info(clip: u32, out: *mut ClipInformation);
        pub fn unload_clip(clip: u32);
        pub fn set_bones_from_clip(clip: u32, frame: u32);
        pub fn read_frame(clip: u32, frame: u32, out: *mut u8);
        pub fn read_frames(clip: u32, first: u32, count: u32, out: *mut u8);
        pub fn load_data(data: *const u8, size: u32, chunk_size: u32) -> u32;
        pub fn read_data(data: u32, index: u32, out: *mut u8);
        pub fn unload_data(data: u32);
        pub fn rom_data(id: *const u8, id_size: u32, out: *mut u8, out_size: u32) -> u32;
        pub fn rom_data_len(id: *const u8, id_size: u32) -> u32;
        pub fn bone_bind(bone: u32);
        pub fn transform_set_trs(position: *const f32, rotation: *const f32, scale: *const f32);
        pub fn push_trs(position: *const f32, rotation: *const f32, scale: *const f32);
        pub fn apply_trs(position: *const f32, rotation: *const f32, scale: *const f32);
        pub fn transform_pop();
        pub fn bone_get_world_trs(bone: u32, position: *mut f32, rotation: *mut f32, scale: *mut f32);
        pub fn bone_set_trs(bone: u32, position: *const f32, rotation: *const f32, scale: *const f32);
        pub fn trs_lerp(
            a_position: *const f32, a_rotation: *const f32, a_scale: *const f32, b_position: *const f32, b_rotation: *const f32, b_scale: *const f32,
            t: f32, position: *mut f32, rotation: *mut f32, scale: *mut f32,
        );
        pub fn transform_set(matrix: *const f32);
        pub fn push_identity();
        pub fn push_translate(x: f32, y: f32, z: f32);
        pub fn push_rotate_x(degrees: f32);
        pub fn push_rotate_y(degrees: f32);
        pub fn push_rotate_z(degrees: f32);
        pub fn push_rotate(degrees: f32, x: f32, y: f32, z: f32);
        pub fn push_scale(x: f32, y: f32, z: f32);
        pub fn push_scale_uniform(s: f32);
        pub fn view_set(matrix: *const f32);
        pub fn projection_set(matrix: *const f32);
        pub fn projection_perspective(fov_degrees: f32, near: f32, far: f32);
        pub fn set_color(rgba: u32);
        pub fn clear_color(rgba: u32);
        pub fn delta_time() -> f32;
        pub fn elapsed_time() -> f32;
        pub fn frame() -> u32;
        pub fn tick_count() -> u64;
        pub fn log(text: *const u8, size: u32);
        pub fn input_held(player: u32) -> u32;
        pub fn random() -> u32;
        pub fn keyframe_sample(clip: u32, frame: f32, out: *mut BoneTransform);
        pub fn pose_blend(out: *mut BoneTransform, a: *const BoneTransform, b: *const BoneTransform, t: f32, count: u32);
        pub fn pose_compose(out_matrices: *mut f32, pose: *const BoneTransform, count: u32, skeleton: u32);
        pub fn keyframes_fps(clip: u32) -> f32;
        pub fn keyframes_loop(clip: u32) -> u32;
        pub fn keyframes_marker_count(clip: u32) -> u32;
        pub fn keyframes_marker(clip: u32, index: u32, name: *mut u8, name_size: u32) -> u32;
        pub fn bone_index(clip: u32, name: *const u8, name_size: u32) -> u32;
    }
}

/// Handles of one kind are not taken for another.
macro_rules! handle {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub u32);
        impl $name {
            /// Before init has loaded one; using it traps.
            pub const NONE: $name = $name(0);
        }
    };
}
handle!(
    /// Keyframes of v2, or a clip of the draft.
    Clip
);
handle!(Skeleton);
handle!(Mesh);
handle!(Data);

/// What names an asset: text or bytes, `"walk"` or `b"walk"`.
pub trait Id {
    fn bytes(&self) -> &[u8];
}
impl Id for str {
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }
}
impl Id for [u8] {
    fn bytes(&self) -> &[u8] {
        self
    }
}
impl<const N: usize> Id for [u8; N] {
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// A slice that is too short for what the host would write ends the game here, not in somebody else's memory.
fn room(there: usize, wanted: usize) {
    if there < wanted {
        core::panic!();
    }
}

// ---- keyframes. Loading, here and below, is for init() alone ----

/// An .ewzanim.
pub fn keyframes_load(data: &[u8]) -> Clip {
    Clip(unsafe { raw::keyframes_load(data.as_ptr(), data.len() as u32) })
}
pub fn rom_keyframes(id: &(impl Id + ?Sized)) -> Clip {
    Clip(unsafe { raw::rom_keyframes(id.bytes().as_ptr(), id.bytes().len() as u32) })
}
pub fn keyframes_bone_count(clip: Clip) -> u32 {
    unsafe { raw::keyframes_bone_count(clip.0) }
}
pub fn keyframes_frame_count(clip: Clip) -> u32 {
    unsafe { raw::keyframes_frame_count(clip.0) }
}
/// 30 where the clip does not say.
pub fn keyframes_fps(clip: Clip) -> f32 {
    unsafe { raw::keyframes_fps(clip.0) }
}
pub fn keyframes_loop(clip: Clip) -> bool {
    unsafe { raw::keyframes_loop(clip.0) != 0 }
}
pub fn keyframes_marker_count(clip: Clip) -> u32 {
    unsafe { raw::keyframes_marker_count(clip.0) }
}
/// Its frame; the name with its 0 goes into `name`.
pub fn keyframes_marker(clip: Clip, index: u32, name: &mut [u8]) -> u32 {
    unsafe { raw::keyframes_marker(clip.0, index, name.as_mut_ptr(), name.len() as u32) }
}
pub fn bone_index(clip: Clip, name: &(impl Id + ?Sized)) -> Option<u32> {
    let index = unsafe { raw::bone_index(clip.0, name.bytes().as_ptr(), name.bytes().len() as u32) };
    if index == u32::MAX { None } else { Some(index) }
}
pub fn keyframe_bind(clip: Clip, frame: u32) {
    unsafe { raw::keyframe_bind(clip.0, frame) }
}
pub fn keyframe_read(clip: Clip, frame: u32, out: &mut [BoneTransform]) {
    room(out.len(), keyframes_bone_count(clip) as usize);
    unsafe { raw::keyframe_read(clip.0, frame, out.as_mut_ptr()) }
}
/// Between two frames; looping clips go round, others hold their ends.
pub fn keyframe_sample(clip: Clip, frame: f32, out: &mut [BoneTransform]) {
    room(out.len(), keyframes_bone_count(clip) as usize);
    unsafe { raw::keyframe_sample(clip.0, frame, out.as_mut_ptr()) }
}

// ---- bones: 12 floats each in columns, or 16. They last until the frame ends ----

pub fn set_bones(matrices: &[[f32; 12]]) {
    unsafe { raw::set_bones(matrices.as_ptr() as *const f32, matrices.len() as u32) }
}
pub fn set_bones_4x4(matrices: &[[f32; 16]]) {
    unsafe { raw::set_bones_4x4(matrices.as_ptr() as *const f32, matrices.len() as u32) }
}
/// Rows of four floats: what the first draft calls `set_bones`.
pub fn set_bones_rows(matrices: &[[f32; 12]]) {
    unsafe { raw::set_bones_rows(matrices.as_ptr() as *const f32, matrices.len() as u32) }
}
pub fn pose_blend(out: &mut [BoneTransform], a: &[BoneTransform], b: &[BoneTransform], t: f32) {
    room(a.len(), out.len());
    room(b.len(), out.len());
    unsafe { raw::pose_blend(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), t, out.len() as u32) }
}
/// A local pose to matrices for `set_bones`, by the skeleton's parents.
pub fn pose_compose(out: &mut [[f32; 12]], pose: &[BoneTransform], skeleton: Skeleton) {
    room(out.len(), pose.len());
    unsafe { raw::pose_compose(out.as_mut_ptr() as *mut f32, pose.as_ptr(), pose.len() as u32, skeleton.0) }
}

// ---- skeletons and meshes ----

pub fn load_skeleton(inverse_binds: &[[f32; 12]]) -> Skeleton {
    Skeleton(unsafe { raw::load_skeleton(inverse_binds.as_ptr() as *const f32, inverse_binds.len() as u32) })
}
pub fn rom_skeleton(id: &(impl Id + ?Sized)) -> Skeleton {
    Skeleton(unsafe { raw::rom_skeleton(id.bytes().as_ptr(), id.bytes().len() as u32) })
}
pub fn skeleton_bind(skeleton: Skeleton) {
    unsafe { raw::skeleton_bind(skeleton.0) }
}
/// The console checks that all vertices are inside the game's memory; that they are inside `vertices` is the caller's duty, here and below.
pub unsafe fn load_mesh(vertices: &[u8], vertex_count: u32, format: u32) -> Mesh {
    Mesh(raw::load_mesh(vertices.as_ptr(), vertex_count, format))
}
pub unsafe fn load_mesh_packed(vertices: &[u8], vertex_count: u32, format: u32) -> Mesh {
    Mesh(raw::load_mesh_packed(vertices.as_ptr(), vertex_count, format))
}
pub unsafe fn load_mesh_indexed(vertices: &[u8], vertex_count: u32, indices: &[u16], format: u32) -> Mesh {
    Mesh(raw::load_mesh_indexed(vertices.as_ptr(), vertex_count, indices.as_ptr(), indices.len() as u32, format))
}
pub unsafe fn load_mesh_indexed_packed(vertices: &[u8], vertex_count: u32, indices: &[u16], format: u32) -> Mesh {
    Mesh(raw::load_mesh_indexed_packed(vertices.as_ptr(), vertex_count, indices.as_ptr(), indices.len() as u32, format))
}
pub fn rom_mesh(id: &(impl Id + ?Sized)) -> Mesh {
    Mesh(unsafe { raw::rom_mesh(id.bytes().as_ptr(), id.bytes().len() as u32) })
}
/// In render() alone.
pub fn draw_mesh(mesh: Mesh) {
    unsafe { raw::draw_mesh(mesh.0) }
}

// ---- the draft's clips, whose frames wrap, and data of the game's own ----

/// An .eza.
pub fn load_clip(data: &[u8]) -> Clip {
    Clip(unsafe { raw::load_clip(data.as_ptr(), data.len() as u32) })
}
pub fn clip_info(clip: Clip) -> ClipInformation {
    let mut out = ClipInformation { bone_count: 0, frame_count: 0, fps: 0.0, flags: 0 };
    unsafe { raw::clip_info(clip.0, &mut out) };
    out
}
pub fn unload_clip(clip: Clip) {
    unsafe { raw::unload_clip(clip.0) }
}
pub fn set_bones_from_clip(clip: Clip, frame: u32) {
    unsafe { raw::set_bones_from_clip(clip.0, frame) }
}
/// Records as they are stored; `out` must hold a frame of them.
pub unsafe fn read_frame(clip: Clip, frame: u32, out: &mut [u8]) {
    raw::read_frame(clip.0, frame, out.as_mut_ptr())
}
/// `out` must hold `count` frames.
pub unsafe fn read_frames(clip: Clip, first: u32, count: u32, out: &mut [u8]) {
    raw::read_frames(clip.0, first, count, out.as_mut_ptr())
}
/// chunk_size 0: one chunk.
pub fn load_data(data: &[u8], chunk_size: u32) -> Data {
    Data(unsafe { raw::load_data(data.as_ptr(), data.len() as u32, chunk_size) })
}
/// `out` must hold a chunk.
pub unsafe fn read_data(data: Data, index: u32, out: &mut [u8]) {
    raw::read_data(data.0, index, out.as_mut_ptr())
}
pub fn unload_data(data: Data) {
    unsafe { raw::unload_data(data.0) }
}
/// Bytes copied.
pub fn rom_data(id: &(impl Id + ?Sized), out: &mut [u8]) -> u32 {
    unsafe { raw::rom_data(id.bytes().as_ptr(), id.bytes().len() as u32, out.as_mut_ptr(), out.len() as u32) }
}
pub fn rom_data_len(id: &(impl Id + ?Sized)) -> u32 {
    unsafe { raw::rom_data_len(id.bytes().as_ptr(), id.bytes().len() as u32) }
}

// ---- single bones and transforms by parts ----

/// The bone that the next mesh follows, if it is not skinned.
pub fn bone_bind(bone: u32) {
    unsafe { raw::bone_bind(bone) }
}
/// Model space, until the next bind.
pub fn bone_set_trs(bone: u32, t: &BoneTransform) {
    unsafe { raw::bone_set_trs(bone, t.position.as_ptr(), t.rotation.as_ptr(), t.scale.as_ptr()) }
}
pub fn bone_get_world_trs(bone: u32) -> BoneTransform {
    let mut t = BoneTransform::IDENTITY;
    unsafe { raw::bone_get_world_trs(bone, t.position.as_mut_ptr(), t.rotation.as_mut_ptr(), t.scale.as_mut_ptr()) };
    t
}
pub fn transform_set_trs(t: &BoneTransform) {
    unsafe { raw::transform_set_trs(t.position.as_ptr(), t.rotation.as_ptr(), t.scale.as_ptr()) }
}
/// Undone by `transform_pop`.
pub fn push_trs(t: &BoneTransform) {
    unsafe { raw::push_trs(t.position.as_ptr(), t.rotation.as_ptr(), t.scale.as_ptr()) }
}
pub fn apply_trs(t: &BoneTransform) {
    unsafe { raw::apply_trs(t.position.as_ptr(), t.rotation.as_ptr(), t.scale.as_ptr()) }
}
pub fn transform_pop() {
    unsafe { raw::transform_pop() }
}
pub fn trs_lerp(a: &BoneTransform, b: &BoneTransform, t: f32) -> BoneTransform {
    let mut out = BoneTransform::IDENTITY;
    unsafe {
        raw::trs_lerp(
            a.position.as_ptr(), a.rotation.as_ptr(), a.scale.as_ptr(), b.position.as_ptr(), b.rotation.as_ptr(), b.scale.as_ptr(), t,
            out.position.as_mut_ptr(), out.rotation.as_mut_ptr(), out.scale.as_mut_ptr(),
        )
    };
    out
}

// ---- the current transform: identity at the start of every call. All of these but the first two multiply ----

pub fn transform_set(matrix: &[f32; 16]) {
    unsafe { raw::transform_set(matrix.as_ptr()) }
}
pub fn push_identity() {
    unsafe { raw::push_identity() }
}
pub fn push_translate(x: f32, y: f32, z: f32) {
    unsafe { raw::push_translate(x, y, z) }
}
pub fn push_rotate_x(degrees: f32) {
    unsafe { raw::push_rotate_x(degrees) }
}
pub fn push_rotate_y(degrees: f32) {
    unsafe { raw::push_rotate_y(degrees) }
}
pub fn push_rotate_z(degrees: f32) {
    unsafe { raw::push_rotate_z(degrees) }
}
pub fn push_rotate(degrees: f32, x: f32, y: f32, z: f32) {
    unsafe { raw::push_rotate(degrees, x, y, z) }
}
pub fn push_scale(x: f32, y: f32, z: f32) {
    unsafe { raw::push_scale(x, y, z) }
}
pub fn push_scale_uniform(s: f32) {
    unsafe { raw::push_scale_uniform(s) }
}

// ---- the camera and colours, 0xRRGGBBAA ----

/// World to camera.
pub fn view_set(matrix: &[f32; 16]) {
    unsafe { raw::view_set(matrix.as_ptr()) }
}
/// OpenGL's clip space.
pub fn projection_set(matrix: &[f32; 16]) {
    unsafe { raw::projection_set(matrix.as_ptr()) }
}
pub fn projection_perspective(fov_degrees: f32, near: f32, far: f32) {
    unsafe { raw::projection_perspective(fov_degrees, near, far) }
}
/// Multiplied with the next meshes; white at the start of every call.
pub fn set_color(rgba: u32) {
    unsafe { raw::set_color(rgba) }
}
pub fn clear_color(rgba: u32) {
    unsafe { raw::clear_color(rgba) }
}

// ---- the rest of the machine ----

/// Seconds between two updates.
pub fn delta_time() -> f32 {
    unsafe { raw::delta_time() }
}
/// Seconds of all updates.
pub fn elapsed_time() -> f32 {
    unsafe { raw::elapsed_time() }
}
/// Updates so far; 0 in init().
pub fn frame() -> u32 {
    unsafe { raw::frame() }
}
/// The same in 64 bits.
pub fn tick_count() -> u64 {
    unsafe { raw::tick_count() }
}
pub fn random() -> u32 {
    unsafe { raw::random() }
}
pub fn log(text: &str) {
    unsafe { raw::log(text.as_ptr(), text.len() as u32) }
}
/// A bit for each button; players 0 to 3.
pub fn input_held(player: u32) -> u32 {
    unsafe { raw::input_held(player) }
}

/// An address as the specifications' examples have it: a pointer, or one cast to u32.
pub trait Address {
    fn address(self) -> u32;
}
impl Address for u32 {
    fn address(self) -> u32 {
        self
    }
}
impl<T> Address for *const T {
    fn address(self) -> u32 {
        self as usize as u32
    }
}
impl<T> Address for *mut T {
    fn address(self) -> u32 {
        self as usize as u32
    }
}
fn read_at<T>(address: impl Address) -> *const T {
    address.address() as usize as *const T
}
fn write_at<T>(address: impl Address) -> *mut T {
    address.address() as usize as *mut T
}

/// The functions as version 2 of the specification prints them, for its examples and for games written by it: handles are numbers, what is in memory is an address.
pub mod v2 {
    pub use super::raw::*;
    pub use super::BoneTransform;
    use super::{raw, read_at, write_at, Address};

    pub unsafe fn keyframes_load(data: impl Address, size: u32) -> u32 {
        raw::keyframes_load(read_at(data), size)
    }
    pub unsafe fn rom_keyframes(id: impl Address, id_size: u32) -> u32 {
        raw::rom_keyframes(read_at(id), id_size)
    }
    pub unsafe fn keyframes_bone_count(clip: u32) -> u8 {
        raw::keyframes_bone_count(clip) as u8
    }
    pub unsafe fn keyframes_frame_count(clip: u32) -> u16 {
        raw::keyframes_frame_count(clip) as u16
    }
    pub unsafe fn keyframe_read(clip: u32, frame: u32, out: impl Address) {
        raw::keyframe_read(clip, frame, write_at(out))
    }
    pub unsafe fn set_bones(matrices: impl Address, count: u32) {
        raw::set_bones(read_at(matrices), count)
    }
    pub unsafe fn set_bones_4x4(matrices: impl Address, count: u32) {
        raw::set_bones_4x4(read_at(matrices), count)
    }
    pub unsafe fn rom_mesh(id: impl Address, id_size: u32) -> u32 {
        raw::rom_mesh(read_at(id), id_size)
    }
    pub unsafe fn rom_skeleton(id: impl Address, id_size: u32) -> u32 {
        raw::rom_skeleton(read_at(id), id_size)
    }
}

/// The functions as the first draft prints them; its `set_bones` takes rows.
pub mod draft {
    pub use super::raw::*;
    use super::{raw, write_at, Address};

    pub unsafe fn clip_info(clip: u32, out: impl Address) {
        raw::clip_info(clip, write_at(out))
    }
    pub unsafe fn set_bones(matrices: *const f32, count: u32) {
        raw::set_bones_rows(matrices, count)
    }
}
