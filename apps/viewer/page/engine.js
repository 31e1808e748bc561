// SPDX-License-Identifier: MIT
// The compiled viewer and the little that it needs around it: memory, words, a canvas. Everything else is in viewer.js.

import { glImports } from "./gl.js";

export const SHOW = { mesh: 1, bones: 2, axes: 4, onion: 8, rest: 16, reference: 32 };
export const NONE = 0xffffffff;
export const AUTO = 0xfffffffe;

// The module has stopped; a new one has to be made.
export class Stopped extends Error {}

function wasi(engine) {
    const EBADF = 8;
    return {
        environ_get: () => 0,
        environ_sizes_get: (count, size) => {
            const words = new Uint32Array(engine.memory.buffer);
            words[count >> 2] = words[size >> 2] = 0;
            return 0;
        },
        fd_close: () => EBADF,
        fd_seek: () => EBADF,
        fd_fdstat_get: () => EBADF,
        fd_write: (fd, vectors, count, written) => {
            const words = new Uint32Array(engine.memory.buffer);
            let text = "", size = 0;
            for (let i = 0; i < count; i++) {
                const at = words[(vectors >> 2) + 2 * i], length = words[(vectors >> 2) + 2 * i + 1];
                text += new TextDecoder().decode(new Uint8Array(engine.memory.buffer, at, length));
                size += length;
            }
            engine.last = text.trim() || engine.last;
            words[written >> 2] = size;
            return 0;
        },
        proc_exit: () => {
            throw new Stopped(engine.last || "the viewer has stopped");
        },
    };
}

export class Engine {
    static async load(url) {
        const answer = await fetch(url);
        if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
        return WebAssembly.compile(await answer.arrayBuffer());
    }

    constructor(module, gl, width, height) {
        this.last = "";
        this.drawing = false;
        const imports = { env: glImports(gl, this), wasi_snapshot_preview1: wasi(this) };
        const { exports } = new WebAssembly.Instance(module, imports);
        this.exports = exports;
        this.memory = exports.memory;
        exports._initialize();
        this.viewer = exports.viewer_create(width, height);
    }

    // Calls viewer_NAME. A trap ends this engine.
    call(name, ...values) {
        try {
            return this.exports[`viewer_${name}`](this.viewer, ...values);
        } catch (problem) {
            if (problem instanceof WebAssembly.RuntimeError || problem instanceof RangeError) throw new Stopped(`the viewer has stopped: ${problem.message}`);
            throw problem;
        }
    }

    ask(name, ...values) {
        this.call(name, ...values);
        return JSON.parse(this.outText());
    }

    out() {
        return new Uint8Array(this.memory.buffer, this.call("out_data"), this.call("out_size")).slice();
    }

    outText() {
        return new TextDecoder().decode(this.out());
    }

    alloc(size) {
        return this.exports.viewer_alloc(size);
    }

    put(bytes) {
        const at = this.alloc(bytes.length);
        if (!at) throw new Stopped("out of memory");
        new Uint8Array(this.memory.buffer).set(bytes, at);
        return at;
    }

    putText(text) {
        return this.put(new TextEncoder().encode(text + "\0"));
    }

    text(at) {
        const bytes = new Uint8Array(this.memory.buffer);
        let end = at;
        while (bytes[end]) end++;
        return new TextDecoder().decode(bytes.subarray(at, end));
    }

    messages() {
        return this.ask("messages");
    }

    // Files of one batch were opened together.
    addFile(name, bytes, batch) {
        return this.call("add_file", this.putText(name), this.put(bytes), bytes.length, batch);
    }

    draw(frame) {
        this.drawing = true;
        try {
            return !!this.call("draw", frame, 1);
        } finally {
            this.drawing = false;
        }
    }

    // Where bones are in the picture, in parts of its size; NaN where they are not.
    places(frame, count) {
        const at = this.call("places", frame);
        return at ? new Float32Array(this.memory.buffer, at, 2 * count).slice() : new Float32Array(2 * count).fill(NaN);
    }

    camera() {
        return [0, 1, 2, 3, 4, 5].map((i) => this.call("camera", i));
    }

    // The bytes of a converted file, or null with the reason among the messages.
    convert(format, clip, name) {
        const texts = [this.putText(format), this.putText(name)];
        const done = this.call("convert", texts[0], clip, texts[1]);
        for (const at of texts) this.exports.viewer_free(at);
        return done ? this.out() : null;
    }

    // Images that the shown meshes wait for.
    textures() {
        const list = [];
        for (let i = 0; i < this.call("texture_count"); i++) {
            const at = this.call("texture_data", i), size = this.call("texture_size", i);
            list.push({ key: `${at}+${size}`, bytes: new Uint8Array(this.memory.buffer, at, size).slice() });
        }
        return list;
    }

    setTexture(index, image) {
        const at = this.put(image.data);
        this.call("texture_set", index, at, image.width, image.height);
        this.exports.viewer_free(at);
    }
}
