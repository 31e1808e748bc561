/* SPDX-License-Identifier: MIT */
/* The viewer's server, by libmicrohttpd. Whoever is on this machine can reach the port, and any web page
   can send requests to it: so only the token in the path opens it, the Host header must be the loopback's
   own (or a foreign name that resolves to it could read along), and only the exact paths that are listed
   are answered. */
#include "verbs/view/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "cli/json_text.h"
#include "cli/text.h"
#include "verbs/view/serve_heads.h"

#define TOKEN_BYTES 16
#define HEADERS_MOST (16u << 10) /* bytes of a request's line and headers; more is 431 */
#define SECONDS_MOST 10u         /* that a connection may be silent */
#define HEAD_SECONDS_MOST 10.0   /* that a request's head may take, however it trickles in */

typedef struct server {
    const serve_job *job;
    char             token[2 * TOKEN_BYTES + 1];
    uint16_t         port;
    serve_heads      heads;
} server;

static const char policy[] = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
                             "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; "
                             "form-action 'none'; frame-ancestors 'none'";

/* ---- answers ---- */

static enum MHD_Result answer_with(struct MHD_Connection *connection, unsigned code, const char *type,
                                   struct MHD_Response *response, const char *allow)
{
    if (response == NULL)
        return MHD_NO;
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Content-Security-Policy", policy);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "Cross-Origin-Opener-Policy", "same-origin");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    if (allow != NULL)
        MHD_add_response_header(response, "Allow", allow);
    enum MHD_Result result = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned code, const char *type,
                              const void *data, size_t size, const char *allow)
{
    /* The library takes memory that it may write to, but copies it. */
    return answer_with(connection, code, type,
                       MHD_create_response_from_buffer(size, (void *)(uintptr_t)data, MHD_RESPMEM_MUST_COPY),
                       allow);
}

/* The beginning of the path, without the token wherever it stands: it is not for logs. */
static void hide_token(char *out, size_t out_size, const server *s, const char *path)
{
    size_t to = 0;
    while (*path != '\0' && to + sizeof("…") < out_size) {
        if (strncmp(path, s->token, sizeof(s->token) - 1) == 0) {
            memcpy(out + to, "…", sizeof("…") - 1);
            to += sizeof("…") - 1;
            path += sizeof(s->token) - 1;
        } else {
            out[to++] = *path++;
        }
    }
    out[to] = '\0';
}

/* A request that is not answered, and a line about it. */
static enum MHD_Result refuse(const server *s, struct MHD_Connection *connection, unsigned code,
                              const char *method, const char *path, const char *why)
{
    char text[64], shown[200];
    hide_token(shown, sizeof(shown), s, path);
    say_warning(s->job->say, (place){"view", NULL, NULL}, "%u %.16s %s: %s", code, method, shown, why);
    snprintf(text, sizeof(text), "%u %s\n", code, why);
    return answer(connection, code, "text/plain; charset=utf-8", text, strlen(text),
                  code == MHD_HTTP_METHOD_NOT_ALLOWED ? "GET" : NULL);
}

static const char *type_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot != NULL && strcmp(dot, ".html") == 0)
        return "text/html; charset=utf-8";
    if (dot != NULL && strcmp(dot, ".css") == 0)
        return "text/css; charset=utf-8";
    if (dot != NULL && strcmp(dot, ".js") == 0)
        return "text/javascript; charset=utf-8";
    return dot != NULL && strcmp(dot, ".wasm") == 0 ? "application/wasm" : "application/octet-stream";
}

static enum MHD_Result answer_list(const server *s, struct MHD_Connection *connection)
{
    json_t *root = json_object(), *files = json_array();
    for (uint32_t i = 0; i < s->job->count; i++) {
        json_t *file = json_object();
        char   *path = text_make("files/%u", (unsigned)i);
        json_put(file, "name", json_text(s->job->files[i].path));
        json_put(file, "path", json_text(path));
        json_add(files, file);
        free(path);
    }
    json_put(root, "files", files);
    char           *text = json_compact_text(root);
    enum MHD_Result result = answer(connection, MHD_HTTP_OK, "application/json", text, strlen(text), NULL);
    json_free(root);
    free(text);
    return result;
}

