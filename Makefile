# SPDX-License-Identifier: MIT
# Short names for what one does with Ember. Each does its own set-up: on Debian missing packages are installed, elsewhere listed.
#   make          build the command at build/ember           make test        run all tests
#   make demo     the main job, start to end                 make bench       measure, with limits
#   make test-web the viewer's page in Chromium              make test-docs   do what the docs say
#   make fuzz TIME=60  every reader with hostile bytes       make coverage    what the tests run of src/
#   make lint     gcc's and clang's analyzers, cppcheck      make faults      everything that can go wrong outside, one by one
#   make format   format all sources and pages               make check-format  report those that are not (part of make lint)
#   make install PREFIX=/usr/local                           make uninstall
#   make clean                                               and more: CONTRIBUTING.md

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SEED ?= 0
MAKEFLAGS += --no-print-directory
CTEST = ctest --output-on-failure --no-tests=error -j $(JOBS)

VERSION = $(shell sed -n 's/^project.ember VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

.PHONY: all demo test bench lean-left-out install uninstall clean dist deb amalgam \
        test-web \
        test-docs \
        test-install \
        test-deb \
        test-asan \
        spec \
        random \
        validator \
        wasm \
        test-scalar \
        determinism \
        coverage \
        fuzz \
        faults \
        lint \
        format \
        check-format \
        setup-build \
        setup-test \
        setup-web \
        setup-fuzz \
        setup-format \
        setup-lint \
        setup-package

all: setup-build
	@mkdir -p build && { cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }; }
	@sed -n 's/^-- ember: /ember: /p' build/configure.log
	@cmake --build --preset release -j $(JOBS)

setup-build:
	@tools/setup build

setup-package:
	@tools/setup package

setup-test:
	@tools/setup test

setup-fuzz:
	@tools/setup fuzz

setup-format:
	@tools/setup format

setup-lint:
	@tools/setup lint

setup-web:
	@tools/setup web

demo: all
	@demo/run build

# Node looks for packages here. Khronos' validator of glTF is npm's, by name and version; if npm cannot bring it, its test skips.
export NODE_PATH ?= $(CURDIR)/build/node/node_modules
VALIDATOR = gltf-validator@2.0.0-dev.3.10
validator: setup-web
	@test -d build/node/node_modules/gltf-validator || \
		npm install --silent --no-audit --no-fund --fetch-retries=1 --prefix build/node $(VALIDATOR) >/dev/null 2>&1 || \
		echo "ember: npm cannot bring $(VALIDATOR), so its test skips"

# The WebAssembly specification's tests are in Debian's source package of binaryen; if they cannot be brought, their test skips.
# They run on both engines, counted, which takes some minutes: the object engine compiles every module.
SPEC = http://deb.debian.org/debian/pool/main/b/binaryen/binaryen_108.orig.tar.gz
SPEC_SHA256 = 7fea5013da7f98daeeb6a0a60333e8aa917bcb0b1b418ba8531fe710d09041f2
spec: setup-test all
	@mkdir -p build/spec
	@test -f build/spec/i32.wast || { curl -sfL --max-time 120 -o build/spec.tar.gz $(SPEC) && \
		echo "$(SPEC_SHA256)  build/spec.tar.gz" | sha256sum --check --quiet && \
		tar -xzf build/spec.tar.gz -C build/spec --wildcards --strip-components=3 '*/test/spec/*.wast'; } || \
		echo "ember: $(SPEC) cannot be brought, so its test skips"
	@EMBER_SPEC_ENGINES="interp object" $(CTEST) --test-dir build -R '^engine/interp/spec$$' --verbose

# CALLS random calls of random modules on interpreter, object engine and V8 from SEED on; `make test` has a sample of them.
CALLS ?= 1000000
random: setup-test all
	@EMBER_RANDOM_CALLS=$(CALLS) EMBER_RANDOM_SEED=$(SEED) $(CTEST) --test-dir build -R '^engine/interp/random$$' --verbose

test: setup-test all
	@echo "ember: running all tests"
	@$(CTEST) --test-dir build

# The viewer in Debian's Chromium. The driver is a package of npm's, by name and version.
PLAYWRIGHT = playwright-core@1.48.2
test-web: setup-web all
	@test -f build/node/node_modules/playwright-core/package.json || \
		npm install --no-audit --no-fund --fetch-retries=1 --prefix build/node $(PLAYWRIGHT) >build/npm.log 2>&1 || \
		{ echo "ember: npm cannot bring $(PLAYWRIGHT), which drives the browser: is its registry within reach? (build/npm.log)" >&2; exit 1; }
	@for part in page hostile speed; do EMBER_BUILD=build node --test --test-reporter=spec tests/viewer/page/$$part.test.mjs || exit 1; done

# The sources read by the checkers (tools/lint says which and how); each exception stands in the source, in .clang-tidy or in tools/cppcheck.txt with its reason.
# What needs the built libraries, their names, is project/symbols of make test.
lint: setup-lint check-format
	@mkdir -p build-lint && { cmake --preset lint >build-lint/configure.log 2>&1 || { cat build-lint/configure.log; exit 1; }; }
	@tools/lint -j $(JOBS)

