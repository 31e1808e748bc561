// SPDX-License-Identifier: MIT
// What is drawn by the page itself: the timeline with its markers, the curve of errors, bone names over the picture.

import { el } from "./panels.js";

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// From green over yellow to red, as `ember preview` has it.
export function errorColor(part) {
    const stops = [[70, 190, 110], [250, 205, 70], [235, 60, 50]], at = Math.max(0, Math.min(1, part)) * 2, stop = at < 1 ? 0 : 1;
    return `rgb(${stops[stop].map((c, i) => Math.round(c + (stops[stop + 1][i] - c) * (at - stop))).join(" ")})`;
}

export const largest = (values) => values.reduce((most, value) => (value > most ? value : most), -1);

// The largest of each of so many parts, in their order; few values are left as they are.
function parts(values, count) {
    if (values.length <= count) return values;
    return Array.from({ length: count }, (_, i) => largest(values.slice(Math.floor((i * values.length) / count), Math.max(Math.floor(((i + 1) * values.length) / count), 1))));
}

// The canvas at the screen's own pixels, cleared; null where it is not seen.
function begin(canvas) {
    const box = canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    if (!box.width || !box.height) return null;
    const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);
    if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, box.width, box.height);
    return { pen, width: box.width, height: box.height };
}

const PAD = 10;

export function timelineFrame(app, x) {
    const box = el("timeline").getBoundingClientRect();
    return ((x - box.left - PAD) / Math.max(1, box.width - 2 * PAD)) * app.last();
}

export function drawLine(app) {
    const area = begin(el("line"));
    if (!area) return;
    const { pen, width, height } = area, last = app.last(), middle = height / 2;
    const at = (frame) => PAD + (last ? (frame / last) * (width - 2 * PAD) : 0);
    pen.fillStyle = css("--line");
    pen.fillRect(PAD, middle - 2, width - 2 * PAD, 4);
    if (!app.doc.open) return;
    if (app.errors.frames) {
        const most = Math.max(largest(app.errors.frames), 1e-12), shown = parts(app.errors.frames, Math.ceil(width)), each = (last + 1) / shown.length;
        shown.forEach((error, i) => {
            if (error < 0) return;
            const left = at(Math.max(0, i * each - 0.5)), right = at(Math.min(last, (i + 1) * each - 0.5));
            pen.fillStyle = errorColor(error / most);
            pen.fillRect(left, middle - 2, Math.max(1, right - left), 4);
        });
    }
    // Ticks: about one every 60 pixels, on round frames.
    const rough = Math.max(1, (last * 60) / Math.max(1, width)), power = 10 ** Math.floor(Math.log10(rough));
    const every = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough));
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.fillStyle = css("--weak");
    for (let frame = 0; frame <= last; frame += every) {
        pen.fillRect(at(frame) - 0.5, middle + 4, 1, 3);
        pen.fillText(String(frame), at(frame), height - 2);
    }
    pen.fillStyle = css("--accent");
    pen.fillRect(PAD, middle - 2, at(app.frame) - PAD, app.errors.frames ? 1 : 4);
    for (const { frame } of app.doc.clip?.markers ?? []) diamond(pen, at(frame), middle - 9, css("--warning"));
    pen.fillStyle = css("--text");
    pen.beginPath();
    pen.arc(at(app.frame), middle, 6.5, 0, 7);
    pen.fill();
}

function diamond(pen, x, y, color) {
    pen.fillStyle = color;
    pen.beginPath();
    pen.moveTo(x, y - 4);
    pen.lineTo(x + 4, y);
    pen.lineTo(x, y + 4);
    pen.lineTo(x - 4, y);
    pen.fill();
}

function curve(pen, values, width, y, color) {
    const x = (i) => 1 + (i / Math.max(1, values.length - 1)) * (width - 2);
    pen.strokeStyle = color;
    pen.lineWidth = 1.5;
    pen.beginPath();
    values.forEach((value, i) => (i ? pen.lineTo(x(i), y(value)) : pen.moveTo(x(i), y(value))));
    pen.stroke();
}

export function drawErrors(app) {
    if (!app.errors.frames) return;
    const area = begin(el("plot"));
    if (!area) return;
    const { pen, width, height } = area, { frames, marked, worst, worst_frame: worstFrame } = app.errors;
    const most = Math.max(largest(frames), 1e-12), end = Math.max(1, frames.length - 1), columns = Math.ceil(width);
    const x = (i) => 1 + (i / end) * (width - 2), y = (value) => height - 3 - (Math.max(0, value) / most) * (height - 18);
    pen.fillStyle = css("--field");
    pen.fillRect(0, 0, width, height);
    curve(pen, parts(frames, columns), width, y, css("--weak"));
    if (marked) curve(pen, parts(marked, columns), width, y, css("--accent"));
    pen.fillStyle = css("--error");
    pen.beginPath();
    pen.arc(x(worstFrame), y(frames[worstFrame]), 3.5, 0, 7);
    pen.fill();
    pen.fillStyle = css("--text");
    pen.fillRect(x(Math.min(app.frame, end)) - 0.5, 0, 1, height);
    pen.fillStyle = css("--weak");
    pen.font = "10px system-ui, sans-serif";
    pen.fillText(worst, 4, 11);
    el("plot").setAttribute("aria-label", `Error over ${frames.length} frames, ${worst} at the worst in frame ${worstFrame}`);
}

// Each name beside its joint, moved to where no other one is.
export function drawNames(app) {
    const canvas = el("names");
    if (!app.show.names && app.marked < 0) {
        canvas.hidden = true;
        return;
    }
    canvas.hidden = false;
    const area = begin(canvas);
    if (!area || !app.doc.open) return;
    const { pen, width, height } = area, places = app.engine.places(app.frame, app.doc.bones.length), taken = [];
    pen.font = "11px system-ui, sans-serif";
    for (let i = 0; i < app.doc.bones.length; i++) {
        if ((!app.show.names && i !== app.marked) || Number.isNaN(places[2 * i])) continue;
        const name = app.panels.boneName(i), size = pen.measureText(name).width;
        const joint = [places[2 * i] * width, places[2 * i + 1] * height], box = { x: joint[0] + 8, y: joint[1], width: size };
        const free = () => !taken.some((t) => box.x < t.x + t.width && t.x < box.x + size && Math.abs(t.y - box.y) < 13);
        for (let shift = 1; shift < 12 && !free(); shift++) box.y = joint[1] + (shift % 2 ? 1 : -1) * Math.ceil(shift / 2) * 14;
        if (!free() && i !== app.marked) continue;
        taken.push(box);
        pen.strokeStyle = pen.fillStyle = i === app.marked ? css("--accent") : css("--weak");
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(...joint);
        pen.lineTo(box.x - 2, box.y);
        pen.stroke();
        pen.fillStyle = css("--shade");
        pen.fillRect(box.x - 2, box.y - 8, size + 4, 15);
        pen.fillStyle = i === app.marked ? css("--accent") : css("--text");
        pen.fillText(name, box.x, box.y + 3.5);
    }
}
