// SPDX-License-Identifier: MIT
// The page: what is open, what moment is shown, and the loop that shows it. Lists and values are in panels.js, curves in plots.js, keys and pointers in input.js.

import { Engine, NONE, SHOW, Stopped } from "./engine.js";
import { listen } from "./input.js";
import { Panels, el, fileName } from "./panels.js";
import { drawErrors, drawLine, drawNames } from "./plots.js";

const BACKGROUND = { dark: 0x23282fff, light: 0xe9e6e0ff };

// The name, or where another file has it, the name with a number.
function unlike(name, taken) {
    const [, stem, end] = /^(.*?)(\.[^./]*)?$/s.exec(name);
    let made = name;
    for (let i = 2; taken.has(made); i++) made = `${stem} (${i})${end ?? ""}`;
    return made;
}

export class App {
    constructor() {
        this.files = []; // {name, bytes, batch}
        this.batches = 0;
        this.shown = -1; // of files
        this.reference = -1;
        this.doc = { open: false };
        this.errors = {};
        this.frame = 0;
        this.time = 0;
        this.playing = false;
        this.speed = 1;
        this.loop = true;
        this.rate = null; // frames a second, in place of the clip's
        this.marked = -1;
        this.up = 0;
        this.crowd = 1;
        this.show = { mesh: true, bones: false, names: false, axes: false, onion: false, rest: false, reference: true };
        this.theme = "dark";
        this.dirty = true;
        this.canvas = el("picture");
        this.panels = new Panels(this);
    }

    async start() {
        document.documentElement.dataset.started = "true";
        this.setTheme(this.firstTheme(), false);
        this.gl = this.canvas.getContext("webgl2", { antialias: false, alpha: false, depth: false, stencil: false });
        if (!this.gl) throw new Error("this browser has no WebGL 2, which the viewer draws with");
        this.module = await Engine.load("viewer.wasm");
        this.makeEngine();
        listen(this);
        new ResizeObserver(() => this.resize()).observe(el("stage"));
        this.canvas.addEventListener("webglcontextlost", (event) => {
            event.preventDefault();
            this.say("error", "the graphics driver has taken the picture away; it comes back as soon as it can");
        });
        this.canvas.addEventListener("webglcontextrestored", () => this.restart());
        window.addEventListener("hashchange", () => this.guard(() => this.readHash()));
        requestAnimationFrame((now) => this.tick(now));
        await this.openServed();
        document.documentElement.dataset.ready = "true";
    }

    firstTheme() {
        let kept = null;
        try {
            kept = localStorage.getItem("ember-theme");
        } catch {
            // storage may be forbidden
        }
        return kept === "light" || kept === "dark" ? kept : matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
    }

    makeEngine() {
        const { width, height } = this.size();
        this.canvas.width = width;
        this.canvas.height = height;
        this.engine = new Engine(this.module, this.gl, width, height);
        if (!this.engine.call("warm")) this.hear();
        this.settle();
        this.panels.takeFormats(this.engine.ask("formats"));
    }

    // After a trap, or a lost picture: everything again, the moment too, but the file that did it.
    restart(without = -1) {
        const kept = this.files.filter((_, i) => i !== without);
        const name = this.files[this.shown]?.name;
        this.returnTo(this.moment());
        this.files = [];
        this.shown = this.reference = -1;
        this.doc = { open: false };
        this.errors = {};
        this.marked = -1;
        this.playing = false;
        this.makeEngine();
        if (kept.length) this.open(kept, { first: kept.find((f) => f.name === name)?.name });
        else this.panels.all();
    }

    // Runs what calls the engine; where the engine stops, says so and goes on with a new one. A file whose picture stops it twice in a row is left out.
    guard(work, file = -1) {
        try {
            return work();
        } catch (problem) {
            if (!(problem instanceof Stopped)) throw problem;
            const again = this.stoppedBy === this.files[this.shown];
            this.stoppedBy = this.files[this.shown];
            this.say("error", problem.message);
            this.restart(file < 0 && again ? this.shown : file);
            return undefined;
        }
    }

    // Where one was, for returnTo; empty where nothing is open.
    moment() {
        try {
            return this.doc.open ? this.momentHash() : "";
        } catch {
            return this.ownHash ?? "";
        }
    }

    // The next file of that name that opens is shown as it was then.
    returnTo(moment) {
        this.ownHash = undefined;
        if (moment) history.replaceState(null, "", `#${moment}`);
    }

    // ---- words ----

    say(level, text) {
        this.panels.message(level, text);
    }

    hear() {
        for (const { level, text } of this.engine.messages()) if (level !== "detail") this.say(level, text);
    }

    // ---- files ----

