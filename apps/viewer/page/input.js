// SPDX-License-Identifier: MIT
// Keys, pointers, menus and dropped files.

import { el } from "./panels.js";
import { timelineFrame } from "./plots.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const TURN = 0.008; // radians a pixel

export function listen(app) {
    buttons(app);
    menus(app);
    lists(app);
    keys(app);
    pointer(app);
    timeline(app);
    dropping(app);
}

function pickFiles(app, asReference = false) {
    app.pickReference = asReference;
    el("picker").click();
}

function looked(app) {
    app.freshCamera = false;
    app.changed();
}

function frameAll(app) {
    if (!app.doc.open) return;
    app.engine.call("frame_all");
    app.freshCamera = true;
    app.changed();
}

function faster(app, by) {
    app.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(app.speed) + by))];
    app.panels.transport();
}

function loop(app) {
    app.loop = !app.loop;
    app.panels.transport();
}

function marker(app, by) {
    const frames = (app.doc.clip?.markers ?? []).map(({ frame }) => frame).sort((a, b) => a - b);
    const to = by > 0 ? frames.find((frame) => frame > app.frame) : frames.reverse().find((frame) => frame < app.frame);
    app.pause();
    if (to !== undefined) app.moveTo(to);
}

function clipBy(app, by) {
    if (!app.doc.open || !app.doc.clips.length) return;
    const to = app.doc.chosen + by;
    if (to >= 0 && to < app.doc.clips.length) app.selectClip(to);
}

function buttons(app) {
    const on = (id, work) => el(id).addEventListener("click", work);
    on("open", () => pickFiles(app));
    on("open-big", () => pickFiles(app));
    on("first", () => (app.pause(), app.moveTo(0)));
    on("back", () => app.step(-1));
    on("play", () => (app.playing ? app.pause() : app.play()));
    on("next", () => app.step(1));
    on("last", () => (app.pause(), app.moveTo(app.last())));
    on("loop", () => loop(app));
    on("theme", () => app.setTheme(app.theme === "dark" ? "light" : "dark"));
    on("help", () => el("help-dialog").showModal());
    on("convert", () => app.panels.openConvert());
    on("download", () => app.panels.download());
    on("frame-all", () => frameAll(app));
    on("snapshot", () => app.savePicture());
    on("link", () => app.copyLink());
    on("worst", () => {
        app.pause();
        app.mark(app.errors.worst_bone);
        app.moveTo(app.errors.worst_frame);
    });
    for (const button of document.querySelectorAll("[data-show]")) button.addEventListener("click", () => app.toggle(button.dataset.show));
}

function menus(app) {
    el("picker").addEventListener("change", (event) => {
        app.openDropped([...event.target.files], app.pickReference);
        event.target.value = "";
    });
    el("file").addEventListener("change", (event) => app.openFile(Number(event.target.value)));
    el("reference").addEventListener("change", (event) => {
        if (event.target.value === "open") {
            app.panels.filesMenu();
            pickFiles(app, true);
        } else app.compare(event.target.value === "" ? -1 : Number(event.target.value));
    });
    el("bones-from").addEventListener("change", (event) => app.setBones(Number(event.target.value)));
    el("speed").addEventListener("change", (event) => (app.speed = Number(event.target.value)));
    el("fps").addEventListener("change", (event) => app.setRate(event.target.value === "" ? null : Number(event.target.value)));
    el("up").addEventListener("change", (event) => {
        app.up = Number(event.target.value);
        app.settle();
    });
    el("convert-format").addEventListener("change", () => app.panels.convertNow());
    el("convert-clip").addEventListener("change", () => app.panels.convertNow());
    el("filter").addEventListener("input", () => app.panels.bonesTree());
}

