// SPDX-License-Identifier: MIT
// The part of OpenGL ES 3.0 that the renderer calls, by WebGL 2. Objects are numbers on the C side: their places in these lists.

const VERSION = 0x1f02;

export function glImports(gl, engine) {
    const objects = [null];
    const locations = [];
    let version = 0;

    const add = (object) => objects.push(object) - 1;
    const u8 = () => new Uint8Array(engine.memory.buffer);
    const i32 = () => new Int32Array(engine.memory.buffer);
    const f32 = () => new Float32Array(engine.memory.buffer);
    const make = (count, at, create) => {
        for (let i = 0; i < count; i++) i32()[(at >> 2) + i] = add(create());
    };
    const drop = (count, at, remove) => {
        for (let i = 0; i < count; i++) {
            const number = i32()[(at >> 2) + i];
            if (objects[number]) remove(objects[number]);
            if (number) objects[number] = null;
        }
    };
    const put = (at, value) => {
        if (value instanceof Int32Array) i32().set(value, at >> 2);
        else i32()[at >> 2] = Number(value);
    };
    const texels = (type) => (type === gl.FLOAT ? [f32(), 2] : [u8(), 0]);

    return {
        glActiveTexture: (unit) => gl.activeTexture(unit),
        glAttachShader: (program, shader) => gl.attachShader(objects[program], objects[shader]),
        glBindBuffer: (target, buffer) => gl.bindBuffer(target, objects[buffer]),
        glBindFramebuffer: (target, frame) => gl.bindFramebuffer(target, objects[frame]),
        glBindRenderbuffer: (target, buffer) => gl.bindRenderbuffer(target, objects[buffer]),
        glBindTexture: (target, texture) => gl.bindTexture(target, objects[texture]),
        glBindVertexArray: (array) => gl.bindVertexArray(objects[array]),
        glBlendFunc: (source, target) => gl.blendFunc(source, target),
        glBlendFuncSeparate: (a, b, c, d) => gl.blendFuncSeparate(a, b, c, d),
        glBlitFramebuffer: (...all) => gl.blitFramebuffer(...all),
        glBufferData: (target, size, at, usage) => (at ? gl.bufferData(target, u8(), usage, at, size) : gl.bufferData(target, size, usage)),
        glCheckFramebufferStatus: (target) => gl.checkFramebufferStatus(target),
        glClear: (mask) => gl.clear(mask >>> 0),
        glClearColor: (r, g, b, a) => gl.clearColor(r, g, b, a),
        glClearDepthf: (depth) => gl.clearDepth(depth),
        glClearStencil: (value) => gl.clearStencil(value),
        glColorMask: (r, g, b, a) => gl.colorMask(!!r, !!g, !!b, !!a),
        glCompileShader: (shader) => gl.compileShader(objects[shader]),
        glCreateProgram: () => add(gl.createProgram()),
        glCreateShader: (kind) => add(gl.createShader(kind)),
        glDeleteBuffers: (count, at) => drop(count, at, (o) => gl.deleteBuffer(o)),
        glDeleteFramebuffers: (count, at) => drop(count, at, (o) => gl.deleteFramebuffer(o)),
        glDeleteProgram: (program) => gl.deleteProgram(objects[program]),
        glDeleteRenderbuffers: (count, at) => drop(count, at, (o) => gl.deleteRenderbuffer(o)),
        glDeleteShader: (shader) => gl.deleteShader(objects[shader]),
        glDeleteTextures: (count, at) => drop(count, at, (o) => gl.deleteTexture(o)),
        glDeleteVertexArrays: (count, at) => drop(count, at, (o) => gl.deleteVertexArray(o)),
        glDepthFunc: (test) => gl.depthFunc(test),
        glDepthMask: (on) => gl.depthMask(!!on),
        glDisable: (what) => gl.disable(what),
        glDrawArrays: (mode, first, count) => gl.drawArrays(mode, first, count),
        glDrawElementsInstanced: (mode, count, type, offset, instances) => gl.drawElementsInstanced(mode, count, type, offset, instances),
        glEnable: (what) => gl.enable(what),
        glEnableVertexAttribArray: (at) => gl.enableVertexAttribArray(at),
        glFramebufferRenderbuffer: (target, point, kind, buffer) => gl.framebufferRenderbuffer(target, point, kind, objects[buffer]),
        glFramebufferTexture2D: (target, point, kind, texture, level) => gl.framebufferTexture2D(target, point, kind, objects[texture], level),
        glGenBuffers: (count, at) => make(count, at, () => gl.createBuffer()),
        glGenFramebuffers: (count, at) => make(count, at, () => gl.createFramebuffer()),
        glGenRenderbuffers: (count, at) => make(count, at, () => gl.createRenderbuffer()),
        glGenTextures: (count, at) => make(count, at, () => gl.createTexture()),
        glGenVertexArrays: (count, at) => make(count, at, () => gl.createVertexArray()),
        glGenerateMipmap: (target) => gl.generateMipmap(target),
        // Asking waits for the graphics process, too long for every frame; what is loaded is asked for.
        glGetError: () => (engine.drawing ? 0 : gl.getError()),
        glGetIntegerv: (what, at) => put(at, gl.getParameter(what)),
        glGetInternalformativ: (target, format, what, count, at) => {
            const values = gl.getInternalformatParameter(target, format, what);
            put(at, values && values.length ? values[0] : 0);
        },
        glGetProgramiv: (program, what, at) => put(at, gl.getProgramParameter(objects[program], what)),
        glGetShaderInfoLog: (shader, room, length, at) => {
            const text = new TextEncoder().encode(gl.getShaderInfoLog(objects[shader]) || "").subarray(0, room - 1);
            u8().set(text, at);
            u8()[at + text.length] = 0;
            if (length) i32()[length >> 2] = text.length;
        },
        glGetShaderiv: (shader, what, at) => put(at, gl.getShaderParameter(objects[shader], what)),
        glGetString: (what) => {
            if (what !== VERSION) return 0;
            if (!version) version = engine.putText("OpenGL ES 3.0 (WebGL 2.0)");
            return version;
        },
        glGetUniformLocation: (program, name) => {
            const location = gl.getUniformLocation(objects[program], engine.text(name));
            return location ? locations.push(location) - 1 : -1;
        },
        glLinkProgram: (program) => gl.linkProgram(objects[program]),
        glPixelStorei: (what, value) => gl.pixelStorei(what, value),
        glReadPixels: (x, y, width, height, format, type, at) => gl.readPixels(x, y, width, height, format, type, u8(), at),
        glRenderbufferStorageMultisample: (...all) => gl.renderbufferStorageMultisample(...all),
        glShaderSource: (shader, count, texts) => {
            let whole = "";
            for (let i = 0; i < count; i++) whole += engine.text(i32()[(texts >> 2) + i]);
            gl.shaderSource(objects[shader], whole);
        },
        glStencilFunc: (test, value, mask) => gl.stencilFunc(test, value, mask >>> 0),
        glStencilMask: (mask) => gl.stencilMask(mask >>> 0),
        glStencilOp: (a, b, c) => gl.stencilOp(a, b, c),
        glTexImage2D: (target, level, inside, width, height, border, format, type, at) => {
            const [memory, shift] = texels(type);
            if (at) gl.texImage2D(target, level, inside, width, height, border, format, type, memory, at >> shift);
            else gl.texImage2D(target, level, inside, width, height, border, format, type, null);
        },
        glTexParameteri: (target, what, value) => gl.texParameteri(target, what, value),
        glTexSubImage2D: (target, level, x, y, width, height, format, type, at) => {
            const [memory, shift] = texels(type);
            gl.texSubImage2D(target, level, x, y, width, height, format, type, memory, at >> shift);
        },
        glUniform1i: (at, value) => gl.uniform1i(locations[at] || null, value),
        glUniform3f: (at, x, y, z) => gl.uniform3f(locations[at] || null, x, y, z),
        glUniform4f: (at, x, y, z, w) => gl.uniform4f(locations[at] || null, x, y, z, w),
        glUniform4fv: (at, count, values) => gl.uniform4fv(locations[at] || null, f32(), values >> 2, 4 * count),
        glUniformMatrix4fv: (at, count, flip, values) => gl.uniformMatrix4fv(locations[at] || null, !!flip, f32(), values >> 2, 16 * count),
        glUseProgram: (program) => gl.useProgram(objects[program]),
        glVertexAttrib4f: (at, x, y, z, w) => gl.vertexAttrib4f(at, x, y, z, w),
        glVertexAttribDivisor: (at, divisor) => gl.vertexAttribDivisor(at, divisor),
        glVertexAttribI4ui: (at, x, y, z, w) => gl.vertexAttribI4ui(at, x, y, z, w),
        glVertexAttribIPointer: (at, size, type, stride, offset) => gl.vertexAttribIPointer(at, size, type, stride, offset),
        glVertexAttribPointer: (at, size, type, flip, stride, offset) => gl.vertexAttribPointer(at, size, type, !!flip, stride, offset),
        glViewport: (x, y, width, height) => gl.viewport(x, y, width, height),
    };
}