    async openServed() {
        const answer = await fetch("files.json");
        const { files } = answer.ok ? await answer.json() : { files: [] };
        const loaded = [];
        for (const { name, path } of files) {
            const bytes = await fetch(path);
            if (bytes.ok) loaded.push({ name, bytes: new Uint8Array(await bytes.arrayBuffer()) });
            else this.say("error", `${name}: ${bytes.status} ${bytes.statusText}`);
        }
        if (loaded.length) this.open(loaded, {});
    }

    async openDropped(list, asReference) {
        const loaded = [], names = new Set(asReference && this.doc.open ? [this.doc.name] : []);
        for (const file of list) {
            const name = unlike(file.webkitRelativePath || file.path || file.name, names);
            try {
                loaded.push({ name, bytes: new Uint8Array(await file.arrayBuffer()) });
                names.add(name);
            } catch (problem) {
                this.say("error", `${name}: cannot read: ${problem.message}`);
            }
        }
        const began = performance.now();
        this.open(loaded, { asReference: asReference && this.doc.open });
        this.opened = performance.now() - began; // what a file costs from its bytes to its picture
    }

    // Hands files over, and shows the first of them that can be shown; where none can, what was shown before.
    open(list, { asReference = false, first = null }) {
        const before = { shown: this.shown, file: this.files[this.shown], playing: this.playing, moment: this.moment() };
        const numbers = [];
        this.batches++;
        for (const file of list) {
            file.batch ??= this.batches;
            const number = this.guard(() => this.engine.addFile(file.name, file.bytes, file.batch));
            if (number === undefined) continue;
            this.files[number] = file;
            if (!numbers.includes(number)) numbers.push(number);
        }
        const hash = location.hash.slice(1);
        const wanted = first ?? (hash === this.ownHash ? null : new URLSearchParams(hash).get("file"));
        numbers.sort((a, b) => Number(this.files[b].name === wanted) - Number(this.files[a].name === wanted) || this.rank(a) - this.rank(b));
        const renewed = numbers.includes(this.reference) ? this.reference : -1;
        let shown = asReference;
        if (asReference && numbers.length) this.compare(numbers[0]);
        for (const number of asReference ? [] : numbers.map((i) => this.files[i])) {
            shown = this.openFile(this.files.indexOf(number));
            if (shown) break;
        }
        if (!shown && before.file && this.files[before.shown] === before.file) this.goBack(before);
        if (renewed >= 0 && !asReference && this.files[renewed]) this.compare(renewed);
        this.panels.all();
    }

    goBack({ shown, playing, moment }) {
        this.returnTo(moment);
        if (this.openFile(shown, true) && playing) this.play();
    }

    // Buffers and skeletons come along with something; they are not what one wants to see.
    rank(number) {
        const name = this.files[number].name.toLowerCase();
        return /\.(bin|png|jpe?g)$/.test(name) ? 2 : /^..aa$|\.(ewzskel|nczxskel)$/.test(name) ? 1 : 0;
    }

    openFile(number, silently = false) {
        return this.guard(() => {
            const done = !!this.engine.call("open", number);
            if (silently) this.engine.messages();
            this.hear();
            this.doc = this.engine.ask("describe");
            this.shown = done ? number : -1;
            this.marked = -1;
            this.playing = false;
            this.freshCamera = true;
            this.rate = null;
            this.moveTo(0);
            if (done) {
                this.loop = this.doc.clip ? this.doc.clip.loop || this.doc.clip.frames > 1 : true;
                this.readErrors();
                this.loadTextures();
                this.readHash();
                this.draw();
            }
            this.panels.all();
            return done;
        }, number);
    }

    selectClip(clip) {
        this.guard(() => {
            this.engine.call("select", clip);
            this.hear();
            this.doc = this.engine.ask("describe");
            this.freshCamera = true;
            this.rate = null;
            this.moveTo(Math.min(this.frame, this.last()));
            this.readErrors();
            this.loadTextures();
            this.panels.all();
        });
    }

    compare(number) {
        this.guard(() => {
            const done = !!this.engine.call("set_reference", number < 0 ? NONE : number);
            this.hear();
            this.reference = done && number >= 0 ? number : -1;
            const { meshes } = this.doc;
            this.doc = this.engine.ask("describe");
            this.readErrors();
            if (this.doc.meshes !== meshes) this.loadTextures(); // it has taken bones and meshes of the reference
            this.panels.all();
        }, number);
    }

    // The file that lends its bones to the shown one: its number, AUTO or NONE.
    setBones(number) {
        this.guard(() => {
            this.engine.call("set_bones", number);
            this.hear();
            this.doc = this.engine.ask("describe");
            if (this.marked >= (this.doc.bones?.length ?? 0)) this.marked = -1;
            this.freshCamera = true;
            this.readErrors();
            this.loadTextures();
            this.panels.all();
        });
    }

