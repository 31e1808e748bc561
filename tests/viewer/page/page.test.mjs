// SPDX-License-Identifier: MIT
// The page in a browser: every kind of file, the same numbers, bytes, errors and pictures as the command, by mouse and by keyboard alone.
// Covers: answers.c, bones.c, document.c, page_files.c, picture.c, viewer.c.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { browse, build, bytes, drop, ember, files, makeFiles, messages, open, readPng, run, serve, state, text, there, until, visit } from "./helper.mjs";

let browser, served, page, blank, folder;

before(async () => {
    makeFiles();
    browser = await browse();
    served = await serve("walker.glb");
    page = await visit(browser, served.address);
    blank = await visit(browser, await site());
});

// A page without files, which no other file can lend its bones to.
async function empty(hash = "") {
    const { origin } = new URL(blank.url());
    await blank.goto("about:blank");
    await blank.goto(`${origin}/${hash}`);
    await blank.waitForSelector("html[data-ready]", { state: "attached" });
    return blank;
}

// The page's folder on a server that knows nothing of it.
async function site() {
    const types = { html: "text/html", css: "text/css", js: "text/javascript", wasm: "application/wasm", json: "application/json" };
    folder = createServer((request, answer) => {
        const name = request.url.split(/[?#]/)[0].slice(1) || "index.html";
        try {
            answer.setHeader("Content-Type", types[name.split(".").pop()]);
            answer.end(readFileSync(join(build, "viewer", name)));
        } catch {
            answer.writeHead(404).end();
        }
    });
    await new Promise((done) => folder.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${folder.address().port}/`;
}

after(async () => {
    await browser?.close();
    await served?.end();
    folder?.close();
});

test("ember view shows the file that it was given", async () => {
    await until(page, () => window.ember.doc.open);
    assert.equal((await state(page)).doc.name, "walker.glb");
    assert.equal(await page.title(), "walker.glb – ember viewer");
    assert.deepEqual(page.problems, []);
});

describe("every kind of file opens as the command reads it", () => {
    const kinds = [["walker.json"], ["walker.glb"], ["walker-parts.gltf", "walker-bytes.bin"], ["walk.ewzanim"], ["walk.eza"], ["walker.animbin"], ["person.bvh"], ["walker.ewz"],
        ["rtda"], ["rtaa"], ["walker.ewzskel"], ["box.obj"], ["model.fbx", "skin.png"]];
    for (const names of kinds)
        test(names.join(" with "), async () => {
            const page = await empty();
            await open(page, ...names);
            const { doc } = await state(page);
            const info = JSON.parse(run("info", "--format", "json", "--bones", names[0]).out).files[0];
            assert.equal(doc.open, true, JSON.stringify(await messages(page)));
            assert.equal(doc.name, names[0]);
            assert.equal(doc.format, info.format);
            assert.equal(doc.size, info.size);
            assert.deepEqual(doc.clips.map(({ name, frames }) => [name, frames]), info.clips.map(({ name, frame_count: count }) => [name, count]));
            if (info.bones) assert.deepEqual(doc.bones.map(({ name, parent }) => [name ?? null, parent]), info.bones.map(({ name, parent }) => [name, parent]));
            assert.equal(await page.locator("#clips [role=option]").count(), info.clip_count);
            assert.equal(await page.locator("#empty").isHidden(), true);
            assert.deepEqual(page.problems, []);
        });
    test("a pack takes the skeleton that is dropped with it", async () => {
        const page = await empty();
        await open(page, "rtda", "rtaa");
        assert.equal((await state(page)).doc.helper, "rtaa");
        assert.ok((await state(page)).doc.bones.some(({ name }) => name === "bone_06"));
    });
    test("a clip without bones takes those of a model that is open", async () => {
        const page = await empty();
        await open(page, "walk.ewzanim", "walker.glb");
        const { doc } = await state(page);
        assert.equal(doc.name, "walk.ewzanim");
        assert.equal(doc.helper, "walker.glb");
        assert.equal(doc.bones[1].name, "hips");
    });
    for (const names of [["walk.ewzanim", "walker.glb", "stick.glb"], ["stick.glb", "walk.ewzanim", "walker.glb"], ["walker.glb", "walk.eza", "stick.glb"]])
        test(`bones of another length are not taken: ${names.join(", ")}`, async () => {
            const page = await empty(), clip = names.find((name) => name.startsWith("walk."));
            await open(page, ...names);
            await page.selectOption("#file", { label: clip });
            assert.equal((await state(page)).doc.helper, "walker.glb");
        });
    test("where lengths do not tell, bones are of what was opened together, or nearest before", async () => {
        const page = await empty();
        const helper = async () => (await page.selectOption("#file", { label: "walker.animbin" }), (await state(page)).doc.helper);
        await open(page, "walker.animbin", "walker.json");
        await open(page, "stick.glb");
        assert.equal(await helper(), "walker.json", "together");
        await open(page, "stick.glb", "walker.animbin", "walker.json");
        assert.equal(await helper(), "stick.glb", "of two as near the one before");
        await open(page, "walker.animbin");
        assert.equal(await helper(), "walker.json", "the last before");
    });
    test("bones are chosen, and let go, by hand", async () => {
        const page = await empty();
        const offered = () => page.$$eval("#bones-from option", (list) => list.map(({ textContent }) => textContent));
        await open(page, "walk.ewzanim");
        assert.deepEqual(await offered(), ["automatic", "none"]);
        assert.match(await text(page, "facts"), /drop the model they belong to/);
        await open(page, "walker.glb", "stick.glb", "person.bvh");
        assert.equal(await page.locator("#bones-from").isVisible(), false, "it has bones of its own");
        await page.selectOption("#file", { label: "walk.ewzanim" });
        assert.deepEqual(await offered(), ["automatic: walker.glb", "walker.glb", "stick.glb", "none"]);
        assert.doesNotMatch(await text(page, "facts"), /drop the model/);
        await page.click("#convert");
        await page.selectOption("#convert-format", "json");
        assert.equal(await page.$eval("#convert-notes", (list) => list.lastChild.textContent), "with the bones of walker.glb");
        const made = async () => Buffer.from(await page.evaluate(() => [...window.ember.panels.converted.bytes]));
        run("convert", "walk.ewzanim", "--skeleton", "walker.glb", "-o", "made.json");
        assert.equal(Buffer.compare(await made(), bytes("made.json")), 0);
        await page.keyboard.press("Escape");
        await page.selectOption("#bones-from", { label: "stick.glb" });
        assert.deepEqual([(await state(page)).doc.helper, (await state(page)).doc.bones[2].name], ["stick.glb", "stick_2"]);
        await until(page, () => location.hash.includes("bones=stick.glb"));
        await page.selectOption("#bones-from", { label: "none" });
        const { doc } = await state(page);
        assert.deepEqual([doc.helper, doc.bones[2]], [undefined, { parent: -1 }]);
        await page.click("#convert");
        assert.doesNotMatch(await text(page, "convert-notes"), /with the bones/);
        run("convert", "walk.ewzanim", "-o", "made.json");
        assert.equal(Buffer.compare(await made(), bytes("made.json")), 0);
        await page.selectOption("#convert-format", "glb");
        const native = run("convert", "walk.ewzanim", "-o", "made.glb");
        assert.equal(native.code, await page.locator("#download").isDisabled() ? 1 : 0);
        await page.keyboard.press("Escape");
        await page.selectOption("#bones-from", { label: "automatic" });
        assert.equal((await state(page)).doc.helper, "walker.glb");
        // What it is held against goes first, where it has other bones.
        await page.selectOption("#reference", { label: "Reference: stick.glb" });
        assert.equal((await state(page)).doc.helper, "stick.glb");
        assert.deepEqual(page.problems, []);
    });
    test("files that are dropped on the page open", async () => {
        await drop(page, ["walk.eza"]);
        assert.equal((await state(page)).doc.name, "walk.eza");
        assert.equal(await page.locator("#drop").isHidden(), true);
    });
    test("a file that is dropped with Shift is the reference, of the same name too", async () => {
        const page = await empty();
        await open(page, "walk.ewzanim");
        await drop(page, ["walker.json"], true);
        let { doc } = await state(page);
        assert.deepEqual([doc.name, doc.reference, doc.helper, doc.bones[1].name], ["walk.ewzanim", "walker.json", "walker.json", "hips"]);
        assert.equal(await page.evaluate(() => window.ember.errors.frames.length), 32);
        await drop(page, ["other/walk.ewzanim"], true);
        ({ doc } = await state(page));
        assert.deepEqual([doc.name, doc.reference], ["walk.ewzanim", "walk (2).ewzanim"]);
        // The bones that it took stay its own.
        await page.selectOption("#reference", "");
        await open(page, "run.ewzanim");
        await page.selectOption("#file", { label: "walk.ewzanim" });
        assert.equal((await state(page)).doc.bones[1].name, "hips");
        assert.deepEqual(page.problems, []);
    });
});

// The row of a bone as `ember info --frame` prints it.
function infoRow(file, clip, frame, bone, ...more) {
    const lines = run("info", file, "--frame", String(frame), "--clip", clip, ...more).out.toString().split("\n");
    const row = lines.slice(lines.findIndex((line) => line.includes(`frame ${frame} of `))).map((line) => line.trim().split(/ {2,}/)).find(([first]) => first === String(bone));
    return { degrees: row.slice(2, 5), position: row.slice(5, 8), scale: row.slice(8, 11), stored: row[11] };
}

describe("a bone's numbers are those of ember info --frame", () => {
    const cases = [["walk.ewzanim", "walk", 7, 9], ["walk.eza", "walk", 31, 1], ["walker.json", "jump", 20, 5], ["walker.glb", "run", 3, 12], ["walker.animbin", "wave", 11, 6],
        ["person.bvh", "person", 2, 1], ["rtda", "body_00", 5, 3], ["rtda", "weapon_04", 2, 9], ["walker.ewz", "walker/walk", 9, 4]];
    for (const [file, clip, frame, bone] of cases)
        test(`${file}, ${clip}, frame ${frame}, bone ${bone}`, async () => {
            const fresh = await empty();
            await open(fresh, file);
            const { doc } = await state(fresh);
            await fresh.locator(`#clips [data-clip="${doc.clips.findIndex(({ name }) => name === clip)}"]`).click();
            await fresh.locator(`#bones [data-bone="${bone}"] .label`).click();
            await fresh.locator("#timeline").focus();
            await fresh.keyboard.press("Home");
            for (let i = 0; i < frame; i++) await fresh.keyboard.press("ArrowRight");
            await until(fresh, (wanted) => window.ember.frame === wanted && !window.ember.momentChanged, frame);
            const wanted = infoRow(file, clip, frame, bone);
            assert.equal(await text(fresh, "v-degrees"), wanted.degrees.map((value) => `${value}°`).join("  "));
            assert.equal(await text(fresh, "v-position"), wanted.position.join("  "));
            assert.equal(await text(fresh, "v-scale"), wanted.scale.join("  "));
            assert.equal(await text(fresh, "v-stored"), wanted.stored === "-" ? "no bits of its own: curves or floats" : wanted.stored);
            assert.deepEqual(fresh.problems, []);
        });
});

