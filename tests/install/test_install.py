# SPDX-License-Identifier: MIT
"""An installed Ember can be used: a small program is built with find_package, pkg-config and add_subdirectory, static and shared, in a
prefix of its own; the command, its manual pages and completions are there; the shared library has a soname and shows
public names only."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root, build = (pathlib.Path(p).resolve() for p in sys.argv[1:])
here = pathlib.Path(__file__).resolve().parent
checks = 0
EXPECTED = "1.0 2.0 3.0\n"  # half floats 3C00, 4000, 4200 of the program's file


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=900, **more)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def check(what, got, expected):
    global checks
    if got != expected:
        sys.exit(f"{what}: got {got!r}, expected {expected!r}")
    checks += 1


CMAKE = """cmake_minimum_required(VERSION 3.22)
project(user C CXX)
{how}
add_executable(program {here}/program.c)
target_link_libraries(program PRIVATE {library})
add_executable(program-cxx program.cpp)
target_link_libraries(program-cxx PRIVATE {library})
target_compile_features(program-cxx PRIVATE cxx_std_17)
add_executable(core {here}/core.c)
target_link_libraries(core PRIVATE Ember::core)
add_executable(host {here}/host.c)
target_link_libraries(host PRIVATE Ember::machine Ember::gpu Ember::image)
"""


def with_cmake(folder, name, how, library, *options):
    source = folder / name
    source.mkdir()
    (source / "CMakeLists.txt").write_text(CMAKE.format(how=how, library=library, here=here), encoding="utf-8")
    (source / "program.cpp").write_text(f'#include "{here}/program.c"\n', encoding="utf-8")
    run("cmake", "-S", source, "-B", source / "build", *options)
    run("cmake", "--build", source / "build", "-j", os.cpu_count(), "--target", "program", "program-cxx", "core", "host")
    check(f"program by {name}", run(source / "build/program"), EXPECTED)
    check(f"program in C++ by {name}", run(source / "build/program-cxx"), EXPECTED)
    run(source / "build/core")
    check(f"host by {name}", run(source / "build/host"), "update 1\n")


with tempfile.TemporaryDirectory() as text:
    folder = pathlib.Path(text)
    prefix = folder / "prefix"
    run("cmake", "--install", build, "--prefix", prefix)
    libraries = next(prefix.glob("lib*/**/libember.so")).parent

    with_cmake(folder, "find_package", "find_package(Ember 0.1 REQUIRED)", "Ember::ember", f"-DCMAKE_PREFIX_PATH={prefix}")
    with_cmake(folder, "find_package-shared", "find_package(Ember 0.1 REQUIRED)", "Ember::shared", f"-DCMAKE_PREFIX_PATH={prefix}")
    with_cmake(folder, "add_subdirectory", f"add_subdirectory({root} ember)", "Ember::ember")

    env = dict(os.environ, PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
    flags = run("pkg-config", "--cflags", "--libs", "ember-shared", env=env).split()
    run("cc", here / "program.c", "-o", folder / "shared", *flags)
    check("program by pkg-config, shared", run(folder / "shared", env=dict(env, LD_LIBRARY_PATH=str(libraries))), EXPECTED)
    check("pkg-config's shared library is used", "libember.so" in run("readelf", "-d", folder / "shared"), True)
    flags = run("pkg-config", "--cflags", "--libs", "--static", "ember", env=env).split()
    check("pkg-config --static and pkg-config", run("pkg-config", "--cflags", "--libs", "ember", env=env).split(), flags)
    run("c++", "-std=c++17", "-x", "c++", here / "program.c", "-x", "none", "-o", folder / "cxx", *flags)
    check("program in C++ by pkg-config, static", run(folder / "cxx"), EXPECTED)
    run("cc", here / "program.c", "-o", folder / "static", *flags)
    check("program by pkg-config, static", run(folder / "static"), EXPECTED)
    check("pkg-config --static links the archive", "libember" in run("readelf", "-d", folder / "static"), False)
    check("version in pkg-config", run("pkg-config", "--modversion", "ember", env=env).strip(),
          run(prefix / "bin/ember", "--version").split()[1])

    soname = [line for line in run("readelf", "-d", libraries / "libember.so").splitlines() if "SONAME" in line]
    check("soname", len(soname) == 1 and "[libember.so.0.1]" in soname[0], True)
    names = [line.split()[-1] for line in run("nm", "-D", "--defined-only", libraries / "libember.so").splitlines()]
    check("names of others in the shared library", [n for n in names if not n.startswith("ember_")], [])
    check("public names in the shared library", len(names) > 50, True)

    for path in ["include/ember_game.h", "bin/ember", "bin/ember-export", "share/man/man1/ember.1", "share/man/man5/ewzanim.5", "share/man/man5/ewz.5",
                 "share/bash-completion/completions/ember", "share/zsh/site-functions/_ember",
                 "share/fish/vendor_completions.d/ember.fish"]:
        check(path, (prefix / path).stat().st_size > 0, True)
    run("bash", "-n", prefix / "share/bash-completion/completions/ember")
    complete = 'source "$1"; COMP_WORDS=(ember con); COMP_CWORD=1; _ember; echo "${COMPREPLY[*]}"'
    check("completion of a verb", run("bash", "-c", complete, "bash", prefix / "share/bash-completion/completions/ember"), "convert\n")
    complete = 'source "$1"; COMP_WORDS=(ember info --bo); COMP_CWORD=2; _ember; echo "${COMPREPLY[*]}"'
    check("completion of an option", run("bash", "-c", complete, "bash", prefix / "share/bash-completion/completions/ember"), "--bones\n")
    registered = run("bash", "-c", 'source "$1"; complete -p ember', "bash", prefix / "share/bash-completion/completions/ember")
    check("bash asks for completions", "-F _ember" in registered, True)
    for shell, path in (("zsh", "share/zsh/site-functions/_ember"), ("fish", "share/fish/vendor_completions.d/ember.fish")):
        if shutil.which(shell):
            run(shell, "-n", prefix / path)
            checks += 1
    if shutil.which("groff"):
        for page in sorted((prefix / "share/man").glob("man*/*")):
            done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-Kutf8", "-z", page], capture_output=True, text=True, timeout=60)
            check(f"warnings about {page.name}", done.stderr, "")

print(f"{checks} passed, 0 failed")
