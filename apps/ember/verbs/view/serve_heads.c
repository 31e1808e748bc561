/* SPDX-License-Identifier: MIT */
/* Connections whose request has not arrived yet. One that takes too long is closed, however busy it is: a
   byte now and then keeps the library's own limit away, and a few of those would lock everybody out. */
#include "verbs/view/serve_heads.h"

#include <string.h>
#include <sys/socket.h>
#include <time.h>

static double heads_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void serve_heads_open(serve_heads *heads)
{
    memset(heads, 0, sizeof(*heads));
    pthread_mutex_init(&heads->lock, NULL);
    for (size_t i = 0; i < SERVE_CONNECTIONS; i++)
        heads->slots[i].socket = -1;
}

void serve_heads_close(serve_heads *heads) { pthread_mutex_destroy(&heads->lock); }

void serve_heads_wait(serve_heads *heads, int socket)
{
    serve_head *free_slot = NULL;
    pthread_mutex_lock(&heads->lock);
    for (size_t i = 0; i < SERVE_CONNECTIONS; i++)
        if (heads->slots[i].socket == socket || (free_slot == NULL && heads->slots[i].socket < 0))
            free_slot = &heads->slots[i];
    if (free_slot != NULL)
        *free_slot = (serve_head){socket, heads_now()};
    pthread_mutex_unlock(&heads->lock);
}

void serve_heads_arrived(serve_heads *heads, int socket)
{
    pthread_mutex_lock(&heads->lock);
    for (size_t i = 0; i < SERVE_CONNECTIONS; i++)
        if (heads->slots[i].socket == socket)
            heads->slots[i].socket = -1;
    pthread_mutex_unlock(&heads->lock);
}

unsigned serve_heads_sweep(serve_heads *heads, double most_s)
{
    unsigned closed = 0;
    double   now = heads_now();
    pthread_mutex_lock(&heads->lock);
    for (size_t i = 0; i < SERVE_CONNECTIONS; i++)
        if (heads->slots[i].socket >= 0 && now - heads->slots[i].since_s > most_s) {
            /* The library sees the end of the stream and frees it; the number stays taken until then. */
            (void)shutdown(heads->slots[i].socket, SHUT_RDWR);
            heads->slots[i].socket = -1;
            closed++;
        }
    pthread_mutex_unlock(&heads->lock);
    return closed;
}