function lists(app) {
    el("clips").addEventListener("click", (event) => {
        const item = event.target.closest("[data-clip]");
        if (item) app.selectClip(Number(item.dataset.clip));
    });
    el("clips").addEventListener("scroll", () => app.panels.clipScrolled());
    el("clips").addEventListener("keydown", (event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        const to = { Home: 0, End: app.doc.clips?.length - 1 }[event.key];
        if (by) clipBy(app, by);
        else if (to !== undefined && app.doc.open) app.selectClip(to);
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    el("bones").addEventListener("click", (event) => {
        const item = event.target.closest("[data-bone]");
        if (!item) return;
        const bone = Number(item.dataset.bone);
        if (event.target.classList.contains("fold") && item.hasAttribute("aria-expanded")) app.panels.fold(bone, item.getAttribute("aria-expanded") === "true");
        else app.mark(bone === app.marked ? -1 : bone);
    });
    el("bones").addEventListener("keydown", (event) => {
        if (boneKey(app, event.key)) {
            event.preventDefault();
            event.stopPropagation();
        }
    });
}

// As trees are walked everywhere: right opens or goes in, left shuts or goes out.
function boneKey(app, key) {
    const list = app.panels.listed ?? [], at = list.findIndex(({ bone }) => bone === app.marked), here = list[at];
    const go = (to) => (list[to] && app.mark(list[to].bone), true);
    if (!list.length) return false;
    if (key === "ArrowDown") return go(Math.min(list.length - 1, at + 1));
    if (key === "ArrowUp") return go(Math.max(0, at - 1));
    if (key === "Home") return go(0);
    if (key === "End") return go(list.length - 1);
    if (key === "Escape") return app.mark(-1), true;
    if (!here || (key !== "ArrowLeft" && key !== "ArrowRight")) return false;
    const folded = app.panels.folded.has(here.bone);
    if (key === "ArrowRight" && here.branch) return folded ? (app.panels.fold(here.bone, false), true) : go(at + 1);
    if (key === "ArrowLeft" && here.branch && !folded) return app.panels.fold(here.bone, true), true;
    const parent = list.findIndex(({ bone }) => bone === app.doc.bones[here.bone].parent);
    return key === "ArrowLeft" && parent >= 0 ? go(parent) : true;
}

// ---- keys ----

function keys(app) {
    const letters = {
        m: () => app.toggle("mesh"), b: () => app.toggle("bones"), n: () => app.toggle("names"), a: () => app.toggle("axes"),
        o: () => app.toggle("onion"), r: () => app.toggle("rest"), e: () => app.toggle("reference"), l: () => loop(app), f: () => frameAll(app),
        c: () => app.panels.openConvert(), p: () => app.savePicture(), k: () => app.copyLink(),
        t: () => app.setTheme(app.theme === "dark" ? "light" : "dark"), "?": () => el("help-dialog").showModal(),
        "[": () => faster(app, -1), "]": () => faster(app, 1), ",": () => marker(app, -1), ".": () => marker(app, 1),
        "+": () => zoom(app, 0.9), "=": () => zoom(app, 0.9), "-": () => zoom(app, 1 / 0.9),
        PageUp: () => clipBy(app, -1), PageDown: () => clipBy(app, 1),
        Home: () => (app.pause(), app.moveTo(0)), End: () => (app.pause(), app.moveTo(app.last())),
    };
    document.addEventListener("keydown", (event) => {
        const typing = event.target.matches("input, select, textarea"), dialog = event.target.closest("dialog");
        if ((event.ctrlKey || event.metaKey) && event.key === "o") {
            event.preventDefault();
            pickFiles(app);
        }
        if (typing || dialog || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.target === app.canvas && arrows(app, event)) return event.preventDefault();
        if (event.key === " " && event.target.matches("button")) return undefined;
        const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (event.key === " ") app.playing ? app.pause() : app.play();
        else if (way) app.step(way * (event.shiftKey ? 10 : 1));
        else if (letters[event.key] ?? letters[event.key.toLowerCase()]) (letters[event.key] ?? letters[event.key.toLowerCase()])();
        else return undefined;
        return event.preventDefault();
    });
}

function arrows(app, event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!way || !app.doc.open) return false;
    if (event.shiftKey) app.engine.call("pan", way[0] * 0.05, way[1] * 0.05);
    else app.engine.call("orbit", way[0] * 0.1, way[1] * 0.1);
    looked(app);
    return true;
}

function zoom(app, factor) {
    if (!app.doc.open) return;
    app.engine.call("zoom", factor);
    looked(app);
}

// ---- the picture ----

function pointer(app) {
    const { canvas } = app, down = new Map();
    let moved = 0, apart = 0;
    const middle = () => [...down.values()].reduce((sum, [x, y]) => [sum[0] + x / down.size, sum[1] + y / down.size], [0, 0]);
    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        down.set(event.pointerId, [event.clientX, event.clientY]);
        moved = down.size > 1 ? 100 : 0;
        apart = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
        if (!down.has(event.pointerId) || !app.doc.open) return;
        const before = middle();
        down.set(event.pointerId, [event.clientX, event.clientY]);
        const now = middle(), dx = now[0] - before[0], dy = now[1] - before[1], height = canvas.clientHeight;
        moved += Math.abs(dx) + Math.abs(dy);
        if (down.size === 2) {
            const [a, b] = [...down.values()], gap = Math.hypot(a[0] - b[0], a[1] - b[1]);
            if (apart) app.engine.call("zoom", apart / Math.max(1, gap));
            apart = gap;
        }
        if (down.size > 1 || event.buttons & 6 || event.shiftKey) app.engine.call("pan", dx / height, -dy / height);
        else app.engine.call("orbit", -dx * TURN, dy * TURN);
        looked(app);
    });
    const up = (event) => {
        if (down.delete(event.pointerId) && event.type === "pointerup" && moved < 4 && event.button === 0) pick(app, event);
        apart = 0;
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => frameAll(app));
    canvas.addEventListener("wheel", (event) => {
        event.preventDefault();
        zoom(app, Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * (event.deltaMode ? 0.03 : 0.002)));
    }, { passive: false });
}