test("of a file without clips a bone's rest is shown, and roots are not taken for bones without a model", async () => {
    const page = await empty();
    writeFileSync(join(files, "still.json"), JSON.stringify({ format: "ember-clip", version: 1, clips: [], bones: [
        { name: "a", parent: -1, rest: [0, 0, 0, 1, 1, 2, 3, 1, 1, 1] }, { name: "b", parent: -1, rest: [0.70710677, 0, 0, 0.70710677, 4, 5, -6, 1, 2, 1] }] }));
    await open(page, "still.json");
    await page.evaluate(() => window.ember.mark(1));
    assert.equal(await text(page, "v-stored"), "at rest, in its parent's axes");
    assert.equal(await text(page, "v-degrees"), "90.00°  0.00°  0.00°");
    assert.equal(await text(page, "v-position"), "4.0000  5.0000  -6.0000");
    assert.equal(await text(page, "v-scale"), "1.0000  2.0000  1.0000");
    assert.doesNotMatch(await text(page, "facts"), /drop the model/);
    assert.deepEqual(page.problems, []);
});

test("scrubbing with the mouse goes to the frame under it", async () => {
    await open(page, "walker.json");
    const box = await page.locator("#timeline").boundingBox();
    await page.mouse.move(box.x + 10, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.mouse.up();
    const { doc } = await state(page);
    await until(page, () => !window.ember.momentChanged);
    assert.equal((await state(page)).frame, Math.round((doc.clip.frames - 1) / 2));
    assert.equal(await page.getAttribute("#timeline", "aria-valuenow"), String(Math.round((doc.clip.frames - 1) / 2)));
    assert.match(await text(page, "frame-text"), /^frame 4[45]\/90$/);
});

test("playing loops at the clip's rate and speed", async () => {
    await open(page, "walker.json");
    await page.selectOption("#speed", "4");
    await page.click("#play");
    await until(page, () => window.ember.frame > 5);
    assert.equal(await page.getAttribute("#play", "aria-label"), "Pause (Space)");
    await page.click("#play");
    assert.equal((await state(page)).playing, false);
    await page.selectOption("#speed", "1");
    // Time itself, without waiting for it: 90 frames at 30 a second.
    const frames = await page.evaluate(() => {
        const app = window.ember, seen = [];
        app.moveTo(0);
        for (let i = 0; i < 31; i++) {
            app.advance(0.1);
            seen.push(app.frame);
        }
        return seen;
    });
    assert.deepEqual(frames.slice(0, 3), [3, 6, 9]);
    assert.deepEqual(frames.slice(28), [87, 0, 3]);
});

test("an FBX file plays with the image that was dropped with it, whose name it has in other letters", async () => {
    const fresh = await empty();
    await open(fresh, "model.fbx");
    assert.deepEqual((await messages(fresh)).map(({ text: line }) => line), ['model.fbx: warning: image "SKIN.PNG" is neither in the file nor beside it: the texture is left out']);
    const bare = await picture(fresh, 0);
    await open(fresh, "model.fbx", "skin.png");
    assert.deepEqual((await messages(fresh)).filter(({ text: line }) => line.startsWith("model.fbx")), []);
    const { doc } = await state(fresh);
    assert.deepEqual([doc.name, doc.meshes, doc.clips.map(({ name, frames }) => [name, frames])], ["model.fbx", 1, [["sway", 31]]]);
    // The square is red now, and where the command has it, at both ends of its way.
    const cells = sheet("model.fbx", "sway"), first = await picture(fresh, 0), last = await picture(fresh, 30);
    assert.ok(difference((x, y, channel) => bare[(y * 320 + x) * 4 + channel], first).share > 1 / 100, "the image is seen");
    assert.ok(difference(cells[0], first).share <= 1 / 500, JSON.stringify(difference(cells[0], first)));
    assert.ok(difference(cells[3], last).share <= 1 / 500, JSON.stringify(difference(cells[3], last)));
    assert.ok(difference(cells[0], last).share > 1 / 100, "it has swayed");
    await fresh.evaluate(() => window.ember.moveTo(0));
    await fresh.click("#play");
    await until(fresh, () => window.ember.frame > 5);
    await fresh.click("#play");
    assert.deepEqual(fresh.problems, []);
});

test("a second file as reference gives the errors that ember diff gives", async () => {
    const fresh = await visit(browser, served.address);
    await open(fresh, "walker.json", "walk.ewzanim");
    await fresh.evaluate(() => window.ember.openFile(window.ember.files.findIndex(({ name }) => name === "walk.ewzanim")));
    await fresh.selectOption("#reference", { label: "Reference: walker.json" });
    const diff = JSON.parse(run("diff", "walker.json", "walk.ewzanim", "--clip", "walk", "--format", "json").out);
    const pair = diff.clips ? diff.clips[0] : diff;
    const shown = await fresh.evaluate(() => window.ember.errors);
    assert.equal(shown.frames.length, 32);
    const worst = await text(fresh, "worst");
    assert.ok(Math.abs(Math.max(...shown.frames) - pair.max) < 1e-6, `${Math.max(...shown.frames)} is not ${JSON.stringify(pair).slice(0, 300)}`);
    assert.match(worst, /^0\.51 mm at forearm\.r, frame 25$/);
    await fresh.click("#worst");
    await until(fresh, () => window.ember.frame === 25 && window.ember.doc.bones[window.ember.marked].name === "forearm.r");
    assert.equal(await text(fresh, "v-error"), "0.51 mm at most");
    assert.equal(await fresh.locator('[data-show="reference"]').isVisible(), true);
    await fresh.selectOption("#reference", "");
    assert.equal(await fresh.locator("#errors").isHidden(), true);
    assert.deepEqual(fresh.problems, []);
    await fresh.context().close();
});

test("the page lists what it opens: ROMs, and every format that the command reads", async () => {
    const page = await empty();
    const rows = run("formats").out.toString().split("\n").map((line) => line.split(/ +/)).filter(([, reads]) => reads === "yes");
    const extensions = rows.map((row) => row.join(" ").match(/\((\S+)[^()]*\)$/)[1]);
    assert.ok(extensions.length > 10);
    assert.deepEqual((await text(page, "opens")).split(" · "), [".ewz", ...extensions.map((name) => (name.includes("?") ? name : `.${name}`))]);
});

describe("converting in the page gives the command's bytes", () => {
    const formats = { ewzanim: "ewzanim", eza: "eza", json: "json", animbin: "animbin", ewzskel: "ewzskel", ewzmesh: "ewzmesh", gltf: "gltf", glb: "glb", ff7: "a00", ewzlean: "ewzlean" };
    test("these are the formats that Ember writes", async () => {
        await open(page, "walk.eza");
        await page.keyboard.press("c");
        const offered = await page.$$eval("#convert-format option", (list) => list.map(({ value }) => value));
        await page.keyboard.press("Escape");
        const written = run("formats").out.toString().split("\n").map((line) => line.split(/ +/)).filter(([, , writes]) => writes === "yes").map(([name]) => name);
        assert.deepEqual([...offered].sort(), [...written].sort());
        assert.deepEqual(Object.keys(formats).sort(), [...written].sort());
    });
    test("a mesh, as the command writes it", async () => {
        const fresh = await empty();
        await open(fresh, "box.obj");
        await fresh.click("#convert");
        await fresh.selectOption("#convert-format", "ewzmesh");
        const wait = fresh.waitForEvent("download");
        await fresh.click("#download");
        assert.equal(run("convert", "box.obj", "-o", "made.ewzmesh").code, 0);
        assert.equal(Buffer.compare(readFileSync(await (await wait).path()), bytes("made.ewzmesh")), 0);
        await open(fresh, "made.ewzmesh");
        assert.equal((await state(fresh)).doc.meshes, 1);
    });
    const sources = [["walker.json", 1], ["walker.glb", 2], ["walk.eza", 0], ["person.bvh", 0], ["walker.animbin", 1], ["rtda", 1], ["walker.ewz", 3]];
    for (const [file, clip] of sources)
        for (const [format, extension] of Object.entries(formats))
            test(`${file} to ${format}`, async () => {
                const fresh = (await state(blank)).doc.name === file ? blank : await empty();
                if ((await state(blank)).doc.name !== file) await open(fresh, file);
                const name = (await state(fresh)).doc.clips[clip].name;
                await fresh.locator(`#clips [data-clip="${clip}"]`).click();
                await fresh.click("#convert");
                await fresh.selectOption("#convert-format", format);
                if (await fresh.locator("#convert-clip").isEnabled()) await fresh.selectOption("#convert-clip", "one");
                const native = run("convert", file, "--clip", name, "-o", `made.${extension}`);
                const notes = await fresh.$$eval("#convert-notes li", (list) => list.map((line) => line.textContent));
                if (native.code !== 0) {
                    assert.equal(await fresh.locator("#download").isDisabled(), true, native.err);
                    assert.ok(native.lines.includes(`ember: ${notes.at(-1)}`), `${native.err}\n${notes}`);
                } else {
                    const wait = fresh.waitForEvent("download");
                    await fresh.click("#download");
                    const made = readFileSync(await (await wait).path());
                    assert.equal(Buffer.compare(made, bytes(`made.${extension}`)), 0, `${made.length} and ${bytes(`made.${extension}`).length} bytes`);
                }
                await fresh.keyboard.press("Escape");
            });
    test("a document goes along whole into glTF, and what others lose is said, in the command's lines", async () => {
        const glb = bytes("stick.glb"), size = glb.readUInt32LE(12), document = JSON.parse(glb.subarray(20, 20 + size));
        document.buffers[0].uri = `data:application/octet-stream;base64,${glb.subarray(28 + size).toString("base64")}`;
        Object.assign(document, { cameras: [{ type: "perspective", perspective: { yfov: 1, znear: 0.1 } }], images: [{ uri: "nowhere.png" }], extras: { by: "hand" } });
        writeFileSync(join(files, "rich.gltf"), JSON.stringify(document));
        const fresh = await empty();
        await open(fresh, "rich.gltf");
        await fresh.click("#convert");
        for (const format of ["gltf", "glb", "ewzmesh"]) {
            await fresh.selectOption("#convert-format", format);
            if (await fresh.locator("#convert-clip").isEnabled()) await fresh.selectOption("#convert-clip", "all");
            const name = `rich.${format}`, native = run("convert", "rich.gltf", "-o", join("other", name));
            const made = await fresh.evaluate(() => window.ember.panels.converted && [...window.ember.panels.converted.bytes]);
            const notes = await fresh.$$eval("#convert-notes li", (list) => list.map((line) => `ember: ${line.textContent}`));
            assert.equal(native.code, format === "ewzmesh" ? 1 : 0, native.err); // which holds one mesh, and here are two
            if (native.code !== 0) assert.equal(made, null);
            else assert.equal(Buffer.compare(Buffer.from(made), bytes(join("other", name))), 0, name);
            assert.deepEqual(notes, native.lines.map((line) => line.replace(join("other", name), name)));
            assert.match(notes.join(), format === "ewzmesh" ? /not kept: .*1 camera/ : /nowhere\.png.*stays where the document says/);
        }
        await fresh.keyboard.press("Escape");
    });
    test("all clips of a file go into one", async () => {
        await open(page, "walker.json");
        await page.click("#convert");
        await page.selectOption("#convert-format", "glb");
        await page.selectOption("#convert-clip", "all");
        const wait = page.waitForEvent("download");
        await page.click("#download");
        assert.equal(Buffer.compare(readFileSync(await (await wait).path()), bytes("walker.glb")), 0);
        await page.keyboard.press("Escape");
    });
    for (const [format, extension] of [["json", "json"], ["animbin", "animbin"], ["glb", "glb"]])
        test(`all clips of a ROM go into one ${format}, or it is said why not`, async () => {
            const fresh = await empty();
            await open(fresh, "walker.ewz");
            await fresh.click("#convert");
            await fresh.selectOption("#convert-format", format);
            await fresh.selectOption("#convert-clip", "all");
            const native = run("convert", "walker.ewz", "-o", `all.${extension}`);
            const made = await fresh.evaluate(() => window.ember.panels.converted && [...window.ember.panels.converted.bytes]);
            if (native.code === 0) assert.equal(Buffer.compare(Buffer.from(made), bytes(`all.${extension}`)), 0);
            else assert.deepEqual([made, native.lines], [null, await fresh.$$eval("#convert-notes li", (list) => list.map((line) => `ember: ${line.textContent}`))]);
            assert.equal(format !== "json" || native.code === 0, true);
            await fresh.keyboard.press("Escape");
        });
    test("a clip with the skeleton of another file, as --skeleton gives it", async () => {
        const fresh = await visit(browser, served.address);
        await open(fresh, "rtda", "rtaa");
        await fresh.click("#convert");
        await fresh.selectOption("#convert-format", "glb");
        await fresh.selectOption("#convert-clip", "all");
        const wait = fresh.waitForEvent("download");
        await fresh.click("#download");
        run("convert", "rtda", "--skeleton", "rtaa", "-o", "made.glb");
        assert.equal(Buffer.compare(readFileSync(await (await wait).path()), bytes("made.glb")), 0);
        await fresh.context().close();
    });
});

describe("a broken file shows the command's own message, and the page goes on", () => {
    for (const name of ["empty.ewzanim", "short.ewzanim", "long.eza", "short.glb", "comma.json", "twice.json", "surrogate.json", "huge.json", "utf8.json", "deep.json", "wrong.json",
        "comma.gltf", "alone.gltf", "short.bvh", "short.fbx", "what.dat", "damaged.ewz"])
        test(name, async () => {
            await open(page, name);
            const native = run("info", name);
            assert.equal(native.code, 1, native.out.toString());
            assert.deepEqual((await messages(page)).filter(({ level }) => level === "error").map((line) => `ember: ${line.text}`), native.lines);
            await open(page, "walk.ewzanim");
            assert.equal((await state(page)).doc.name, "walk.ewzanim");
            assert.deepEqual(page.problems, []);
        });
    test("an engine that has stopped is made anew", async () => {
        await open(page, "walker.json");
        await page.evaluate(() => {
            const app = window.ember;
            app.engine.exports = { ...app.engine.exports, viewer_draw: () => { throw new WebAssembly.RuntimeError("unreachable"); } };
            app.dirty = true;
        });
        await until(page, () => document.querySelector("#messages p.error")?.textContent.includes("has stopped"));
        await until(page, () => window.ember.doc.open && window.ember.doc.name === "walker.json");
        await open(page, "walk.eza");
        assert.equal((await state(page)).doc.name, "walk.eza");
    });
});

// Cells of the sheet that `ember preview` makes, and the frame that each shows.
function sheet(file, clip) {
    run("preview", file, "--clip", clip, "--frames", "4", "--size", "320x320", "-o", "sheet.png", "-q");
    const png = readPng(bytes("sheet.png"));
    return [0, 1, 2, 3].map((i) => (x, y, channel) => png.rows[((40 + y) * png.width + 6 + i * 326 + x) * png.channels + channel]);
}

// Largest difference of a channel, and the share of pixels that differ by more than 2 of 255. The label in the lower left is not the picture's.
function difference(native, pixels) {
    let most = 0, off = 0, count = 0, shapes = 0;
    for (let y = 0; y < 320; y++)
        for (let x = 0; x < 320; x++) {
            if (y > 290 && x < 160) continue;
            let here = 0;
            for (let channel = 0; channel < 3; channel++) here = Math.max(here, Math.abs(native(x, y, channel) - pixels[(y * 320 + x) * 4 + channel]));
            most = Math.max(most, here);
            off += here > 2;
            shapes += Math.abs(pixels[(y * 320 + x) * 4] - pixels[0]) > 40;
            count++;
        }
    return { most, share: off / count, shapes: shapes / count };
}

async function picture(page, frame) {
    const pixels = await page.evaluate((wanted) => {
        window.ember.moveTo(wanted);
        let letters = "";
        for (const byte of window.ember.picture(320, 320)) letters += String.fromCharCode(byte);
        return btoa(letters);
    }, frame);
    return Buffer.from(pixels, "base64");
}

describe("pictures are the command's: at most 1 pixel in 500 is off by more than 2 of 255", () => {
    const cases = [["walker.json", "walk"], ["robot.ewz", "walk"], ["walk.ewzanim", "walk"], ["person.bvh", "person"]];
    for (const [file, clip] of cases)
        test(`${file}, ${clip}`, { skip: !there(file) && file === "robot.ewz" && "the example games were not built" }, async () => {
            const fresh = await empty();
            await open(fresh, file);
            const { doc } = await state(fresh), chosen = doc.clips.findIndex(({ name }) => name === clip);
            await fresh.evaluate((number) => window.ember.selectClip(number), chosen);
            const { doc: now } = await state(fresh), cells = sheet(file, clip), frames = now.clip.frames, loop = now.clip.loop;
            for (let i = 0; i < Math.min(4, frames); i++) {
                // As the sheet spreads its pictures over the clip.
                const steps = loop ? 4 : Math.min(4, frames) - 1, frame = Math.min(frames - 1, Math.floor((i * (loop ? frames : frames - 1) * 2 + steps) / (2 * steps)));
                const found = difference(cells[i], await picture(fresh, frame));
                assert.ok(found.shapes > 0.01, "there is something in the picture");
                assert.ok(found.share <= 1 / 500, `frame ${frame}: ${JSON.stringify(found)}`);
            }
        });
    test("another pose, another camera or another light is not taken for the same", async () => {
        const fresh = await empty(), [cell] = sheet("walker.json", "walk");
        await open(fresh, "walker.json");
        await fresh.evaluate(() => window.ember.selectClip(1));
        assert.ok(difference(cell, await picture(fresh, 0)).share <= 1 / 500);
        assert.ok(difference(cell, await picture(fresh, 2)).share > 1 / 100, "two frames on");
        await fresh.evaluate(() => (window.ember.freshCamera = false, window.ember.engine.call("orbit", 0.03, 0)));
        assert.ok(difference(cell, await picture(fresh, 0)).share > 1 / 100, "turned by 2 degrees");
        await fresh.evaluate(() => (window.ember.freshCamera = true, window.ember.setTheme("light")));
        assert.ok(difference(cell, await picture(fresh, 0)).share > 1 / 2, "on a light ground");
        await fresh.evaluate(() => window.ember.setTheme("dark"));
    });
});

test("the page can be used by keyboard alone", async () => {
    const fresh = await visit(browser, served.address);
    await open(fresh, "walker.json");
    const press = async (...keys) => {
        for (const key of keys) await fresh.keyboard.press(key);
    };
    const focused = () => fresh.evaluate(() => document.activeElement.id);
    // Every control can be reached by Tab, and shows that it has the focus.
    const seen = new Set();
    await fresh.evaluate(() => document.activeElement.blur());
    const order = [];
    for (let i = 0; i < 60; i++) {
        await press("Tab");
        order.push(await fresh.evaluate(() => ["bar", "left", "stage", "right", "transport"].find((part) => document.activeElement.closest(`#${part}, .${part}`))));
        const id = await focused();
        seen.add(id || (await fresh.evaluate(() => document.activeElement.dataset.show)));
        if (id) assert.notEqual(await fresh.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none", id);
    }
    assert.deepEqual(order.filter((part, i) => part && part !== order[i - 1]).slice(0, 5), ["bar", "left", "stage", "transport", "bar"], "Tab goes from part to part as they are seen");
    for (const id of ["fps", "up", "snapshot", "link", "file", "open", "reference", "convert", "theme", "help", "clips", "filter", "bones", "picture", "mesh", "bones", "frame-all", "first", "play", "speed", "loop", "timeline"])
        if (id !== "mesh") assert.ok(seen.has(id), `${id} of ${[...seen]}`);
    // Clips.
    await fresh.focus("#clips");
    await press("ArrowDown");
    await until(fresh, () => window.ember.doc.clip.name === "walk");
    // Bones: down the tree, shut a branch, out of it.
    await fresh.focus("#bones");
    await press("Home", "ArrowDown", "ArrowDown");
    assert.equal((await state(fresh)).doc.bones[(await state(fresh)).marked].name, "spine");
    await press("ArrowLeft");
    assert.equal(await fresh.getAttribute("#bone-2", "aria-expanded"), "false");
    await press("ArrowLeft");
    assert.equal((await state(fresh)).marked, 1);
    assert.equal(await text(fresh, "bone-title"), "Bone 1: hips");
    // Time.
    await fresh.focus("#timeline");
    await press("ArrowRight", "ArrowRight", "Shift+ArrowRight");
    assert.equal((await state(fresh)).frame, 12);
    await press("End", "ArrowRight");
    assert.equal((await state(fresh)).frame, 0, "a loop runs into its first frame");
    await press(".");
    assert.equal((await state(fresh)).frame, 16, "the next marker");
    await press(" ");
    assert.equal((await state(fresh)).playing, true);
    await press(" ");
    // The camera.
    await fresh.focus("#picture");
    const before = await fresh.evaluate(() => window.ember.engine.camera());
    await press("ArrowLeft", "Shift+ArrowUp", "+");
    const moved = await fresh.evaluate(() => window.ember.engine.camera());
    assert.ok(moved[0] < before[0] && moved[2] < before[2] && moved[4] !== before[4], `${before} ${moved}`);
    await press("f", "b", "n", "a", "o");
    const { show } = await state(fresh);
    assert.deepEqual([show.bones, show.names, show.axes, show.onion], [true, true, true, true]);
    // Dialogs open, close, and take the keys to themselves.
    await press("?");
    assert.equal(await fresh.locator("#help-dialog").isVisible(), true);
    await press("Escape", "c");
    assert.equal(await fresh.locator("#convert-dialog").isVisible(), true);
    await press("Escape");
    // Opening, also a reference: the browser's own dialogue comes up. One listener for all, since the browser is told to ask it only while there is one.
    const choosers = [];
    fresh.on("filechooser", (chooser) => choosers.push(chooser));
    const choose = async (id, key, name) => {
        await until(fresh, () => !document.querySelector("dialog[open]"));
        await fresh.focus(`#${id}`);
        await until(fresh, (wanted) => document.activeElement.id === wanted, id);
        await press(key);
        for (const end = Date.now() + 60000; !choosers.length && Date.now() < end;) await fresh.waitForTimeout(50);
        assert.equal(choosers.length, 1, `${key} on ${id} brings up the dialogue`);
        await choosers.pop().setFiles(join(files, name));
    };
    for (const [id, key] of [["clips", "Control+o"], ["open", "Enter"], ["open", " "]]) {
        await choose(id, key, "walk.eza");
        await until(fresh, () => window.ember.doc.name === "walk.eza");
        await fresh.evaluate(() => window.ember.openFile(window.ember.files.findIndex(({ name }) => name === "walker.json")));
    }
    await choose("reference", "End", "walk.ewzanim");
    await until(fresh, () => window.ember.doc.reference === "walk.ewzanim");
    await fresh.focus("#fps");
    await press("Control+a", "1", "5", "Enter");
    assert.equal(await fresh.evaluate(() => window.ember.fps()), 15);
    await press("Control+a", "Delete", "Enter");
    assert.equal(await fresh.evaluate(() => window.ember.fps()), 30);
    await fresh.focus("#picture");
    await press("t");
    assert.equal(await fresh.getAttribute("html", "data-theme"), "light");
    assert.deepEqual(fresh.problems, []);
    await fresh.context().close();
});

test("the README's picture of the page is the one that the demo makes", async () => {
    run("convert", "walker.json", "--space", "model", "--clip", "walk", "-o", "walk.ewzanim");
    execFileSync("python3", ["-B", join("demo", "picture.py"), ember, join(files, "viewer.png"), join(files, "walk.ewzanim"), join(files, "walker.json")], { stdio: "ignore" });
    const [made, kept] = [readPng(bytes("viewer.png")), readPng(readFileSync(join("docs", "viewer.png")))];
    assert.deepEqual([made.width, made.height], [kept.width, kept.height]);
    // The picture in the middle; letters differ with the machine's fonts.
    let off = 0, count = 0;
    for (let y = 80; y < 750; y++)
        for (let x = 212; x < 998; x++, count++)
            off += [0, 1, 2].some((channel) => Math.abs(made.rows[(y * made.width + x) * made.channels + channel] - kept.rows[(y * kept.width + x) * kept.channels + channel]) > 24);
    assert.ok(off / count < 1 / 30, `${off} of ${count} pixels`);
});

test("controls have names for screen readers", async () => {
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input, [role=slider], [role=listbox], [role=tree], canvas[role=img]")]
        .filter((node) => !(node.textContent.trim() || node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") || node.labels?.[0]?.textContent.trim() || node.closest("[hidden]")))
        .map((node) => node.id));
    assert.deepEqual(nameless, []);
});

test("a link leads back to the moment", async () => {
    await open(page, "walker.json");
    await page.evaluate(() => {
        window.ember.selectClip(2);
        window.ember.mark(5);
        window.ember.moveTo(7);
        window.ember.engine.call("orbit", 0.5, 0.2);
        window.ember.toggle("names");
        window.ember.freshCamera = false;
    });
    await until(page, () => location.hash.includes("frame=7"));
    const hash = await page.evaluate(() => location.hash), camera = await page.evaluate(() => window.ember.engine.camera());
    const fresh = await empty(hash);
    await open(fresh, "walker.json");
    const there = await state(fresh);
    assert.deepEqual([there.doc.clip.name, there.frame, there.marked, there.show.names], ["run", 7, 5, true]);
    (await fresh.evaluate(() => window.ember.engine.camera())).forEach((value, i) => assert.ok(Math.abs(value - camera[i]) < 1e-4, `${i}: ${value} ${camera[i]}`));
});

test("at 360 pixels nothing runs out of the page", async () => {
    const fresh = await visit(browser, served.address, { viewport: { width: 360, height: 740 } });
    await open(fresh, "walker.json");
    assert.equal(await fresh.evaluate(() => document.documentElement.scrollWidth), 360);
    for (const id of ["file", "convert", "play", "timeline", "clips", "bones", "facts"]) {
        const box = await fresh.locator(`#${id}`).boundingBox();
        assert.ok(box && box.width >= 30 && box.x >= 0 && box.x + box.width <= 360.5 && box.height >= 20, `${id} ${JSON.stringify(box)}`);
    }
    for (const button of await fresh.locator("#toggles button:visible").all()) {
        const box = await button.boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= 360, "every tool is in sight");
    }
    // Choosing a bone does not move the picture out of sight.
    await fresh.evaluate(() => window.ember.mark(20));
    assert.deepEqual(await fresh.evaluate(() => [scrollY, document.querySelector("#bones").scrollTop > 0]), [0, true]);
    await fresh.context().close();
});

test("opened from the disk, the page says how it is to be opened", async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } }), fresh = await context.newPage();
    await fresh.goto(pathToFileURL(join(build, "viewer", "index.html")).href);
    await fresh.locator("#stuck").waitFor();
    assert.match(await fresh.locator("#stuck").innerText(), /has not started.*ember view FILE.*any web server/s);
    assert.equal(await fresh.locator("#open-big").isVisible(), false);
    assert.equal(await blank.locator("#stuck").isVisible(), false);
    await context.close();
});

test("the same folder works on any web server, and asks nobody else", async () => {
    const fresh = await empty(), address = new URL(fresh.url()).origin;
    await open(fresh, "walk.ewzanim");
    assert.equal((await state(fresh)).doc.open, true);
    assert.ok(fresh.asked.every((url) => url.startsWith(address) || url.startsWith("data:") || url.startsWith("about:") || url.startsWith("blob:")), String(fresh.asked));
    assert.deepEqual(fresh.problems, []);
});
