/* SPDX-License-Identifier: MIT */
/* How long the heads of requests may take. */
#ifndef EMBER_APP_SERVE_HEADS_H
#define EMBER_APP_SERVE_HEADS_H

#include <pthread.h>

#define SERVE_CONNECTIONS 64u

typedef struct serve_head {
    int    socket; /* -1: the slot is free */
    double since_s;
} serve_head;

typedef struct serve_heads {
    pthread_mutex_t lock;
    serve_head      slots[SERVE_CONNECTIONS];
} serve_heads;

void serve_heads_open(serve_heads *heads);
void serve_heads_close(serve_heads *heads);

/* The connection waits for a request from now on; its request has arrived, or it is gone. Of any thread. */
void serve_heads_wait(serve_heads *heads, int socket);
void serve_heads_arrived(serve_heads *heads, int socket);

/* Shuts down those that have waited longer; how many. */
unsigned serve_heads_sweep(serve_heads *heads, double most_s);

#endif
