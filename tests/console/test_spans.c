/* SPDX-License-Identifier: MIT */
/* Spans of guest memory: every function takes all of its own before it writes anything, in the ways that
   functions.h says, and writes nowhere else. The console is compiled for this test so that it reports each
   span as it is taken. */
#include "console/guest_memory.h"
#include "rows.h"

#define MOST_SPANS 16
#define UNTOUCHED 0xa5

static struct trace {
    const host *h;
    uint8_t    *memory, *state; /* before the call */
    unsigned    count;
    struct span {
        uint32_t address;
        uint64_t size;
        host_way way;
        bool     late; /* something had been written */
    } spans[MOST_SPANS];
} trace;

void emberi_span_trace(ember_console *c, const char *function, uint32_t address, uint64_t size, host_way way)
{
    if (trace.h == NULL || size == 0)
        return;
    if (trace.count == MOST_SPANS)
        fail_msg("%s takes more than %d spans", function, MOST_SPANS);
    size_t   state_size = ember_console_state_size(c);
    uint8_t *state_now = test_alloc(state_size);
    ember_console_state_save(c, state_now);
    trace.spans[trace.count++] = (struct span){address, size, way,
                                               memcmp(state_now, trace.state, state_size) != 0 ||
                                                   memcmp(trace.h->memory, trace.memory, HOSTED_MEMORY) != 0};
    free(state_now);
}

/* ---- what functions.h says ---- */

/* The parameter's text, from 0 behind the console. */
static const char *parameter_at(const call_function *f, unsigned index)
{
    const char *at = f->parameters;
    for (unsigned i = 0; i <= index; i++) {
        at = strchr(at, ',');
        assert_non_null(at);
        at++;
    }
    return at + strspn(at, " ");
}

static bool parameter_is(const call_function *f, unsigned index, const char *type)
{
    const char *at = parameter_at(f, index);
    return strncmp(at, type, strlen(type)) == 0 && at[strlen(type)] == ' ';
}

TEST(every_address_is_said_to_be_read_or_written)
{
    unsigned reads = 0, writes = 0;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        const call_function *f = &call_functions[i];
        const row           *r = row_of(f);
        for (unsigned k = 0; k < call_argument_count(f); k++) {
            bool in = parameter_is(f, k, "guest_in"), out = parameter_is(f, k, "guest_out");
            if ((in || out) != (r->roles[k] == 'p'))
                fail_msg("%s: parameter %u", f->name, k);
            reads += in;
            writes += out;
        }
    }
    assert_true(reads > 30 && writes > 10);
}

/* ---- a good call ---- */

/* Runs the row with what it writes filled with a mark, and the trace on. */
static void traced_call(world *w, const call_function *f, const uint32_t arguments[CALL_MOST])
{
    uint32_t result;
    trace = (struct trace){.h = &w->h};
    trace.memory = test_exact_copy(w->h.memory, HOSTED_MEMORY);
    trace.state = test_alloc(ember_console_state_size(w->h.c));
    ember_console_state_save(w->h.c, trace.state);
    assert_true(call_host(f, w->h.c, arguments, &result));
    trace.h = NULL;
}

/* Exactly one span for each address, in its way, none of them late. */
static void check_spans(const call_function *f, const row *r, const uint32_t arguments[CALL_MOST])
{
    unsigned addresses = 0;
    for (unsigned k = 0; k < strlen(r->roles); k++) {
        if (r->roles[k] != 'p')
            continue;
        host_way way = parameter_is(f, k, "guest_in") ? HOST_READS : HOST_WRITES;
        unsigned found = 0;
        addresses++;
        for (unsigned i = 0; i < trace.count; i++)
            found += trace.spans[i].address == arguments[k] && trace.spans[i].way == way;
        if (found == 0)
            fail_msg("%s: parameter %u is not taken as functions.h says", f->name, k);
    }
    if (trace.count != addresses)
        fail_msg("%s takes %u spans of %u addresses", f->name, trace.count, addresses);
    for (unsigned i = 0; i < trace.count; i++)
        if (trace.spans[i].late)
            fail_msg("%s writes before it takes the span at 0x%x", f->name, trace.spans[i].address);
}

static bool is_written(size_t at)
{
    for (unsigned i = 0; i < trace.count; i++)
        if (trace.spans[i].way == HOST_WRITES && at >= trace.spans[i].address &&
            at - trace.spans[i].address < trace.spans[i].size)
            return true;
    return false;
}

/* All memory but the written spans is as it was, and each of these has been written to its last bytes. */
static void check_memory(const world *w, const call_function *f)
{
    for (size_t at = 0; at < HOSTED_MEMORY; at++)
        if (w->h.memory[at] != trace.memory[at] && !is_written(at))
            fail_msg("%s writes at 0x%zx, which it did not take", f->name, at);
    for (unsigned i = 0; i < trace.count; i++) {
        const struct span *s = &trace.spans[i];
        if (s->way != HOST_WRITES)
            continue;
        const uint8_t *first = w->h.memory + s->address, *last = first + s->size - 4;
        if (memcmp(first, trace.memory + s->address, 4) == 0 ||
            memcmp(last, trace.memory + s->address + s->size - 4, 4) == 0)
            fail_msg("%s leaves bytes of the span at 0x%x unwritten", f->name, s->address);
    }
}

TEST(every_function_takes_its_spans_before_it_writes_and_writes_nowhere_else)
{
    for (size_t i = 0; i < CALL_COUNT; i++) {
        const call_function *f = &call_functions[i];
        const row           *r = row_of(f);
        world                w;
        uint32_t             arguments[CALL_MOST];
        row_enter(&w, r);
        memset(w.h.memory + AT_OUT, UNTOUCHED, WORLD_SIZE - AT_OUT);
        row_arguments(&w, r, 0, arguments);
        traced_call(&w, f, arguments);
        check_spans(f, r, arguments);
        check_memory(&w, f);
        free(trace.memory);
        free(trace.state);
        world_close(&w);
    }
}
