// SPDX-License-Identifier: MIT
// Files that mean harm, too many of them, and pictures that are taken away: the page says what is wrong and goes on.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { browse, bytes, drop, files, makeFiles, messages, open, run, serve, state, text, until, visit } from "./helper.mjs";

let browser, served, page;

before(async () => {
    makeFiles();
    browser = await browse();
    served = await serve("walk.eza");
});

after(async () => {
    await browser?.close();
    await served?.end();
});

async function fresh() {
    await page?.context().close();
    page = await visit(browser, served.address);
}

const write = (name, data) => writeFileSync(join(files, name), data);

// Keyframes without a turn, each bone above the one before.
function keyframes(bones, frames, position = (bone) => [0, 0x2a66 + bone, 0]) {
    const data = Buffer.alloc(4 + bones * frames * 16);
    data.writeUInt8(bones, 0);
    data.writeUInt16LE(frames, 2);
    for (let i = 0; i < bones * frames; i++) {
        data.writeUInt32LE(0x80200803, 4 + 16 * i);
        position(i % bones).forEach((value, k) => data.writeUInt16LE(value, 8 + 16 * i + 2 * k));
        for (let k = 0; k < 3; k++) data.writeUInt16LE(0x3c00, 14 + 16 * i + 2 * k);
    }
    return data;
}

function clips(names, more = {}) {
    const rest = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1];
    return JSON.stringify({ format: "ember-clip", version: 1, bones: names.map((name, i) => ({ name, parent: i - 1, rest })),
        clips: [{ name: names[0], fps: 30, loop: true, space: "local", frame_count: 2, frames: [names.map(() => rest), names.map(() => rest)], markers: [{ name: names[0], frame: 1 }], ...more }] });
}

describe("names are text, whatever is in them", () => {
    before(fresh);
    const names = ["<img src=x onerror=\"window.harmed = 1\">", "</script><script>window.harmed = 1</script>", "\u202egnp.exe", "שלום", "🦴🔥", "a\u0000b".replace("\0", "\\"), "'\";--", "%s%n", " ".repeat(50) + "x".repeat(900)];
    for (const name of names)
        test(JSON.stringify(name.slice(0, 40)), async () => {
            write("names.json", clips([name, "other"]));
            await open(page, "names.json");
            await page.locator('#bones [data-bone="0"] .label').click();
            if (!(await state(page)).show.names) await page.keyboard.press("n");
            await page.evaluate(() => window.ember.moveTo(1));
            await until(page, () => !window.ember.momentChanged && !window.ember.dirty);
            assert.equal((await state(page)).doc.bones[0].name, name);
            // As the command writes what would turn the direction of a line.
            const seen = name.replaceAll("\u202e", "\\xe2\\x80\\xae");
            assert.ok(run("info", "--bones", "names.json").out.toString().includes(seen.slice(0, 20).trim()));
            assert.equal(await page.locator("#clips [data-clip='0'] span").first().textContent(), seen);
            assert.equal(await page.getAttribute("#clips [data-clip='0']", "title"), seen);
            assert.equal(await page.locator("#bones [data-bone='0'] .label").textContent(), seen);
            assert.equal(await text(page, "bone-title"), `Bone 0: ${seen}`);
            assert.equal(await text(page, "marker-text"), `◆ ${seen}`);
            await page.keyboard.press("c");
            assert.match(await text(page, "convert-result"), /^[^\u202e]*\.ewzanim {2}68 B$/);
            await page.keyboard.press("Escape");
            assert.equal(await page.evaluate(() => window.harmed), undefined);
            assert.equal(await page.locator("img, iframe, #messages script").count(), 0);
            assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1280, "it does not widen the page");
            assert.deepEqual(page.problems, []);
        });
    test("of a file", async () => {
        const name = "<img src=x onerror=window.harmed=1>.ewzanim";
        write(name, "x");
        await open(page, name);
        assert.deepEqual((await messages(page)).map((line) => `ember: ${line.text}`), run("info", name).lines);
        assert.equal(await page.evaluate(() => window.harmed), undefined);
    });
});

