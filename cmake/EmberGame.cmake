# SPDX-License-Identifier: MIT
# Games for wasm32. ember_wasm_game(OUT.wasm SOURCE.c) makes a module of a C file that includes ember_game.h; EMBER_WASM_GAMES says whether it can.
# Compiled and linked in two steps: clang by itself would run wasm-opt where it finds one, and the same source is to give the same module.
option(EMBER_GAMES "Build the example games for wasm32 (needs clang and lld)" ON)
find_program(EMBER_WASM_CLANG clang)
find_program(EMBER_WASM_LD wasm-ld)
set(EMBER_WASM_GAMES OFF)
if(EMBER_GAMES AND EMBER_WASM_CLANG AND EMBER_WASM_LD)
    set(EMBER_WASM_GAMES ON)
elseif(EMBER_GAMES)
    message(STATUS "ember: clang or wasm-ld not found, the example games are not built for wasm32")
endif()

# The stack first, so that one that overflows faults and does not run into the game's data.
set(EMBER_WASM_LINK --no-entry --stack-first -z stack-size=65536 --max-memory=4194304 --strip-all)

function(ember_wasm_game out source)
    add_custom_command(OUTPUT ${out}
        COMMAND ${EMBER_WASM_CLANG} --target=wasm32 -std=c11 -O2 -ffreestanding -nostdlib -mbulk-memory -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow
                -Wconversion -Wstrict-prototypes -I${PROJECT_SOURCE_DIR}/game -c ${source} -o ${out}.o
        COMMAND ${EMBER_WASM_LD} ${EMBER_WASM_LINK} ${out}.o -o ${out}
        DEPENDS ${source} ${PROJECT_SOURCE_DIR}/game/ember_game.h VERBATIM)
endfunction()
