// How long the page takes: the first picture of a clip, and many characters at once. Printed; only what no machine should exceed fails.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, bytes, makeFiles, serve, there, until, visit } from "./helper.mjs";

let browser, served, page;

before(async () => {
    if (!there("walker.glb")) makeFiles();
    browser = await browse();
    served = await serve("walker.glb");
    page = await visit(browser, served.address);
});

after(async () => {
    await browser?.close();
    await served?.end();
});

// From the drop to pixels that can be read.
const firstPicture = (data) => page.evaluate(async ([name, list]) => {
    const file = new File([new Uint8Array(list)], name), began = performance.now(), app = window.ember;
    await app.openDropped([file], false);
    app.gl.readPixels(0, 0, 1, 1, app.gl.RGBA, app.gl.UNSIGNED_BYTE, new Uint8Array(4));
    return performance.now() - began;
}, data);

test("the first picture of a 40-bone clip is there within 300 ms", async () => {
    // 40 bones and 33 frames without a turn, each bone above the one before.
    const records = Buffer.alloc(4 + 40 * 33 * 16);
    records.writeUInt8(40, 0);
    records.writeUInt16LE(33, 2);
    for (let i = 0; i < 40 * 33; i++) {
        records.writeUInt32LE(0x80200803, 4 + 16 * i);
        records.writeUInt16LE(0x2a66 + (i % 40) * 64, 4 + 16 * i + 6);
        for (let k = 0; k < 3; k++) records.writeUInt16LE(0x3c00, 4 + 16 * i + 10 + 2 * k);
    }
    const times = [];
    for (let i = 0; i < 7; i++) times.push(await firstPicture([`clip${i}.ewzanim`, [...records]]));
    const sorted = [...times].sort((a, b) => a - b);
    console.log(`first picture of a 40-bone clip: ${times[0].toFixed(0)} ms at first, ${sorted[3].toFixed(0)} ms in the middle of 7`);
    assert.ok(sorted[0] <= 300, `${sorted[0]} ms`);
});

test("many characters", async () => {
    const corpus = process.env.EMBER_CORPUS, knight = corpus ? join(corpus, "gltf", "Knight.glb") : null;
    const [name, data, count] = knight ? ["Knight.glb", readFileSync(knight), 100] : ["walker.glb", bytes("walker.glb"), 100];
    console.log(`${name} opens in ${(await firstPicture([name, [...data]])).toFixed(0)} ms`);
    const result = await page.evaluate(async (crowd) => {
        const app = window.ember, pixel = new Uint8Array(4);
        app.crowd = crowd;
        app.settle();
        app.engine.call("frame_all");
        let engine = 0, whole = 0;
        const rounds = 20;
        for (let i = 0; i < rounds; i++) {
            app.frame = i % (app.last() + 1);
            const began = performance.now();
            app.engine.draw(app.frame);
            engine += performance.now() - began;
            app.gl.readPixels(0, 0, 1, 1, app.gl.RGBA, app.gl.UNSIGNED_BYTE, pixel);
            whole += performance.now() - began;
        }
        app.crowd = 1;
        app.settle();
        return { engine: engine / rounds, whole: whole / rounds, size: [app.canvas.width, app.canvas.height] };
    }, count);
    const renderer = await page.evaluate(() => window.ember.gl.getParameter(window.ember.gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? window.ember.gl.RENDERER));
    console.log(`${count} × ${name} at ${result.size.join("×")}: ${result.engine.toFixed(1)} ms of the page's own work, ${result.whole.toFixed(1)} ms until drawn (${renderer})`);
    assert.ok(result.engine < 1000 / 60 * 4, "the page's own work leaves time for the graphics card");
});