describe("counts that are not there are refused in the command's words", () => {
    before(fresh);
    const glb = (document) => {
        const json = Buffer.from(JSON.stringify(document).padEnd(Math.ceil(JSON.stringify(document).length / 4) * 4)), head = Buffer.alloc(20);
        head.write("glTF");
        [2, 20 + json.length, json.length, 0x4e4f534a].forEach((value, i) => head.writeUInt32LE(value, 4 + 4 * i));
        return Buffer.concat([head, json]);
    };
    const cases = {
        "counts.ewzanim": () => Buffer.from([255, 0, 255, 255, 1, 2, 3]),
        "counts.eza": () => Buffer.concat([bytes("walk.eza").subarray(0, 4), Buffer.alloc(12, 255)]),
        "counts.animbin": () => Buffer.concat([bytes("walker.animbin").subarray(0, 8), Buffer.alloc(40, 255)]),
        "counts.bvh": () => bytes("person.bvh").toString().replace("Frames: 3", "Frames: 99999999"),
        "counts.json": () => clips(["a"], { frame_count: 4000000000 }),
        "counts.glb": () => glb({ asset: { version: "2.0" }, buffers: [{ byteLength: 4294967295 }], bufferViews: [{ buffer: 0, byteLength: 4294967295 }],
            accessors: [{ bufferView: 0, componentType: 5126, count: 4294967295, type: "MAT4" }], nodes: [{}], skins: [{ joints: [0], inverseBindMatrices: 0 }] }),
        "loop.glb": () => glb({ asset: { version: "2.0" }, nodes: [{ children: [1] }, { children: [0] }], skins: [{ joints: [0, 1] }] }),
        "counts.ewz": () => Buffer.concat([bytes("walker.ewz").subarray(0, 16), Buffer.alloc(64, 255)]),
    };
    for (const [name, make] of Object.entries(cases))
        test(name, async () => {
            write(name, make());
            await open(page, name);
            const native = run("info", name);
            assert.equal(native.code, 1, native.out.toString());
            assert.deepEqual((await messages(page)).filter(({ level }) => level === "error").map((line) => `ember: ${line.text}`), native.lines);
            assert.equal((await state(page)).doc.name, "walk.eza", "what was open is still there");
            assert.deepEqual(page.problems, []);
        });
});

test("numbers that are none, 255 bones, 65535 frames", async () => {
    await fresh();
    const values = [0x7e00, 0x7c00, 0xfc00, 0x7bff, 0x0001, 0xffff];
    write("none.ewzanim", keyframes(40, 3, (bone) => [values[bone % 6], values[(bone + 1) % 6], values[(bone + 2) % 6]]));
    write("many.ewzanim", keyframes(255, 40));
    write("long.ewzanim", keyframes(1, 65535));
    write("longer.ewzanim", keyframes(1, 65535, () => [0x2000, 0x2a66, 0]));
    for (const [name, bones, frames] of [["none.ewzanim", 40, 3], ["many.ewzanim", 255, 40], ["long.ewzanim", 1, 65535]]) {
        await open(page, name);
        const { doc } = await state(page);
        assert.deepEqual([doc.name, doc.bones.length, doc.clip.frames], [name, bones, frames]);
        await page.evaluate(() => (window.ember.mark(0), window.ember.moveTo(window.ember.last())));
        for (const key of ["n", "a", "o"]) await page.keyboard.press(key);
        await until(page, (last) => window.ember.frame === last && !window.ember.dirty && !window.ember.momentChanged, frames - 1);
        for (const key of ["n", "a", "o", "f"]) await page.keyboard.press(key);
    }
    await open(page, "longer.ewzanim");
    await page.selectOption("#reference", { label: "Reference: long.ewzanim" });
    assert.equal(await page.evaluate(() => window.ember.errors.frames.length), 65535);
    await until(page, () => !window.ember.dirty && !window.ember.momentChanged);
    assert.match(await page.getAttribute("#plot", "aria-label"), /^Error over 65535 frames, 7\.8\d* mm at the worst/);
    assert.deepEqual(page.problems, []);
});

