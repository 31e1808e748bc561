# Short names for what one does with Ember. Each does its own set-up: on Debian missing packages are installed, elsewhere listed.
#   make          build the command at build/ember           make test        run all tests
#   make demo     the main job, start to end                 make bench       measure, with limits
#   make test-web the viewer's page in Chromium              make faults      everything that can go wrong outside, one by one
#   make install PREFIX=/usr/local                           make clean

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS += --no-print-directory
CTEST = ctest --output-on-failure --no-tests=error -j $(JOBS)

VERSION = $(shell sed -n 's/^project.ember VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

.PHONY: all demo test test-web faults bench install clean test-asan test-scalar golden-clang test-install test-deb dist deb \
        setup-build setup-test setup-web setup-package

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

# Every allocation, read, write and other call failing in turn, a full disk, SIGKILL and SIGTERM at every change; and what files of 1 KB can make it allocate.
faults: setup-test all
	@python3 -B tests/faults/faults.py build/ember build/tests/faults.so
	@python3 -B tests/faults/test_small_files.py build/ember build/tests/faults.so

bench: all
	@build/bench $(BENCH)

install: all
	@cmake --install build --prefix $(PREFIX)

# The same tests under the sanitizers, but for those that compare figures or pictures of real models at length; the rooms that have
# kernels, with the scalar ones alone; the golden hashes by clang.
test-asan: setup-test
	@cmake --preset asan >/dev/null && cmake --build --preset asan -j $(JOBS)
	@$(CTEST) --test-dir build-asan -LE figures

test-scalar: setup-test
	@cmake --preset scalar >/dev/null && cmake --build --preset scalar -j $(JOBS)
	@$(CTEST) --test-dir build-scalar -R '^(base|codec|pose|format|rom|console|golden)/'

golden-clang: setup-test
	@tests/golden/run clang

# An installed Ember, used by programs of its own; the sources and a Debian package, both below build/packages.
test-install: setup-test all
	@python3 -B tests/install/test_install.py . build

dist:
	@mkdir -p build/packages && git archive --format=tar.gz --prefix=ember-$(VERSION)/ -o build/packages/ember-$(VERSION).tar.gz HEAD
	@echo "build/packages/ember-$(VERSION).tar.gz"

deb: setup-package all
	@cd build && cpack -G DEB >packages.log 2>&1 || { cat packages.log; exit 1; }
	@ls build/packages/*.deb

test-deb: deb
	@tests/install/run-deb build/packages/*.deb

clean:
	@rm -rf build build-dev build-asan build-scalar build-wasm demo/out
