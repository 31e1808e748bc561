# SPDX-License-Identifier: MIT
"""Every public header compiles alone, in C11 and, where there is a compiler for it, in C++17; and none is forgotten."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root, compiler = sys.argv[1:]
headers = sorted((pathlib.Path(root) / "include" / "ember").glob("**/*.h"))
assert len(headers) >= 10, f"found only {len(headers)} headers"

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
ways = [("C11", compiler, ["-std=c11", "-Wstrict-prototypes"], ".c")]
cxx = shutil.which("c++")
if cxx:
    ways.append(("C++17", cxx, ["-std=c++17"], ".cpp"))
else:
    print("no C++ compiler: headers were only tried in C")

failed = 0
with tempfile.TemporaryDirectory() as folder:
    for header in headers:
        for name, program, standard, suffix in ways:
            source = pathlib.Path(folder) / f"only{suffix}"
            source.write_text(f"#include <ember/{header.name}>\n#include <ember/{header.name}>\n", encoding="utf-8")
            command = [program, *standard, *WARNINGS, f"-I{root}/include", "-fsyntax-only", str(source)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                failed += 1
                print(f"{header.name} as {name}:\n{done.stderr}")
# What EMBER_API is for a program and for the library on Windows, and here.
for flags, wanted in ((["-D_WIN32"], "visibility"), (["-D_WIN32", "-DEMBER_DLL"], "dllimport"), (["-D_WIN32", "-DEMBER_DLL_EXPORT"], "dllexport"), ([], "visibility")):
    text = subprocess.run([compiler, "-E", "-P", "-ffreestanding", *flags, f"{root}/include/ember/base.h"], check=True, capture_output=True, text=True).stdout
    line = next(line for line in text.splitlines() if "ember_version" in line)
    if wanted not in line:
        failed += 1
        print(f"base.h with {' '.join(flags)}: {line}")
print(f"{len(headers)} headers as {' and '.join(name for name, *_ in ways)}: {len(headers) * len(ways) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