# The layout of C and Markdown, and the licence line of every source; see tools/format.
format: setup-format
	@tools/format -j $(JOBS)

check-format: setup-format
	@tools/format --check -j $(JOBS)

# Every allocation, read, write and other call failing in turn, a full disk, SIGKILL and SIGTERM at every change; and what files of 1 KB can make it allocate.
faults: setup-test all
	@python3 -B tests/faults/faults.py build/ember build/tests/faults.so
	@python3 -B tests/faults/test_small_files.py build/ember build/tests/faults.so

bench: all
	@build/bench $(BENCH)

# Bytes of lean clips with tables that were trained without the set they are tried on; some minutes.
lean-left-out: all
	@build/tests/lean_train --left-out

# As root, ldconfig lets programs find the shared library. What was installed last is written down, so that it can be taken away again.
INSTALLED = build/installed.txt
install: all
	@cmake --install build --prefix $(PREFIX)
	@cp build/install_manifest.txt $(INSTALLED)
	@if [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

uninstall:
	@test -f $(INSTALLED) || { echo "ember: nothing was installed from here" >&2; exit 1; }
	@xargs -d '\n' rm -fv -- <$(INSTALLED)
	@sed -n 's#\(.*/\(include/ember\|cmake/Ember\|share/ember\)\)/.*#\1#p' $(INSTALLED) | sort -u | while read -r folder; do \
	    test ! -d "$$folder" || find "$$folder" -depth -type d -empty -delete; done
	@rm $(INSTALLED)

# The same tests under the sanitizers, but for those that compare figures or pictures of real models at length, and those that run
# nothing of this build (the sources' layout, the core in one file); the rooms that have kernels, with the scalar ones alone; the golden hashes and games by every compiler, optimisation, instruction set and target.
test-asan: setup-test
	@cmake --preset asan >/dev/null && cmake --build --preset asan -j $(JOBS)
	@$(CTEST) --test-dir build-asan -LE figures -E '^(project/|golden/amalgam)'

test-scalar: setup-test all
	@EMBER_ISA=scalar $(CTEST) --test-dir build -R '^(base|codec|pose|squeeze|model|format|rom|console)/'

# What of src/ the tests run, by gcov: 90 % of the lines and 80 % of the branches are asked for. Left out are the tests that take
# long over real models, valgrind, those that compile programs of their own, and fuzzing, which reaches a line without looking at what it
# does; no corpus, so that the figures are the same everywhere.
coverage: setup-test
	@tools/coverage build-coverage --clear
	@cmake --preset coverage >/dev/null && cmake --build --preset coverage -j $(JOBS)
	@tools/coverage build-coverage --clear
	@env -u EMBER_CORPUS GCOV_ERROR_FILE=$(CURDIR)/build-coverage/gcov.log $(CTEST) --test-dir build-coverage -LE 'figures|valgrind' -E '^((fuzz|docs|project)/|golden/amalgam)'
	@tools/coverage build-coverage

# libember-core without a C library, as an archive for wasm32.
wasm: setup-build
	@cmake --preset wasm >/dev/null && cmake --build --preset wasm -j $(JOBS)

determinism: setup-test
	@tests/golden/run $(ONLY)

# Every fuzz target for TIME seconds, JOBS at a time; TARGET=name for some of them alone; SEED=1 tries the same things again.
TIME ?= 60
fuzz: setup-fuzz
	@cmake --preset fuzz >/dev/null && cmake --build --preset fuzz -j $(JOBS) >build-fuzz/build.log 2>&1 || { tail -n 30 build-fuzz/build.log; exit 1; }
	@tools/fuzz build-fuzz --time $(TIME) --seed $(SEED) --jobs $(JOBS) $(TARGET)

# An installed Ember, used by programs of its own; the sources and a Debian package, both below build/packages.
test-install: setup-test all
	@python3 -B tests/install/test_install.py . build

# Every command, program and link in the docs.
test-docs: setup-test all
	@$(CTEST) --test-dir build -R '^docs/' --verbose

dist:
	@mkdir -p build/packages && git archive --format=tar.gz --prefix=ember-$(VERSION)/ -o build/packages/ember-$(VERSION).tar.gz HEAD
	@echo "build/packages/ember-$(VERSION).tar.gz"

amalgam:
	@tools/amalgamate build/amalgam && ls build/amalgam/ember_core.h build/amalgam/ember_core.c

# The date of every file in the package is the last change's, so that the same sources give the same package.
DATE = $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
deb: setup-package all
	@cd build && SOURCE_DATE_EPOCH=$(DATE) cpack -G DEB >packages.log 2>&1 || { cat packages.log; exit 1; }
	@ls build/packages/*.deb

test-deb: deb
	@SOURCE_DATE_EPOCH=$(DATE) tests/install/run-deb build/packages/*.deb build

clean:
	@rm -rf build build-dev build-asan build-scalar build-wasm build-fuzz build-lint build-coverage demo/out