    readErrors() {
        this.settle();
        this.errors = this.engine.ask("errors");
    }

    // The first picture does not wait for them.
    async loadTextures() {
        const engine = this.engine, waiting = engine.textures(), done = new Map();
        const document = this.doc;
        for (let i = 0; i < waiting.length; i++) {
            const { key, bytes } = waiting[i];
            try {
                if (!done.has(key)) {
                    const bitmap = await createImageBitmap(new Blob([bytes]), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
                    const scratch = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
                    scratch.drawImage(bitmap, 0, 0);
                    done.set(key, scratch.getImageData(0, 0, bitmap.width, bitmap.height));
                }
            } catch {
                this.say("warning", `${document.name}: warning: a texture is not shown: the browser cannot read the image`);
                continue;
            }
            if (this.engine !== engine || this.doc !== document) return;
            this.guard(() => engine.setTexture(i, done.get(key)));
            this.dirty = true;
        }
    }

    // ---- the moment ----

    last() {
        return this.doc.clip ? Math.max(0, this.doc.clip.frames - 1) : 0;
    }

    fps() {
        return this.rate ?? (this.doc.clip ? this.doc.clip.fps : 30);
    }

    // Plays at another rate than the file's; null: at its own.
    setRate(rate) {
        this.rate = rate >= 0.1 && rate <= 1000 ? rate : null;
        this.time = this.frame / this.fps();
        this.panels.transport();
        this.changed();
    }

    moveTo(frame) {
        this.frame = Math.max(0, Math.min(this.last(), Math.round(frame)));
        this.time = this.frame / this.fps();
        this.changed();
    }

    step(by) {
        this.pause();
        const count = this.last() + 1;
        const to = this.frame + by;
        this.moveTo(this.loop ? ((to % count) + count) % count : to);
    }

    play() {
        if (!this.doc.open || this.last() === 0) return;
        if (!this.loop && this.frame === this.last()) this.moveTo(0);
        this.playing = true;
        this.panels.transport();
    }

    pause() {
        this.playing = false;
        this.panels.transport();
    }

    // A looping clip runs from its last frame into its first, so it lasts one step longer.
    advance(seconds) {
        const length = (this.last() + 1) / this.fps();
        this.time += seconds * this.speed;
        if (this.time >= length && this.loop) this.time %= length;
        else if (this.time >= this.last() / this.fps() && !this.loop) {
            this.time = this.last() / this.fps();
            this.pause();
        }
        const frame = Math.min(this.last(), Math.floor(this.time * this.fps() + 1e-6));
        if (frame !== this.frame) {
            this.frame = frame;
            this.changed();
        }
    }

    mark(bone) {
        this.marked = bone;
        this.settle();
        this.errors = this.doc.open ? this.engine.ask("errors") : {};
        this.panels.bone();
        this.changed();
    }

    toggle(what) {
        this.show[what] = !this.show[what];
        this.settle();
        this.panels.toggles();
    }

    setTheme(theme, chosen = true) {
        this.theme = theme;
        document.documentElement.dataset.theme = theme;
        this.settle();
        if (!chosen) return;
        try {
            localStorage.setItem("ember-theme", theme);
        } catch {
            // storage may be forbidden
        }
    }

    // Tells the engine what is to be seen.
    settle() {
        this.changed();
        if (!this.engine) return;
        const flags = Object.keys(SHOW).reduce((sum, name) => sum + (this.show[name] ? SHOW[name] : 0), 0);
        const before = this.theme + this.up;
        this.guard(() => this.engine.call("set", flags, this.marked, BACKGROUND[this.theme], this.crowd, this.up));
        if (this.doc.open && this.settled !== undefined && this.settled !== before) this.loadTextures();
        this.settled = before;
    }

    changed() {
        this.dirty = true;
        this.momentChanged = true;
    }

    // ---- the picture ----

    size() {
        const box = el("stage").getBoundingClientRect(), ratio = Math.min(2, devicePixelRatio || 1);
        return { width: Math.max(1, Math.round(box.width * ratio)), height: Math.max(1, Math.round(box.height * ratio)), ratio };
    }

    resize() {
        const { width, height } = this.size();
        if (this.canvas.width === width && this.canvas.height === height) return;
        this.canvas.width = width;
        this.canvas.height = height;
        this.guard(() => this.engine.call("resize", width, height));
        if (this.doc.open) this.draw();
        this.panels.curves();
    }

    draw() {
        this.dirty = false;
        if (!this.doc.open) return;
        this.guard(() => {
            if (!this.engine.draw(this.frame)) this.hear();
            drawNames(this);
            this.stoppedBy = undefined;
        });
    }

    tick(now) {
        const seconds = Math.min(0.25, (now - (this.before ?? now)) / 1000);
        this.before = now;
        requestAnimationFrame((then) => this.tick(then));
        if (this.playing) this.advance(seconds);
        if (this.dirty) this.draw();
        if (!this.momentChanged) return;
        this.momentChanged = false;
        this.guard(() => this.panels.moment());
        drawLine(this);
        drawErrors(this);
        this.writeHashSoon();
    }

    // Pixels of a picture of any size, RGBA, the top row first; the canvas is as it was.
    picture(width, height) {
        const before = [this.canvas.width, this.canvas.height];
        return this.guard(() => {
            this.engine.call("resize", width, height);
            if (this.freshCamera) this.engine.call("frame_all");
            this.engine.call("draw", this.frame, 0);
            const pixels = this.engine.call("picture") ? this.engine.out() : null;
            this.engine.call("resize", ...before);
            this.draw();
            return pixels;
        });
    }

    async savePicture() {
        if (!this.doc.open) return;
        const { width, height } = this.canvas;
        const pixels = this.picture(width, height);
        if (!pixels) return;
        const page = new OffscreenCanvas(width, height);
        page.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0);
        this.download(await page.convertToBlob(), `${fileName(this.doc.name)}-${this.frame}.png`);
    }

