# SPDX-License-Identifier: MIT
# A room is an object library: it sees the public headers, src/ of the rooms below it, and links nothing. Flags that every
# file of Ember is compiled with are here and nowhere else.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wvla)
# The same bits everywhere: no fused multiply-add that was not asked for, and sqrt without a detour through errno.
add_compile_options(-ffp-contract=off -fno-math-errno)
# The shared library exports what EMBER_API marks, and nothing else.
set(CMAKE_C_VISIBILITY_PRESET hidden)
if(WIN32 AND EMBER_SHARED)
    add_compile_definitions(EMBER_DLL_EXPORT)
endif()

if(EMBER_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()

# Unoptimised, so that every line and branch that is written is there to be counted, and nothing inlined, so that it is there
# once. Without assertions, as released: no input can trip one, so their other side could not be counted. Threads may lose a
# count, which is no matter where only none or some is asked.
if(EMBER_COVERAGE)
    add_compile_options(-O0 --coverage -fprofile-abs-path -DNDEBUG "-DEMBERI_INLINE=static inline")
    add_link_options(--coverage)
endif()

if(EMBER_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

function(ember_room name)
    add_library(ember_${name} OBJECT ${ARGN})
    target_include_directories(ember_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
endfunction()
