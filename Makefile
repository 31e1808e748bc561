# Short names for what one does with Ember. Each does its own set-up: on Debian missing packages are installed, elsewhere listed.
#   make          build the command at build/ember           make test        run all tests
#   make demo     the main job, start to end                 make bench       measure, with limits
#   make test-web the viewer's page in Chromium              make test-docs   do what the docs say
#   make fuzz TIME=60  every reader with hostile bytes       make coverage    what the tests run of src/
#   make install PREFIX=/usr/local                           make uninstall
#   make clean                                               and more: CONTRIBUTING.md

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS += --no-print-directory
CTEST = ctest --output-on-failure --no-tests=error -j $(JOBS)

VERSION = $(shell sed -n 's/^project.ember VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

.PHONY: all demo test bench install uninstall clean dist deb \
        test-web \
        test-docs \
        test-install \
        test-deb \
        test-asan \
        test-scalar \
        golden-clang \
        coverage \
        fuzz \
        setup-build \
        setup-test \
        setup-web \
        setup-fuzz \
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

setup-web:
	@tools/setup web

demo: all
	@demo/run build

test: setup-test all
	@echo "ember: running all tests"
	@$(CTEST) --test-dir build

# The viewer in Debian's Chromium. The driver is a package of npm's, by name and version.
PLAYWRIGHT = playwright-core@1.48.2
test-web: setup-web all
	@test -f build/node/node_modules/playwright-core/package.json || npm install --silent --no-audit --no-fund --prefix build/node $(PLAYWRIGHT)
	@EMBER_BUILD=build node --test --test-concurrency=1 tests/viewer/page/page.test.mjs tests/viewer/page/speed.test.mjs

bench: all
	@build/bench $(BENCH)

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

# The same tests under the sanitizers, but for those that compare figures or pictures of real models at length; the rooms that have
# kernels, with the scalar ones alone; the golden hashes by clang.
test-asan: setup-test
	@cmake --preset asan >/dev/null && cmake --build --preset asan -j $(JOBS)
	@$(CTEST) --test-dir build-asan -LE figures

test-scalar: setup-test
	@cmake --preset scalar >/dev/null && cmake --build --preset scalar -j $(JOBS)
	@$(CTEST) --test-dir build-scalar -R '^(base|codec|pose|format|rom|console|golden)/'

# What of src/ the tests run, by gcov: 90 % of the lines and 80 % of the branches are asked for. Left out are the tests that take
# long over real models, valgrind, those that compile programs of their own, and fuzzing, which reaches a line without looking at what it
# does; no corpus, so that the figures are the same everywhere.
coverage: setup-test
	@cmake --preset coverage >/dev/null && cmake --build --preset coverage -j $(JOBS)
	@tools/coverage build-coverage --clear
	@env -u EMBER_CORPUS GCOV_ERROR_FILE=$(CURDIR)/build-coverage/gcov.log $(CTEST) --test-dir build-coverage -LE 'figures|valgrind' -E '^(golden/all|fuzz/|docs/)'
	@tools/coverage build-coverage

golden-clang: setup-test
	@tests/golden/run clang

# Every fuzz target for TIME seconds, JOBS at a time; TARGET=name for some of them alone.
TIME ?= 60
fuzz: setup-fuzz
	@cmake --preset fuzz >/dev/null && cmake --build --preset fuzz -j $(JOBS) >build-fuzz/build.log 2>&1 || { tail -n 30 build-fuzz/build.log; exit 1; }
	@tools/fuzz build-fuzz --time $(TIME) --jobs $(JOBS) $(TARGET)

# An installed Ember, used by programs of its own; the sources and a Debian package, both below build/packages.
test-install: setup-test all
	@python3 -B tests/install/test_install.py . build

# Every command, program and link in the docs.
test-docs: setup-test all
	@$(CTEST) --test-dir build -R '^docs/' --verbose

dist:
	@mkdir -p build/packages && git archive --format=tar.gz --prefix=ember-$(VERSION)/ -o build/packages/ember-$(VERSION).tar.gz HEAD
	@echo "build/packages/ember-$(VERSION).tar.gz"

deb: setup-package all
	@cd build && cpack -G DEB >packages.log 2>&1 || { cat packages.log; exit 1; }
	@ls build/packages/*.deb

test-deb: deb
	@tests/install/run-deb build/packages/*.deb

clean:
	@rm -rf build build-dev build-asan build-scalar build-wasm build-fuzz build-coverage demo/out
