// SPDX-License-Identifier: MIT
// Lists, values and dialogs: what stands around the picture.

import { AUTO, NONE } from "./engine.js";
import { errorColor, largest } from "./plots.js";

export const el = (id) => document.getElementById(id);

// Within the list alone: scrollIntoView would also move the page, and the picture out of sight.
function scrollTo(list, item) {
    const top = item.getBoundingClientRect().top - list.getBoundingClientRect().top, bottom = top + item.offsetHeight;
    if (top < 0) list.scrollTop += top;
    else if (bottom > list.clientHeight) list.scrollTop += bottom - list.clientHeight;
}

// Characters that break a line or turn the direction of what follows would let a name read as another: they are shown as the command shows them, byte by byte.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const hex = (byte) => `\\x${byte.toString(16).padStart(2, "0")}`;
export const shown = (text) => text.replace(CONTROL, (sign) => ({ "\n": "\\n", "\t": "\\t" })[sign] ?? [...new TextEncoder().encode(sign)].map(hex).join(""));
// What a file may be called everywhere.
export const fileName = (text) => text.replace(CONTROL, "_").replace(/[\\/:*?"<>|]/g, "_");

const MESSAGES_SEEN = 3, MESSAGES_MOST = 2000; // at once; in the list
const ROWS_MOST = 400; // clips in the page at once
const BURST = 1000; // milliseconds of silence between what belongs together

const grouped = (number) => Math.round(number).toLocaleString("en");

function make(tag, text, more = {}) {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = shown(text);
    for (const [name, value] of Object.entries(more)) node.setAttribute(name, name === "title" ? shown(value) : value);
    return node;
}

export class Panels {
    constructor(app) {
        this.app = app;
        this.formats = [];
        this.folded = new Set();
    }

    all() {
        this.filesMenu();
        this.clips();
        this.bonesTree();
        this.facts();
        this.toggles();
        this.transport();
        this.bone();
        this.curves();
        const open = this.app.doc.open;
        el("empty").hidden = open;
        document.title = open ? `${shown(this.app.doc.name)} – ember viewer` : "ember viewer";
    }

    // ---- messages ----

    message(level, text) {
        const line = make("p", undefined, { class: level });
        if (level === "error") line.setAttribute("role", "alert");
        const close = make("button", "×", { type: "button", "aria-label": "Dismiss" });
        const box = el("messages"), last = [...box.querySelectorAll("p")].at(-1), now = performance.now();
        if (now - (this.spoke ?? -BURST) >= BURST) this.burst = (this.burst ?? 0) + 1;
        this.spoke = now;
        line.dataset.burst = this.burst;
        close.addEventListener("click", () => (line.remove(), this.arrange()));
        line.append(make("span", text), close);
        if (last?.firstChild.textContent === line.firstChild.textContent) last.remove();
        if (box.childElementCount > MESSAGES_MOST) this.unlisted = (this.unlisted ?? 0) + 1;
        else box.append(line);
        // Where there are too many to read at once, they wait to be read.
        if (level !== "error") setTimeout(() => !box.querySelector(".more") && (line.remove(), this.arrange()), 9000);
        if (!this.arranging) queueMicrotask(() => this.arrange());
        this.arranging = true;
    }

    // Of what was said last the first few, errors before all; the others behind a button.
    arrange() {
        const box = el("messages"), lines = [...box.querySelectorAll("p")], open = box.classList.contains("all") && lines.length > MESSAGES_SEEN;
        const rank = (line) => (Number(line.dataset.burst) === this.burst ? 0 : 2) + (line.classList.contains("error") ? 0 : 1);
        const seen = new Set([...lines].sort((a, b) => rank(a) - rank(b)).slice(0, MESSAGES_SEEN));
        this.arranging = false;
        box.classList.toggle("all", open);
        for (const line of lines) line.hidden = !open && !seen.has(line);
        const had = box.contains(document.activeElement) && document.activeElement.closest(".more");
        box.querySelector(".more")?.remove();
        if (lines.length <= MESSAGES_SEEN) return;
        const unlisted = this.unlisted ? `, and ${grouped(this.unlisted)} that are not listed` : "";
        const bar = make("div", undefined, { class: "more" });
        const more = make("button", open ? `show fewer${unlisted}` : `and ${grouped(lines.length - MESSAGES_SEEN)} more${unlisted}`, { type: "button", "aria-expanded": String(open) });
        const clear = make("button", "dismiss all", { type: "button" });
        more.addEventListener("click", () => (box.classList.toggle("all"), this.arrange()));
        clear.addEventListener("click", () => (box.replaceChildren(), (this.unlisted = 0)));
        bar.append(more, clear);
        box.append(bar);
        if (had) more.focus();
    }

    // ---- files ----

    filesMenu() {
        const { files, shown, reference, doc } = this.app;
        const menu = el("file");
        menu.replaceChildren(...files.map((file, i) => make("option", file.name, { value: i })));
        if (!files.length) menu.append(make("option", "no file"));
        menu.disabled = !files.length;
        menu.selectedIndex = files.length ? shown : 0;
        const other = el("reference");
        const options = files.map((file, i) => [file.name, i]).filter(([, i]) => i !== shown);
        other.replaceChildren(make("option", "Reference: none", { value: "" }), ...options.map(([name, i]) => make("option", `Reference: ${name}`, { value: i })));
        other.append(make("option", "Reference: open…", { value: "open" }));
        other.value = reference >= 0 ? String(reference) : "";
        other.disabled = !doc.open;
        el("convert").disabled = !doc.open;
    }

    facts() {
        const { doc } = this.app, list = [];
        if (doc.open) {
            list.push(["kind", doc.title], ["size", `${grouped(doc.size)} B`]);
            if (doc.records) list.push(["per bone and frame", `${(doc.size / doc.records).toFixed(1)} B`]);
            if (doc.clip) {
                const { frames, fps, rated, loop, space } = doc.clip;
                const seconds = (loop || frames === 0 ? frames : frames - 1) / fps;
                list.push(["clip", doc.clip.name], ["frames", `${frames} at ${fps} fps${rated ? "" : " (assumed)"}, ${seconds.toFixed(2)} s`], ["loops", loop ? "yes" : "no"], ["space", space]);
            }
            list.push(["bones", `${doc.bones.length}${doc.helper ? `, from ${doc.helper}` : ""}`]);
            if (doc.meshes) list.push(["meshes", String(doc.meshes)]);
            if (doc.bones.length > 1 && doc.lenders && !doc.helper) list.push(["note", "the bones have no parents here: drop the model they belong to as well"]);
        }
        el("facts").replaceChildren(...list.flatMap(([name, value]) => [make("dt", name), make("dd", value, { class: "wrap" })]));
        this.lenders();
        el("stats").textContent = doc.open ? `${doc.bones.length} bones · ${grouped(doc.size)} B` : "";
    }

    // Of a file without bones of its own: whose it has.
    lenders() {
        const { doc, files } = this.app, { lenders } = doc, menu = el("bones-from");
        el("bones-from-label").hidden = !lenders;
        if (!lenders) return;
        const found = lenders.chosen === "auto" && doc.helper ? `: ${doc.helper}` : "";
        const number = lenders.files.find((i) => files[i].name === lenders.chosen);
        menu.replaceChildren(make("option", `automatic${found}`, { value: AUTO }), ...lenders.files.map((i) => make("option", files[i].name, { value: i })), make("option", "none", { value: NONE }));
        menu.value = String(number ?? (lenders.chosen === "none" ? NONE : AUTO));
    }

    // ---- clips ----

    clips() {
        const { doc } = this.app, list = el("clips"), count = doc.open ? doc.clips.length : 0;
        el("clip-count").textContent = count || "";
        this.clipWindow(list.scrollTop);
        if (!doc.open || doc.chosen < 0) return;
        if (count > ROWS_MOST) {
            const height = this.rowHeight, top = doc.chosen * height, to = Math.max(top + height - list.clientHeight, Math.min(top, list.scrollTop));
            if (to !== list.scrollTop) this.clipWindow(to);
            list.scrollTop = to;
        }
        list.setAttribute("aria-activedescendant", `clip-${doc.chosen}`);
        if (el(`clip-${doc.chosen}`)) scrollTo(list, el(`clip-${doc.chosen}`));
    }

    // Of very many clips only those around the place that the list is scrolled to are in the page, with room in place of the others: a browser takes seconds for 20,000.
    clipWindow(top) {
        const { doc } = this.app, clips = doc.open ? doc.clips : [], many = clips.length > ROWS_MOST;
        const height = this.rowHeight ?? 24;
        const first = many ? Math.max(0, Math.min(clips.length - ROWS_MOST, Math.floor(top / height) - ROWS_MOST / 2)) : 0, last = many ? first + ROWS_MOST : clips.length;
        const space = (rows) => {
            const item = make("li", undefined, { role: "presentation", class: "space" });
            item.style.height = `${rows * height}px`;
            return rows > 0 ? [item] : [];
        };
        const rows = clips.slice(first, last).map(({ name, frames }, k) => {
            const i = first + k, item = make("li", undefined, { role: "option", id: `clip-${i}`, "aria-selected": String(i === doc.chosen), "data-clip": i, title: name });
            if (many) for (const [key, value] of [["aria-setsize", clips.length], ["aria-posinset", i + 1]]) item.setAttribute(key, value);
            item.append(make("span", name || "(unnamed)"), make("span", String(frames), { class: "weak mono", "aria-label": `${frames} frames` }));
            return item;
        });
        this.clipFirst = first;
        el("clips").replaceChildren(...space(first), ...rows, ...space(clips.length - last));
        const measured = many ? rows[0].getBoundingClientRect().height : 0;
        if (measured > 0 && Math.abs(measured - height) > 0.01) {
            this.rowHeight = measured;
            this.clipWindow(top);
        }
    }

    clipScrolled() {
        const { doc } = this.app, { scrollTop } = el("clips"), count = doc.open ? doc.clips.length : 0;
        if (count <= ROWS_MOST) return;
        const row = scrollTop / (this.rowHeight ?? 24) - this.clipFirst;
        if ((row < ROWS_MOST / 4 && this.clipFirst > 0) || (row > ROWS_MOST * 0.7 && this.clipFirst + ROWS_MOST < count)) this.clipWindow(scrollTop);
    }

    // ---- bones ----

    // Bones in the order of the tree: index and depth; those in folded branches, or that the search does not find, left out.
    visibleBones() {
        const { doc } = this.app, children = new Map(), list = [];
        const wanted = el("filter").value.trim().toLowerCase();
        if (!doc.open) return list;
        doc.bones.forEach(({ parent }, i) => children.set(parent, [...(children.get(parent) ?? []), i]));
        if (wanted) {
            doc.bones.forEach((_, i) => this.boneName(i).toLowerCase().includes(wanted) && list.push({ bone: i, depth: 0, branch: false }));
            return list;
        }
        const waiting = [...(children.get(-1) ?? [])].reverse().map((bone) => ({ bone, depth: 0 }));
        while (waiting.length) {
            const { bone, depth } = waiting.pop(), below = children.get(bone) ?? [];
            list.push({ bone, depth, branch: below.length > 0 });
            if (!this.folded.has(bone)) for (const child of [...below].reverse()) waiting.push({ bone: child, depth: depth + 1 });
        }
        return list;
    }

    boneName(bone) {
        return shown(this.app.doc.bones[bone]?.name ?? `bone ${bone}`);
    }

    bonesTree() {
        const { doc, errors, marked } = this.app, tree = el("bones");
        const most = errors.bones ? largest(errors.bones) : 0;
        this.listed = this.visibleBones();
        el("bone-count").textContent = doc.open ? doc.bones.length : "";
        tree.replaceChildren(
            ...this.listed.map(({ bone, depth, branch }) => {
                const open = !this.folded.has(bone);
                const item = make("li", undefined, { role: "treeitem", id: `bone-${bone}`, "data-bone": bone, "aria-level": depth + 1, "aria-selected": String(bone === marked) });
                if (branch) item.setAttribute("aria-expanded", String(open));
                const fold = make("span", branch ? (open ? "▾" : "▸") : "", { class: "fold", "aria-hidden": "true" });
                fold.style.marginLeft = `${depth * 0.6}rem`;
                item.append(fold, make("span", this.boneName(bone), { class: "label" }));
                if (errors.bones && errors.bones[bone] >= 0) {
                    const dot = make("span", undefined, { class: "mark", title: "its largest error" });
                    if (bone === errors.worst_bone) item.append(make("span", "worst", { class: "worst" }));
                    dot.style.background = errorColor(most > 0 ? errors.bones[bone] / most : 0);
                    item.append(dot);
                }
                return item;
            }),
        );
        this.markBone();
    }

    markBone() {
        const { marked } = this.app, tree = el("bones");
        for (const item of tree.children) item.setAttribute("aria-selected", String(Number(item.dataset.bone) === marked));
        if (marked >= 0 && el(`bone-${marked}`)) {
            tree.setAttribute("aria-activedescendant", `bone-${marked}`);
            scrollTo(tree, el(`bone-${marked}`));
        } else tree.removeAttribute("aria-activedescendant");
    }

    fold(bone, shut) {
        if (shut) this.folded.add(bone);
        else this.folded.delete(bone);
        this.bonesTree();
    }

    // ---- values ----

    bone() {
        const { marked } = this.app;
        el("bone-title").textContent = marked >= 0 ? `Bone ${marked}: ${this.boneName(marked)}` : "Bone";
        this.markBone();
        this.values();
    }

    values() {
        const { app } = this, { marked, doc } = app;
        const chosen = doc.open && marked >= 0;
        const moved = chosen && app.engine.call("bone", app.frame, marked);
        const value = moved ? JSON.parse(app.engine.outText()) : {};
        el("bone").hidden = !moved;
        el("bone-hint").hidden = moved;
        const still = doc.clips?.length ? "The clip does not move this bone." : "There is no clip in the file, and no rest pose.";
        el("bone-hint").textContent = chosen ? still : "Choose a bone in the list or click it in the picture.";
        if (!moved) return;
        el("v-stored").textContent = value.stored || "no bits of its own: curves or floats";
        el("v-degrees").textContent = value.degrees.map((text) => `${text}°`).join("  ");
        for (const name of ["position", "scale"]) el(`v-${name}`).textContent = value[name].join("  ");
        el("v-quaternion").textContent = value.quaternion.join(" ");
        for (const node of document.querySelectorAll(".with-error")) node.hidden = !app.errors.marked;
        if (app.errors.marked) el("v-error").textContent = `${app.errors.marked_worst} at most`;
    }

    curves() {
        const { app } = this, { errors } = app;
        const compared = !!errors.frames;
        el("errors").hidden = !compared;
        document.querySelector('[data-show="reference"]').hidden = !compared;
        if (compared) {
            el("reference-name").textContent = shown(app.doc.reference);
            el("worst").textContent = `${errors.worst} at ${this.boneName(errors.worst_bone)}, frame ${errors.worst_frame}`;
            el("mean").textContent = errors.mean;
        }
        app.changed();
    }

    // ---- the moment ----

    moment() {
        const { app } = this, last = app.last();
        const slider = el("timeline");
        slider.setAttribute("aria-valuemax", last);
        slider.setAttribute("aria-valuenow", app.frame);
        slider.setAttribute("aria-valuetext", `frame ${app.frame} of ${last + 1}, ${(app.frame / app.fps()).toFixed(2)} seconds`);
        const marker = app.doc.clip?.markers.filter(({ frame }) => frame === app.frame).map(({ name }) => name).join(", ");
        if (marker) slider.setAttribute("aria-valuetext", `${slider.getAttribute("aria-valuetext")}, marker ${shown(marker)}`);
        el("marker-text").textContent = marker ? `◆ ${shown(marker)}` : "";
        el("frame-text").textContent = app.doc.open ? `frame ${app.frame}/${last + 1}` : "–";
        el("time-text").textContent = app.doc.open ? `${(app.frame / app.fps()).toFixed(2)} s` : "";
        this.values();
    }

    transport() {
        const { app } = this;
        const button = el("play");
        el("play-shape").setAttribute("d", app.playing ? "M3 2h4v12H3zM9 2h4v12H9z" : "M4 2v12l10-6z");
        button.setAttribute("aria-label", app.playing ? "Pause (Space)" : "Play (Space)");
        el("loop").setAttribute("aria-pressed", String(app.loop));
        el("speed").value = String(app.speed);
        el("fps").value = app.doc.open ? String(Number(app.fps().toFixed(3))) : "";
        el("fps").disabled = !app.doc.open;
        for (const id of ["first", "back", "play", "next", "last"]) el(id).disabled = !app.doc.open || app.last() === 0;
    }

    toggles() {
        const { show, doc, up } = this.app;
        for (const button of document.querySelectorAll("[data-show]")) button.setAttribute("aria-pressed", String(show[button.dataset.show]));
        document.querySelector('[data-show="mesh"]').disabled = !doc.meshes;
        document.querySelector('[data-show="rest"]').disabled = !doc.rest;
        el("up").value = String(up);
        el("toggles").hidden = !doc.open;
    }

    // ---- formats ----

    // ROMs are no format of models, so the engine does not list them.
    takeFormats(formats) {
        this.formats = formats;
        const read = formats.filter(({ reads }) => reads).map(({ extensions }) => extensions.split(" ")[0]);
        el("opens").textContent = ["ewz", ...read].map((name) => name.includes("?") ? name : `.${name}`).join(" · ");
    }

    // ---- converting ----

    openConvert() {
        const { doc } = this.app;
        if (!doc.open) return;
        const list = this.formats.filter(({ writes }) => writes);
        const before = el("convert-format").value;
        el("convert-format").replaceChildren(...list.map(({ name, title }) => make("option", `${title} (${name})`, { value: name })));
        if (before) el("convert-format").value = before;
        el("convert-dialog").showModal();
        this.convertNow();
    }

    // Makes the file at once, so that its size and what it loses are seen before it is downloaded.
    convertNow() {
        const { app } = this, format = this.formats.find(({ name }) => name === el("convert-format").value);
        el("convert-clip").disabled = format.one_clip;
        if (format.one_clip) el("convert-clip").value = "one";
        const one = el("convert-clip").value === "one" && app.doc.chosen >= 0;
        const stem = one && app.doc.clip.name ? app.doc.clip.name : app.doc.name.replace(/\.[^.]*$/, "");
        const name = `${fileName(stem)}.${format.extensions.split(" ")[0]}`;
        const bytes = app.guard(() => app.engine.convert(format.name, one ? app.doc.chosen : NONE, name)) ?? null;
        const notes = app.engine.messages().filter(({ level }) => level !== "detail");
        this.converted = bytes ? { bytes, name } : null;
        if (bytes && app.doc.helper) notes.push({ level: "note", text: `with the bones of ${app.doc.helper}` });
        el("convert-result").textContent = bytes ? `${name}  ${grouped(bytes.length)} B` : "";
        el("convert-notes").replaceChildren(...notes.map(({ level, text }) => make("li", text, { class: level })));
        el("download").disabled = !bytes;
    }

    download() {
        if (this.converted) this.app.download(new Blob([this.converted.bytes]), this.converted.name);
    }
}
