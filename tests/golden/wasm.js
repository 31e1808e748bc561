// SPDX-License-Identifier: MIT
// Prints what golden_text of a freestanding wasm32 build gives, or with --isa the name of the kernels in use.
const fs = require('fs');
const module_bytes = fs.readFileSync(process.argv[2]);
WebAssembly.instantiate(module_bytes, {}).then(({ instance }) => {
    const { memory, golden_text, golden_isa } = instance.exports;
    const start = process.argv[3] === '--isa' ? golden_isa() : golden_text();
    const bytes = new Uint8Array(memory.buffer);
    const text = Buffer.from(bytes.subarray(start, bytes.indexOf(0, start))).toString('latin1');
    process.stdout.write(process.argv[3] === '--isa' ? text + '\n' : text);
}).catch((error) => {
    console.error(String(error));
    process.exit(1);
});
