// SPDX-License-Identifier: MIT
// What the page's tests share: files, the command, a server, a browser.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";

export const build = resolve(process.env.EMBER_BUILD || "build");
export const files = join(build, "tests", `page-files-${basename(process.argv[1], ".test.mjs")}`); // each test file its own
export const ember = join(build, "ember");
const modules = createRequire(join(resolve(process.env.EMBER_NODE || join(build, "node")), "node_modules/"));
const { chromium } = modules("playwright-core");
const WAIT = 120000; // the machine may be busy with other things

export function makeFiles() {
    execFileSync("python3", ["-B", join(fileURLToPath(new URL(".", import.meta.url)), "make_files.py"), build, files]);
}

export const bytes = (name) => readFileSync(join(files, name));
export const there = (name) => existsSync(join(files, name));

// The command in the folder of the files.
export function run(...words) {
    const result = spawnSync(ember, words, { cwd: files, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 1 << 28 });
    return { code: result.status, out: result.stdout, err: result.stderr.toString(), lines: result.stderr.toString().trimEnd().split("\n") };
}

// `ember view` of these files: its address, and a way to end it.
export async function serve(...names) {
    const child = spawn(ember, ["view", "--no-open", ...names], { cwd: files, stdio: ["ignore", "pipe", "pipe"] });
    let log = "";
    child.stderr.on("data", (data) => (log += data));
    const address = await new Promise((done, failed) => {
        child.stdout.once("data", (data) => done(data.toString().trim()));
        child.once("exit", () => failed(new Error(log)));
    });
    return { address, log: () => log, end: () => new Promise((done) => (child.once("exit", done), child.kill("SIGINT"))) };
}

// Draws on the system's own OpenGL, which on machines without a graphics card is what the command draws on.
export function browse() {
    return chromium.launch({
        timeout: WAIT,
        executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--use-angle=gl-egl", "--ignore-gpu-blocklist"],
    });
}

// A page that is ready; whatever goes wrong in it is an error of the test that closes it.
export async function visit(browser, address, more = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark", acceptDownloads: true, ...more });
    const page = await context.newPage();
    context.setDefaultTimeout(WAIT);
    page.problems = [];
    page.asked = [];
    page.on("pageerror", (error) => page.problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
    page.on("request", (request) => page.asked.push(request.url()));
    await page.goto(address);
    await page.waitForSelector("html[data-ready]", { state: "attached" });
    return page;
}

export async function open(page, ...names) {
    await page.evaluate(() => (document.querySelector("#messages").replaceChildren(), (window.ember.opened = undefined)));
    await page.setInputFiles("#picker", names.map((name) => join(files, name)));
    await until(page, () => window.ember.opened !== undefined);
}

// Drops files, and folders as {folder: [names]}: an event like the desktop's, since browsers let no script make one with folders in it.
export async function drop(page, names, shift = false) {
    const one = (name) => ({ name: name.split("/").pop(), path: name, bytes: readFileSync(resolve(files, name)).toString("base64") });
    const list = names.map((name) => (typeof name === "string" ? one(name) : Object.entries(name).map(([folder, inside]) => ({ name: folder, inside: inside.map(one) }))[0]));
    await page.evaluate(([given, shiftKey]) => {
        const file = ({ name, bytes }) => new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name);
        const entry = (item, above) => item.inside ? { name: item.name, isDirectory: true, createReader: () => {
            const parts = [item.inside.slice(0, 1), item.inside.slice(1), []].filter((part, i, all) => part.length || i === all.length - 1);
            return { readEntries: (done) => done(parts.shift().map((inside) => entry(inside, `${above}/${item.name}`))) };
        } } : { name: item.name, isDirectory: false, fullPath: `${above}/${item.name}`, file: (done, failed) => (item.name === "gone" ? failed(new Error("it is gone")) : done(file(item))) };
        const event = new Event("drop", { bubbles: true, cancelable: true });
        const dataTransfer = { types: ["Files"], items: given.map((item) => ({ webkitGetAsEntry: () => entry(item, "") })), files: given.filter(({ inside }) => !inside).map(file) };
        document.querySelector("#messages").replaceChildren();
        window.ember.opened = undefined;
        document.querySelector("#stage").dispatchEvent(Object.defineProperties(event, { dataTransfer: { value: dataTransfer }, shiftKey: { value: shiftKey } }));
    }, [list, shift]);
    await until(page, () => window.ember.opened !== undefined);
}

// Playwright's own waiting needs eval, which the page's policy forbids.
export async function until(page, work, argument) {
    for (const end = Date.now() + 60000; Date.now() < end;) {
        if (await page.evaluate(work, argument)) return;
        await page.waitForTimeout(50);
    }
    throw new Error(`waited too long for ${work}`);
}

export const state = (page) => page.evaluate(() => ({ doc: window.ember.doc, frame: window.ember.frame, playing: window.ember.playing, marked: window.ember.marked, show: window.ember.show }));
export const messages = (page) => page.$$eval("#messages p", (list) => list.map((line) => ({ level: line.className, text: line.firstChild.textContent })));
export const text = (page, id) => page.$eval(`#${id}`, (node) => node.textContent);

// An 8-bit PNG without a palette: {width, height, pixels} with RGB.
export function readPng(data) {
    let at = 8, width, height, channels;
    const parts = [];
    while (at < data.length) {
        const size = data.readUInt32BE(at), kind = data.toString("latin1", at + 4, at + 8), body = data.subarray(at + 8, at + 8 + size);
        if (kind === "IHDR") [width, height, channels] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] === 6 ? 4 : 3];
        if (kind === "IDAT") parts.push(body);
        at += size + 12;
    }
    const raw = inflateSync(Buffer.concat(parts)), row = width * channels, rows = Buffer.alloc(row * height);
    for (let y = 0; y < height; y++) {
        const filter = raw[y * (row + 1)];
        for (let x = 0; x < row; x++) {
            const left = x >= channels ? rows[y * row + x - channels] : 0, up = y ? rows[(y - 1) * row + x] : 0, corner = y && x >= channels ? rows[(y - 1) * row + x - channels] : 0;
            const guess = left + up - corner, [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
            const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
            rows[y * row + x] = raw[y * (row + 1) + 1 + x] + [0, left, up, (left + up) >> 1, paeth][filter];
        }
    }
    return { width, height, channels, rows };
}
