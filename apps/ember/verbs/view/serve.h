/* SPDX-License-Identifier: MIT */
/* The viewer's server: the page and the named files, on this machine's loopback alone, to whoever knows the
   token in the address. */
#ifndef EMBER_APP_SERVE_H
#define EMBER_APP_SERVE_H

#include <stddef.h>
#include <stdint.h>

#include "cli/say.h"
#include "verbs/view/served_file.h"

typedef struct serve_job {
    app_say           *say;
    /* what is served beside the page, under their paths; read anew for every request */
    const served_file *files;
    uint32_t           count;
    uint16_t           port; /* 0: any that is free */
    /* Called once it listens; the address ends with the token and a slash. */
    void (*ready)(void *user, const char *address);
    void *user;
} serve_job;

/* Serves until SIGINT or SIGTERM. False, with one line said, where it cannot listen, or this build
   has no server. */
bool serve_run(const serve_job *job);

/* The page's files, which are compiled into the command (cmake/EmberEmbed.cmake); a name of
   NULL ends them. */
typedef struct serve_file {
    const char    *name;
    const uint8_t *data;
    size_t         size;
} serve_file;
extern const serve_file serve_page[];

#endif
