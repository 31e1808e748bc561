/* SPDX-License-Identifier: MIT */
/* Nine kinds of computing for the benchmark of the engines: each update does the one that the first player's
   buttons choose. Nothing here calls the host. */
#include "ember_game.h"

#define MATRIX 48
#define BODIES 5
#define SORTED 4096
#define SIEVE 65536
#define BONES 64

typedef struct body {
    double x[3], v[3], mass;
} body;

static float    matrix_a[MATRIX][MATRIX], matrix_b[MATRIX][MATRIX], matrix_c[MATRIX][MATRIX];
static body     bodies[BODIES];
static uint32_t sorted[SORTED], digest[8], seen;
static uint8_t  sieve[SIEVE], message[4096], program[256];
static float    local[BONES][12], world[BONES][12];

static void run_matrix(void)
{
    for (int i = 0; i < MATRIX; i++)
        for (int j = 0; j < MATRIX; j++) {
            float sum = 0.0f;
            for (int k = 0; k < MATRIX; k++)
                sum += matrix_a[i][k] * matrix_b[k][j];
            matrix_c[i][j] = sum;
        }
    seen += (uint32_t)matrix_c[3][4];
}

static void run_nbody(void)
{
    for (int step = 0; step < 400; step++) {
        for (int i = 0; i < BODIES; i++)
            for (int j = i + 1; j < BODIES; j++) {
                body  *a = &bodies[i], *b = &bodies[j];
                double d[3], square = 0.01;
                for (int k = 0; k < 3; k++) {
                    d[k] = a->x[k] - b->x[k];
                    square += d[k] * d[k];
                }
                double force = 0.001 / (square * __builtin_sqrt(square));
                for (int k = 0; k < 3; k++) {
                    a->v[k] -= d[k] * b->mass * force;
                    b->v[k] += d[k] * a->mass * force;
                }
            }
        for (int i = 0; i < BODIES; i++)
            for (int k = 0; k < 3; k++)
                bodies[i].x[k] += 0.001 * bodies[i].v[k];
    }
}

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void run_sha256(void)
{
    static uint32_t constants[64];
    for (uint32_t i = 0; i < 64; i++)
        constants[i] = 0x428a2f98u * (2 * i + 1) ^ i << 13;
    for (uint32_t block = 0; block < sizeof(message); block += 64) {
        uint32_t w[64], s[8];
        for (uint32_t i = 0; i < 16; i++)
            w[i] = (uint32_t)message[block + 4 * i] << 24 | (uint32_t)message[block + 4 * i + 1] << 16 |
                   (uint32_t)message[block + 4 * i + 2] << 8 | message[block + 4 * i + 3];
        for (int i = 16; i < 64; i++)
            w[i] = w[i - 16] + w[i - 7] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
                   (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
        for (int i = 0; i < 8; i++)
            s[i] = digest[i];
        for (int i = 0; i < 64; i++) {
            uint32_t one = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                           ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
            uint32_t two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                           ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            for (int k = 7; k > 0; k--)
                s[k] = s[k - 1];
            s[4] += one;
            s[0] = one + two;
        }
        for (int i = 0; i < 8; i++)
            digest[i] += s[i];
    }
}

static void run_mandel(void)
{
    for (int py = 0; py < 48; py++)
        for (int px = 0; px < 48; px++) {
            double cx = px / 20.0 - 1.8, cy = py / 20.0 - 1.2, x = 0.0, y = 0.0;
            int    n = 0;
            for (; n < 100 && x * x + y * y < 4.0; n++) {
                double next = x * x - y * y + cx;
                y = 2.0 * x * y + cy;
                x = next;
            }
            seen += (uint32_t)n;
        }
}

static void sort_part(int low, int high)
{
    while (low < high) {
        uint32_t middle = sorted[low + (high - low) / 2];
        int      i = low, j = high;
        while (i <= j) {
            while (sorted[i] < middle)
                i++;
            while (sorted[j] > middle)
                j--;
            if (i <= j) {
                uint32_t other = sorted[i];
                sorted[i++] = sorted[j];
                sorted[j--] = other;
            }
        }
        if (low < j)
            sort_part(low, j);
        low = i;
    }
}

static void run_sort(void)
{
    uint32_t state = 12345;
    for (int i = 0; i < SORTED; i++) {
        state = state * 1664525u + 1013904223u;
        sorted[i] = state;
    }
    sort_part(0, SORTED - 1);
}

static __attribute__((noinline)) uint32_t fib(uint32_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static void run_sieve(void)
{
    for (uint32_t i = 0; i < SIEVE; i++)
        sieve[i] = 1;
    for (uint32_t i = 2; i * i < SIEVE; i++)
        for (uint32_t k = i * i; sieve[i] && k < SIEVE; k += i)
            sieve[k] = 0;
    for (uint32_t i = 2; i < SIEVE; i++)
        seen += sieve[i];
}

/* A chain of bones, each times its parent. */
static void run_bones(void)
{
    for (int round = 0; round < 40; round++)
        for (int bone = 1; bone < BONES; bone++) {
            const float *a = world[(bone - 1) / 2], *b = local[bone];
            float       *out = world[bone];
            for (int column = 0; column < 4; column++)
                for (int row = 0; row < 3; row++)
                    out[column * 3 + row] = a[row] * b[column * 3] + a[3 + row] * b[column * 3 + 1] +
                                            a[6 + row] * b[column * 3 + 2] +
                                            (column == 3 ? a[9 + row] : 0.0f);
        }
}

/* A small processor: a switch in a loop. */
static void run_vm(void)
{
    uint32_t registers[8] = {1, 2, 3, 4, 5, 6, 7, 8}, at = 0;
    for (int left = 60000; left > 0; left--) {
        uint8_t code = program[at];
        at = (at + 1) & 255u;
        switch (code & 7u) {
        case 0:
            registers[code >> 5] += registers[code >> 3 & 3];
            break;
        case 1:
            registers[code >> 5] ^= registers[code >> 3 & 7] << 3;
            break;
        case 2:
            registers[code >> 5] -= code;
            break;
        case 3:
            registers[code >> 5] *= 5;
            break;
        case 4:
            at = registers[code >> 5] & 1u ? (at + code) & 255u : at;
            break;
        case 5:
            registers[code >> 5] = registers[code >> 5] >> 7 | registers[code >> 5] << 25;
            break;
        case 6:
            program[registers[1] & 15u] ^= (uint8_t)(registers[2] & 0xf8u);
            break;
        default:
            seen += registers[code >> 5];
        }
    }
}

GAME_EXPORT(init)
{
    for (int i = 0; i < MATRIX; i++)
        for (int j = 0; j < MATRIX; j++) {
            matrix_a[i][j] = (float)(i * j % 7) * 0.25f;
            matrix_b[i][j] = (float)(i + 2 * j) * 0.01f;
        }
    for (int i = 0; i < BODIES; i++)
        bodies[i] = (body){{i * 1.5, i * i * 0.3, 2.0 - i}, {0.1 * i, 0.2, -0.1}, 1.0 + i};
    for (uint32_t i = 0; i < sizeof(message); i++)
        message[i] = (uint8_t)(i * 7 + (i >> 5));
    for (uint32_t i = 0; i < sizeof(program); i++)
        program[i] = (uint8_t)(i * 73 + (i >> 2) * 31);
    for (int bone = 0; bone < BONES; bone++)
        for (int i = 0; i < 12; i++)
            local[bone][i] = world[bone][i] = i % 4 == 0 ? 0.9f : 0.05f * (float)(i - bone % 3);
}

GAME_EXPORT(update)
{
    static void (*const kernels[])(void) = {run_matrix, run_nbody, run_sha256, run_mandel, run_sort,
                                            0,          run_sieve, run_bones,  run_vm};
    uint32_t work = input_held(0);
    if (work == 6)
        seen += fib(22);
    else if (work >= 1 && work <= 9)
        kernels[work - 1]();
}

GAME_EXPORT(render) {}

GAME(seen, init, update, render)