test("20,000 clips are listed without a wait, and each can be reached", async () => {
    const rest = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1], count = 20000;
    write("many.json", JSON.stringify({ format: "ember-clip", version: 1, bones: [{ name: "a", parent: -1, rest }],
        clips: Array.from({ length: count }, (_, i) => ({ name: `clip_${i}`, fps: 30, loop: true, space: "local", frame_count: 1, frames: [[rest]] })) }));
    await fresh();
    await open(page, "many.json");
    assert.equal(await text(page, "clip-count"), String(count));
    assert.ok(await page.locator("#clips [role=option]").count() <= 400);
    await page.focus("#clips");
    for (const [key, clip] of [["End", count - 1], ["ArrowUp", count - 2], ["Home", 0], ["ArrowDown", 1]]) {
        await page.keyboard.press(key);
        const seen = await page.$eval(`#clip-${clip}`, (item) => [item.getAttribute("aria-selected"), item.getBoundingClientRect(), item.parentNode.getBoundingClientRect()]);
        assert.ok(seen[0] === "true" && seen[1].top >= seen[2].top - 1 && seen[1].bottom <= seen[2].bottom + 1, `${key}: ${JSON.stringify(seen)}`);
    }
    // Wherever it is scrolled to there are clips.
    for (const part of [0.5, 0.9, 0.52, 0.53, 0.1]) {
        await page.$eval("#clips", (list, to) => (list.scrollTop = to * list.scrollHeight), part);
        await until(page, (wanted) => {
            const box = document.querySelector("#clips").getBoundingClientRect(), item = document.elementFromPoint(box.x + 20, box.y + 20)?.closest("[data-clip]");
            return item && Math.abs(Number(item.dataset.clip) - wanted * 20000) < 20;
        }, part);
    }
    assert.deepEqual(page.problems, []);
});

describe("many files, folders and drops", () => {
    beforeEach(fresh);
    test("two files of one name in a drop are both there", async () => {
        await drop(page, ["walk.ewzanim", "other/walk.ewzanim"]);
        assert.deepEqual(await page.$$eval("#file option", (list) => list.map((node) => node.textContent)), ["walk.eza", "walk.ewzanim", "walk (2).ewzanim"]);
        assert.equal((await state(page)).doc.name, "walk.ewzanim");
    });
    test("a file of an open one's name takes its place", async () => {
        mkdirSync(join(files, "newer"), { recursive: true });
        write("newer/walk.eza", bytes("long.eza").subarray(0, -1));
        await drop(page, ["newer/walk.eza"]);
        assert.equal(await page.locator("#file option").count(), 1);
        assert.equal((await state(page)).doc.open, true);
    });
    test("a folder opens with all that is in it", async () => {
        write(".hidden", "x");
        await drop(page, [{ model: ["walker-bytes.bin", ".hidden", "walker-parts.gltf"] }]);
        const { doc } = await state(page);
        assert.deepEqual([doc.open, doc.name, doc.clips.length], [true, "model/walker-parts.gltf", 5]);
        assert.equal(await page.locator("#file option").count(), 3);
        assert.deepEqual(page.problems, []);
    });
    test("what cannot be read is said, and the rest opens", async () => {
        write("gone", "x");
        await drop(page, [{ model: ["gone", "walk.ewzanim"] }]);
        assert.deepEqual(await messages(page), [{ level: "error", text: "gone: cannot read: it is gone" }]);
        assert.equal((await state(page)).doc.name, "model/walk.ewzanim");
        await page.evaluate(() => (window.ember.opened = undefined, window.ember.openDropped([{ name: "sick.glb", arrayBuffer: () => Promise.reject(new Error("a requested file could not be read")) }], false)));
        await until(page, () => window.ember.opened !== undefined);
        assert.equal((await messages(page)).at(-1).text, "sick.glb: cannot read: a requested file could not be read");
        assert.deepEqual(page.problems, []);
    });
    test("200 at once, most of them broken", async () => {
        mkdirSync(join(files, "crowd"), { recursive: true });
        const names = Array.from({ length: 200 }, (_, i) => `crowd/${i}.ewzanim`);
        names.forEach((name, i) => write(name, i % 2 || i < 100 ? Buffer.from([1, 2, 3]) : keyframes(3, 4)));
        await open(page, ...names);
        const { doc } = await state(page);
        assert.deepEqual([doc.open, doc.name], [true, "100.ewzanim"]);
        // A few are seen, and all can be.
        const visible = () => page.locator("#messages p:visible").count();
        assert.equal((await messages(page)).length, 100);
        assert.equal(await visible(), 3);
        assert.equal(await page.locator("#messages .more button").first().textContent(), "and 97 more");
        assert.ok((await page.locator("#messages").boundingBox()).height < 200);
        await page.locator("#messages .more button").first().click();
        assert.equal(await visible(), 100);
        assert.equal(await page.$eval("#messages", (box) => box.scrollHeight > box.clientHeight), true);
        await page.waitForTimeout(1100);
        await page.evaluate(() => window.ember.say("error", "one more"));
        await page.locator("#messages .more button").first().click();
        assert.equal(await page.locator("#messages p:visible").last().locator("span").textContent(), "one more", "what was said last is seen");
        await page.locator("#messages .more button").last().click();
        assert.equal((await messages(page)).length, 0);
        assert.equal(await page.locator("#file option").count(), 201);
        assert.deepEqual(page.problems, []);
    });
    test("while it plays: a good file is shown, a broken one does not stop what plays", async () => {
        await page.keyboard.press(" ");
        await until(page, () => window.ember.playing && window.ember.frame > 0);
        await drop(page, ["short.glb"]);
        let now = await state(page);
        assert.deepEqual([now.doc.name, now.playing], ["walk.eza", true]);
        await drop(page, ["run.ewzanim"]);
        now = await state(page);
        assert.deepEqual([now.doc.name, now.playing, now.frame], ["run.ewzanim", false, 0]);
        assert.deepEqual(page.problems, []);
    });
    test("memory and graphics objects do not grow with what was open before", async () => {
        const used = async (rounds) => {
            for (let i = 0; i < rounds; i++) await open(page, "walker.glb", "robot.ewz");
            return page.evaluate(() => [window.ember.engine.memory.buffer.byteLength, window.alive]);
        };
        await page.evaluate(() => {
            const { gl } = window.ember;
            window.alive = 0;
            for (const kind of ["Buffer", "Texture", "VertexArray", "Framebuffer", "Renderbuffer"]) {
                const [create, remove] = [gl[`create${kind}`].bind(gl), gl[`delete${kind}`].bind(gl)];
                gl[`create${kind}`] = () => (window.alive++, create());
                gl[`delete${kind}`] = (object) => (window.alive--, remove(object));
            }
        });
        const early = await used(3), late = await used(20);
        assert.deepEqual(late, early);
    });
});

