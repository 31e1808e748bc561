// SPDX-License-Identifier: MIT
// JSON for the readers: the browser's parser, and its result as a tree in the module's memory (apps/viewer/json/jansson.h has the layout). Whatever jansson would refuse gives 0;
// the C side then finds out what it is called.

const OBJECT = 0, ARRAY = 1, STRING = 2, REAL = 4, TRUE = 5, FALSE = 6, NULL = 7;
const REJECT_DUPLICATES = 1, ALLOW_NUL = 2;
const DEPTH_LIMIT = 2048;
const NODE = 16;

class Refused extends Error {}

// Pairs in the text; where the parsed document has fewer, a key was there twice.
function countPairs(bytes) {
    let count = 0, inside = false;
    for (let i = 0; i < bytes.length; i++) {
        const c = bytes[i];
        if (inside) {
            if (c === 0x5c) i++;
            else if (c === 0x22) inside = false;
        } else if (c === 0x22) inside = true;
        else if (c === 0x3a) count++;
    }
    return count;
}

function wellFormed(text) {
    return text.isWellFormed ? text.isWellFormed() : !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}

class Tree {
    constructor(flags) {
        this.flags = flags;
        this.words = new Uint32Array(1 << 14);
        this.numbers = new Float64Array(this.words.buffer);
        this.count = 0;
        this.text = new Uint8Array(1 << 14);
        this.textSize = 0;
        this.pairs = 0;
        this.waiting = []; // containers whose values are not written yet: value, place, depth
    }

    reserve(count) {
        const first = this.count;
        this.count += count;
        if (this.count * 4 > this.words.length) {
            const grown = new Uint32Array(Math.max(this.words.length * 2, this.count * 4));
            grown.set(this.words);
            this.words = grown;
            this.numbers = new Float64Array(grown.buffer);
        }
        return first;
    }

    string(at, value, isKey) {
        if (!wellFormed(value) || ((isKey || !(this.flags & ALLOW_NUL)) && value.includes("\0"))) throw new Refused();
        const most = value.length * 3 + 1;
        if (this.textSize + most > this.text.length) {
            const grown = new Uint8Array(Math.max(this.text.length * 2, this.textSize + most));
            grown.set(this.text);
            this.text = grown;
        }
        const { written } = new TextEncoder().encodeInto(value, this.text.subarray(this.textSize));
        this.words.set([STRING, written, this.textSize], at * 4);
        this.textSize += written + 1;
    }

    value(at, value, depth) {
        if (depth >= DEPTH_LIMIT) throw new Refused();
        if (typeof value === "number") {
            if (!Number.isFinite(value)) throw new Refused();
            this.words[at * 4] = REAL;
            this.numbers[at * 2 + 1] = value;
        } else if (typeof value === "string") this.string(at, value, false);
        else if (value === null || typeof value === "boolean") this.words[at * 4] = value === null ? NULL : value ? TRUE : FALSE;
        else this.waiting.push(value, at, depth);
    }

    container(value, at, depth) {
        const keys = Array.isArray(value) ? null : Object.keys(value);
        const count = keys ? keys.length : value.length;
        const first = this.reserve(keys ? 2 * count : count);
        this.words.set([keys ? OBJECT : ARRAY, count, (first - at) * NODE], at * 4);
        if (keys) this.pairs += count;
        for (let i = 0; i < count; i++) {
            if (keys) this.string(first + 2 * i, keys[i], true);
            this.value(keys ? first + 2 * i + 1 : first + i, keys ? value[keys[i]] : value[i], depth + 1);
        }
    }

    build(root) {
        this.value(this.reserve(1), root, 0);
        while (this.waiting.length) {
            const depth = this.waiting.pop(), at = this.waiting.pop(), value = this.waiting.pop();
            this.container(value, at, depth);
        }
        for (let i = 0; i < this.count; i++) if (this.words[i * 4] === STRING) this.words[i * 4 + 2] += (this.count - i) * NODE;
    }
}

export function jsonParse(engine, at, size, flags) {
    const bytes = new Uint8Array(engine.memory.buffer, at, size);
    try {
        const root = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
        if (root === null || typeof root !== "object") return 0;
        const tree = new Tree(flags);
        tree.build(root);
        if (flags & REJECT_DUPLICATES && countPairs(bytes) !== tree.pairs) return 0;
        const place = engine.alloc(tree.count * NODE + tree.textSize);
        if (!place) return 0;
        new Uint8Array(engine.memory.buffer).set(new Uint8Array(tree.words.buffer, 0, tree.count * NODE), place);
        new Uint8Array(engine.memory.buffer).set(tree.text.subarray(0, tree.textSize), place + tree.count * NODE);
        return place;
    } catch (problem) {
        if (problem instanceof SyntaxError || problem instanceof TypeError || problem instanceof RangeError || problem instanceof Refused) return 0;
        throw problem;
    }
}
