# Short names for what one does with Ember. Each does its own set-up: on Debian missing packages are installed, elsewhere listed.
#   make          build the command at build/ember           make test        run all tests
#   make demo     the main job, start to end                 make bench       measure, with limits
#   make install PREFIX=/usr/local                           make clean

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS += --no-print-directory
CTEST = ctest --output-on-failure --no-tests=error -j $(JOBS)

.PHONY: all demo test bench install clean test-asan test-scalar golden-clang setup-build setup-test

all: setup-build
	@mkdir -p build && { cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }; }
	@sed -n 's/^-- ember: /ember: /p' build/configure.log
	@cmake --build --preset release -j $(JOBS)

setup-build:
	@tools/setup build

setup-test:
	@tools/setup test

demo: all
	@demo/run build

test: setup-test all
	@echo "ember: running all tests"
	@$(CTEST) --test-dir build

bench: all
	@build/bench $(BENCH)

install: all
	@cmake --install build --prefix $(PREFIX)

# The same tests under the sanitizers, and with the scalar kernels alone; the golden hashes by clang.
test-asan: setup-test
	@cmake --preset asan >/dev/null && cmake --build --preset asan -j $(JOBS)
	@$(CTEST) --test-dir build-asan

test-scalar: setup-test
	@cmake --preset scalar >/dev/null && cmake --build --preset scalar -j $(JOBS)
	@$(CTEST) --test-dir build-scalar

golden-clang: setup-test
	@tests/golden/run clang

clean:
	@rm -rf build build-dev build-asan build-scalar build-wasm demo/out