describe("a picture that is taken away comes back", () => {
    beforeEach(fresh);
    test("a lost context is restored with the moment", async () => {
        await open(page, "walker.json");
        await page.evaluate(() => {
            const app = window.ember;
            app.selectClip(1);
            app.mark(5);
            app.moveTo(7);
            app.engine.call("orbit", 0.4, 0.1);
            app.freshCamera = false;
            app.losing = app.gl.getExtension("WEBGL_lose_context");
            app.losing.loseContext();
        });
        await until(page, () => document.querySelector("#messages")?.textContent.includes("taken the picture away"));
        const camera = await page.evaluate(() => window.ember.engine.camera());
        // What is done meanwhile does not break it.
        await page.keyboard.press("b");
        await page.evaluate(() => window.ember.losing.restoreContext());
        await until(page, () => !window.ember.gl.isContextLost() && window.ember.doc.open && window.ember.frame === 7 && !window.ember.dirty);
        const now = await state(page);
        assert.deepEqual([now.doc.name, now.doc.clip.name, now.marked, now.show.bones], ["walker.json", "walk", 5, true]);
        (await page.evaluate(() => window.ember.engine.camera())).forEach((value, i) => assert.ok(Math.abs(value - camera[i]) < 1e-4, `${i}: ${value} ${camera[i]}`));
        const shapes = await page.evaluate(() => new Set(window.ember.picture(64, 64)).size);
        assert.ok(shapes > 20, "there is a picture again");
    });
    test("a file whose picture stops the viewer is left out, and the others stay", async () => {
        await open(page, "walker.json");
        await page.evaluate(() => {
            // Any engine stops at the picture of this file.
            const { draw } = window.ember.engine.constructor.prototype, app = window.ember;
            window.ember.engine.constructor.prototype.draw = function (frame) {
                if (app.doc.name === "walker.json") this.exports = { ...this.exports, viewer_draw: () => { throw new WebAssembly.RuntimeError("unreachable"); } };
                return draw.call(this, frame);
            };
            app.dirty = true;
        });
        await until(page, () => window.ember.doc.open && window.ember.doc.name === "walk.eza");
        assert.deepEqual(await page.$$eval("#file option", (list) => list.map((node) => node.textContent)), ["walk.eza"]);
        assert.match((await messages(page))[0].text, /the viewer has stopped: unreachable/);
        await open(page, "walk.ewzanim");
        assert.equal((await state(page)).doc.name, "walk.ewzanim");
    });
});