    download(blob, name) {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(blob);
        link.download = name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }

    // ---- the address ----

    momentHash() {
        const words = new URLSearchParams();
        words.set("file", this.doc.name);
        if (this.doc.clip) words.set("clip", this.doc.clip.name);
        words.set("frame", this.frame);
        if (this.reference >= 0) words.set("reference", this.files[this.reference].name);
        if (this.doc.lenders && this.doc.lenders.chosen !== "auto") words.set("bones", this.doc.lenders.chosen);
        if (this.marked >= 0) words.set("bone", this.marked);
        words.set("show", Object.keys(this.show).filter((name) => this.show[name]).join("."));
        if (this.up) words.set("up", this.up);
        if (this.crowd > 1) words.set("crowd", this.crowd);
        words.set("camera", this.engine.camera().map((value) => Number(value.toPrecision(6))).join("_"));
        return words.toString();
    }

    writeHashSoon() {
        clearTimeout(this.hashTimer);
        this.hashTimer = setTimeout(() => {
            if (!this.doc.open || this.playing) return;
            this.ownHash = this.momentHash();
            history.replaceState(null, "", `#${this.ownHash}`);
        }, 250);
    }

    readHash() {
        const text = location.hash.slice(1), words = new URLSearchParams(text);
        if (!text || text === this.ownHash || !this.doc.open) return;
        if (words.has("file") && words.get("file") !== this.doc.name) {
            const number = this.files.findIndex((file) => file.name === words.get("file"));
            if (number >= 0 && number !== this.shown) this.openFile(number);
            return;
        }
        this.ownHash = text; // followed once: what is opened next is not led back here
        if (words.has("bones") && this.doc.lenders) {
            const lender = this.doc.lenders.files.find((i) => this.files[i].name === words.get("bones"));
            if (lender !== undefined || words.get("bones") === "none") this.setBones(lender ?? NONE);
        }
        const clip = this.doc.clips.findIndex(({ name }) => name === words.get("clip"));
        if (clip >= 0 && clip !== this.doc.chosen) this.selectClip(clip);
        if (words.has("show")) for (const name of Object.keys(this.show)) this.show[name] = words.get("show").split(".").includes(name);
        this.up = Number(words.get("up")) % 3 || 0;
        this.crowd = Math.max(1, Math.min(1000, Number(words.get("crowd")) || 1));
        const bone = words.has("bone") ? Number(words.get("bone")) : -1;
        this.marked = bone >= 0 && bone < this.doc.bones.length ? bone : -1;
        this.settle();
        if (this.crowd > 1) this.engine.call("frame_all");
        const camera = (words.get("camera") || "").split("_").map(Number);
        if (camera.length === 6 && camera.every(Number.isFinite)) {
            this.engine.call("set_camera", ...camera);
            this.freshCamera = false;
        }
        const other = this.files.findIndex((file) => file.name === words.get("reference"));
        if (other !== this.reference && other !== this.shown) this.compare(other);
        this.moveTo(Number(words.get("frame")) || 0);
        this.readErrors();
        this.panels.all();
    }

    async copyLink() {
        if (!this.doc.open) return;
        const link = `${location.href.split("#")[0]}#${this.momentHash()}`;
        try {
            await navigator.clipboard.writeText(link);
            this.say("note", "the link to this moment is copied");
        } catch {
            history.replaceState(null, "", link);
            this.say("note", "the address above is the link to this moment");
        }
    }
}

const app = new App();
window.ember = app; // for those who script the page, its tests among them
app.start().catch((problem) => app.say("error", problem.message));
