/* SPDX-License-Identifier: MIT */
/* All files at once: threads take them one by one, and the first thread watches and draws the bar. Nothing is
   shared but the list, of which every file belongs to the thread that took it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "verbs/build/build.h"

/* The draft's clips are known by their magic, whatever they are called, unless ember.json says what it is. */
static void make_tell(build_file *file, const ember_buffer *bytes)
{
    bool open = (file->way == BUILD_DATA && file->choice.as == NULL) || file->way == BUILD_KEYFRAMES;
    if (open && bytes->size >= 4 && memcmp(bytes->data, "EWZA", 4) == 0)
        file->way = BUILD_EXPORT;
}

static void make_file(const build_job *job, build_file *file)
{
    ember_buffer bytes = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    app_say      say = build_file_say(file);
    if (ember_file_read(&bytes, file->full, 0, &err) != EMBER_OK) {
        say_library(&say, NULL, &err);
    } else {
        make_tell(file, &bytes);
        if (file->way == BUILD_EXPORT && job->cache != NULL)
            file->key = build_cache_key(job, file, &bytes);
        file->unchanged = file->key != 0 && build_cache_load(job, file);
        if (!file->unchanged && build_export(job, file, &bytes) && file->key != 0)
            build_cache_save(job, file);
    }
    ember_buffer_free(&bytes);
}

typedef struct make_pool {
    build_job      *job;
    pthread_mutex_t lock;
    pthread_cond_t  moved;
    size_t          next, done;
} make_pool;

static void *make_work(void *user)
{
    make_pool *pool = user;
    pthread_mutex_lock(&pool->lock);
    while (pool->next < pool->job->list.count) {
        build_file *file = &pool->job->list.files[pool->next++];
        pthread_mutex_unlock(&pool->lock);
        if (file->way != BUILD_SKIP)
            make_file(pool->job, file);
        pthread_mutex_lock(&pool->lock);
        pool->done++;
        pthread_cond_signal(&pool->moved);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void make_watch(make_pool *pool)
{
    size_t shown = 0;
    pthread_mutex_lock(&pool->lock);
    while (shown < pool->job->list.count) {
        while (pool->done == shown)
            pthread_cond_wait(&pool->moved, &pool->lock);
        size_t done = pool->done;
        pthread_mutex_unlock(&pool->lock);
        for (; shown < done; shown++)
            progress_step(&pool->job->say->bar);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

void build_make_all(build_job *job)
{
    make_pool  pool = {.job = job};
    pthread_t *threads = must_alloc(job->threads, sizeof(*threads));
    unsigned   count = 0;
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.moved, NULL);
    progress_start(&job->say->bar, job->list.count);
    while (count < job->threads && count < job->list.count &&
           pthread_create(&threads[count], NULL, make_work, &pool) == 0)
        count++;
    /* Where the system gives no thread, this one does the work. */
    if (count == 0)
        make_work(&pool);
    else
        make_watch(&pool);
    while (count-- > 0)
        pthread_join(threads[count], NULL);
    progress_hide(&job->say->bar);
    pthread_cond_destroy(&pool.moved);
    pthread_mutex_destroy(&pool.lock);
    free(threads);
}