function pick(app, event) {
    if (!app.doc.open) return;
    const box = app.canvas.getBoundingClientRect(), places = app.engine.places(app.frame, app.doc.bones.length);
    let best = -1, least = 24;
    for (let i = 0; i < app.doc.bones.length; i++) {
        const far = Math.hypot(places[2 * i] * box.width - (event.clientX - box.left), places[2 * i + 1] * box.height - (event.clientY - box.top));
        if (far < least) [best, least] = [i, far];
    }
    if (best >= 0 || app.marked >= 0) app.mark(best);
}

// ---- the timeline ----

function timeline(app) {
    const line = el("timeline");
    const scrub = (event) => {
        if (!(event.buttons & 1)) return;
        app.pause();
        app.moveTo(timelineFrame(app, event.clientX));
    };
    line.addEventListener("pointerdown", (event) => {
        line.setPointerCapture(event.pointerId);
        scrub(event);
    });
    line.addEventListener("pointermove", scrub);
    line.addEventListener("keydown", (event) => {
        const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!by) return;
        app.step(by);
        event.preventDefault();
    });
}

// ---- dropped files ----

function dropping(app) {
    const cover = el("drop");
    const files = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    document.addEventListener("dragover", (event) => {
        if (!files(event)) return;
        event.preventDefault();
        cover.hidden = false;
    });
    document.addEventListener("dragleave", (event) => {
        if (!event.relatedTarget) cover.hidden = true;
    });
    document.addEventListener("drop", (event) => {
        if (!files(event)) return;
        event.preventDefault();
        cover.hidden = true;
        const { shiftKey } = event, entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.());
        if (entries.some((entry) => entry?.isDirectory)) filesIn(entries, app).then((list) => app.openDropped(list, shiftKey));
        else app.openDropped([...event.dataTransfer.files], shiftKey);
    });
}

const FOLDER_MOST = 1000; // files

// All files of dropped folders, named by their paths.
async function filesIn(entries, app) {
    const waiting = entries.filter((entry) => entry).reverse(), list = [];
    while (waiting.length && list.length < FOLDER_MOST) {
        const entry = waiting.pop();
        try {
            if (entry.isDirectory) waiting.push(...(await childrenOf(entry)).filter(({ name }) => !name.startsWith(".")).sort((a, b) => (a.name < b.name ? 1 : -1)));
            else list.push(Object.assign(await new Promise((done, failed) => entry.file(done, failed)), { path: entry.fullPath.replace(/^\//, "") }));
        } catch (problem) {
            app.say("error", `${entry.name}: cannot read: ${problem.message}`);
        }
    }
    if (waiting.length) app.say("warning", `only the first ${FOLDER_MOST} files are opened`);
    return list;
}

// Browsers give them in parts, and nothing after the last.
async function childrenOf(folder) {
    const reader = folder.createReader(), all = [];
    for (;;) {
        const part = await new Promise((done, failed) => reader.readEntries(done, failed));
        if (!part.length) return all;
        all.push(...part);
    }
}
