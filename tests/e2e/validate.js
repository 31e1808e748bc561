// SPDX-License-Identifier: MIT
// node validate.js FILE...: Khronos' validator; one line of JSON per file with the numbers of errors and warnings and what they are.
const fs = require('fs');
const path = require('path');
const validator = require('gltf-validator');

async function validate(file) {
    const options = {
        uri: path.basename(file),
        maxIssues: 0,
        writeTimestamp: false,
        externalResourceFunction: (uri) =>
            fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri))).then((bytes) => new Uint8Array(bytes)),
    };
    try {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), options);
        const messages = report.issues.messages.filter((m) => m.severity < 2).map((m) => m.code + ' ' + m.pointer + ' ' + m.message);
        return { errors: report.issues.numErrors, warnings: report.issues.numWarnings, messages: messages.slice(0, 5) };
    } catch (error) {
        return { errors: 1, warnings: 0, messages: [String(error)] };
    }
}

(async () => {
    for (const file of process.argv.slice(2)) {
        console.log(JSON.stringify(Object.assign({ file: path.basename(file) }, await validate(file))));
    }
})();