static enum MHD_Result answer_file(const server *s, struct MHD_Connection *connection, const char *path,
                                   uint32_t index)
{
    char   why[SERVED_FILE_WHY];
    size_t size = 0;
    int    fd = served_file_open(&s->job->files[index], &size, why);
    if (fd < 0) {
        say_error(s->job->say, (place){s->job->files[index].path, NULL, NULL}, "%s", why);
        return refuse(s, connection, MHD_HTTP_NOT_FOUND, "GET", path, "the file cannot be read");
    }
    /* The library closes it with the answer. */
    struct MHD_Response *response = MHD_create_response_from_fd(size, fd);
    if (response == NULL)
        close(fd);
    return answer_with(connection, MHD_HTTP_OK, "application/octet-stream", response, NULL);
}

/* ---- requests ---- */

/* Takes as long for any wrong token. */
static bool token_matches(const server *s, const char *path)
{
    unsigned different = 0;
    if (path[0] != '/' || strlen(path) < sizeof(s->token) || path[sizeof(s->token)] != '/')
        return false;
    for (size_t i = 0; i + 1 < sizeof(s->token); i++)
        different |= (unsigned char)s->token[i] ^ (unsigned char)path[i + 1];
    return different == 0;
}

static bool host_is_ours(const server *s, const char *host)
{
    char ours[32];
    for (int i = 0; i < 2; i++) {
        snprintf(ours, sizeof(ours), "%s:%u", i == 0 ? "127.0.0.1" : "localhost", (unsigned)s->port);
        if (host != NULL && strcmp(host, ours) == 0)
            return true;
    }
    return false;
}

static enum MHD_Result count_host(void *user, enum MHD_ValueKind kind, const char *key, const char *value)
{
    unsigned *count = user;
    (void)kind, (void)value;
    *count += strcasecmp(key, "Host") == 0;
    return MHD_YES;
}

/* Of two Host headers others may believe the second. */
static bool host_is_single(struct MHD_Connection *connection)
{
    unsigned count = 0;
    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, count_host, &count);
    return count == 1;
}

static int connection_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info != NULL ? info->connect_fd : -1;
}

