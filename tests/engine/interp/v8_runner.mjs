// SPDX-License-Identifier: MIT
// Runs modules on V8 as engine_runner's `calls` and `memory` do: reads lines `FILE COUNT`, answers each with COUNT
// lines and one more for all memory.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const kinds = [["memory access out of bounds", "m"], ["divide by zero", "z"], ["remainder by zero", "z"],
    ["divide result unrepresentable", "o"], ["float unrepresentable", "c"], ["unreachable", "u"], ["table index", "i"],
    ["null function", "i"], ["signature mismatch", "i"], ["call stack", "d"]];

function hash(words) {
    let h = 0x811c9dc5 | 0;
    for (let i = 0; i < words.length; i++)
        h = Math.imul(h ^ words[i], 0x01000193);
    return (h >>> 0).toString(16).padStart(8, "0");
}

for await (const line of createInterface({ input: process.stdin })) {
    const [path, count] = line.split(" ");
    const { memory, update } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path))).exports;
    const out = [];
    for (let i = 0; i < +count; i++) {
        let kind = "-";
        new Uint32Array(memory.buffer)[0] = i;
        try {
            update();
        } catch (error) {
            kind = (kinds.find(([text]) => error.message.includes(text)) ?? [0, "?"])[1];
        }
        const words = new Uint32Array(memory.buffer, 0, 1024);
        const hex = (word) => word.toString(16).padStart(8, "0");
        out.push(`${kind} ${hex(words[3])}${hex(words[2])} ${hash(words)}`);
    }
    out.push(`${memory.buffer.byteLength} ${hash(new Uint32Array(memory.buffer))}`);
    process.stdout.write(out.join("\n") + "\n");
}
