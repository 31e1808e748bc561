// SPDX-License-Identifier: MIT
// node node.mjs PROGRAM.wasm ARGUMENT...: a program for wasm32-wasi, which may print and read files.
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', args: process.argv.slice(2), returnOnExit: true, preopens: { '/': '/' } });
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), wasi.getImportObject());
process.exitCode = wasi.start(instance);