static enum MHD_Result serve_request(void *user, struct MHD_Connection *connection, const char *path,
                                     const char *method, const char *version, const char *upload,
                                     size_t *upload_size, void **state)
{
    server *s = user;
    (void)version, (void)upload, (void)state;
    serve_heads_arrived(&s->heads, connection_socket(connection));
    if (strcmp(method, "GET") != 0)
        return refuse(s, connection, MHD_HTTP_METHOD_NOT_ALLOWED, method, path, "only GET is answered");
    if (*upload_size != 0)
        return MHD_NO;
    if (!host_is_single(connection) ||
        !host_is_ours(s, MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host")))
        return refuse(s, connection, MHD_HTTP_FORBIDDEN, method, path,
                      "not asked under this machine's own name");
    if (!token_matches(s, path))
        return refuse(s, connection, MHD_HTTP_FORBIDDEN, method, path, "without the token");
    const char *name = path + sizeof(s->token) + 1;
    if (name[0] == '\0')
        name = "index.html";
    if (strcmp(name, "files.json") == 0)
        return answer_list(s, connection);
    for (const serve_file *file = serve_page; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0)
            return answer(connection, MHD_HTTP_OK, type_of(name), file->data, file->size, NULL);
    for (uint32_t i = 0; i < s->job->count; i++) {
        char wanted[32];
        snprintf(wanted, sizeof(wanted), "files/%u", (unsigned)i);
        if (strcmp(wanted, name) == 0)
            return answer_file(s, connection, path, i);
    }
    return refuse(s, connection, MHD_HTTP_NOT_FOUND, method, path,
                  "not one of the page's or the named files");
}

/* Nothing that is served has a name with a sign to unescape. */
static size_t serve_unescape(void *user, struct MHD_Connection *connection, char *text)
{
    (void)user, (void)connection;
    return strlen(text);
}

/* The library answers headers that are too long by itself, and says so here. */
static void serve_log(void *user, const char *format, va_list list)
{
    const server *s = user;
    char          text[256];
    vsnprintf(text, sizeof(text), format, list);
    text[strcspn(text, "\n")] = '\0';
    /* Browsers open connections ahead and let them go again. */
    if (strstr(text, "closed by remote side with incomplete request") != NULL)
        return;
    /* It quotes its whole answer behind the code. */
    const char *found = strstr(text, "response code is ");
    unsigned    code = found != NULL ? (unsigned)strtoul(found + 17, NULL, 10) : 0;
    if (code == MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE || code == MHD_HTTP_URI_TOO_LONG)
        say_warning(s->job->say, (place){"view", NULL, NULL},
                    "%u: a request whose address or headers are too long", code);
    else if (code != 0)
        say_warning(s->job->say, (place){"view", NULL, NULL}, "%u: a request that is none", code);
    else if (strstr(text, "connection limit") != NULL)
        say_warning(s->job->say, (place){"view", NULL, NULL}, "a connection is refused: %u are open",
                    SERVE_CONNECTIONS);
    else
        say_warning(s->job->say, (place){"view", NULL, NULL}, "%s", text);
}

/* A connection may ask again once it was answered. */
static void serve_completed(void *user, struct MHD_Connection *connection, void **state,
                            enum MHD_RequestTerminationCode how)
{
    server *s = user;
    (void)state;
    if (how == MHD_REQUEST_TERMINATED_COMPLETED_OK)
        serve_heads_wait(&s->heads, connection_socket(connection));
}

static void serve_connected(void *user, struct MHD_Connection *connection, void **state,
                            enum MHD_ConnectionNotificationCode what)
{
    server *s = user;
    (void)state;
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        serve_heads_wait(&s->heads, connection_socket(connection));
    else
        serve_heads_arrived(&s->heads, connection_socket(connection));
}

/* ---- life ---- */

static bool serve_token(server *s)
{
    uint8_t bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return say_error(s->job->say, (place){"view", NULL, NULL}, "the system has no random numbers: %s",
                         strerror(errno)),
               false;
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(s->token + 2 * i, 3, "%02x", (unsigned)bytes[i]);
    return true;
}

static struct MHD_Daemon *serve_open(server *s)
{
    struct sockaddr_in where = {.sin_family = AF_INET,
                                .sin_port = htons(s->job->port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    unsigned           flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ERROR_LOG;
    struct MHD_Daemon *daemon =
        MHD_start_daemon(flags, s->job->port, NULL, NULL, serve_request, s, MHD_OPTION_EXTERNAL_LOGGER,
                         serve_log, s, MHD_OPTION_SOCK_ADDR, &where, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                         (size_t)HEADERS_MOST, MHD_OPTION_CONNECTION_LIMIT, SERVE_CONNECTIONS,
                         MHD_OPTION_CONNECTION_TIMEOUT, SECONDS_MOST, MHD_OPTION_UNESCAPE_CALLBACK,
                         serve_unescape, NULL, MHD_OPTION_NOTIFY_CONNECTION, serve_connected, s,
                         MHD_OPTION_NOTIFY_COMPLETED, serve_completed, s, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        daemon != NULL ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    s->port = info != NULL ? info->port : s->job->port;
    return daemon;
}

bool serve_run(const serve_job *job)
{
    server   s = {.job = job};
    sigset_t ending;
    if (!serve_token(&s))
        return false;
    /* Blocked before there are threads, so that only sigtimedwait gets them. */
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ending, NULL);
    serve_heads_open(&s.heads);
    struct MHD_Daemon *daemon = serve_open(&s);
    if (daemon == NULL)
        return say_error(job->say, (place){"view", NULL, NULL}, "cannot listen on 127.0.0.1, port %u",
                         (unsigned)job->port),
               false;
    char *address = text_make("http://127.0.0.1:%u/%s/", (unsigned)s.port, s.token);
    job->ready(job->user, address);
    free(address);
    const struct timespec second = {.tv_sec = 1};
    while (sigtimedwait(&ending, NULL, &second) < 0)
        serve_heads_sweep(&s.heads, HEAD_SECONDS_MOST);
    MHD_stop_daemon(daemon);
    serve_heads_close(&s.heads);
    return true;
}
