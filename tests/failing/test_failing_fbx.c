/* SPDX-License-Identifier: MIT */
/* What the child makes of an FBX file, in want of memory at each place: whole, or not at all. The files are
   those of Debian's assimp-testmodels. */
#include "failing.h"

#include "format/fbx/fbx_parts.h"

#include <unistd.h>

#define MODELS "/usr/share/assimp/models/FBX/"

typedef struct file_job {
    ember_buffer file, whole; /* the FBX file, and what it becomes */
} file_job;

static ember_status convert_run(void *user, ember_error *err)
{
    const file_job *job = user;
    ember_buffer    glb = {.allocator = ember_heap()}, notes = {.allocator = ember_heap()};
    ember_status    status = emberi_fbx_convert(&glb, &notes, job->file.data, job->file.size, err);
    if (status == EMBER_OK && job->whole.size != 0) {
        assert_int_equal(glb.size, job->whole.size);
        assert_memory_equal(glb.data, job->whole.data, glb.size);
    }
    ember_buffer_free(&glb);
    ember_buffer_free(&notes);
    return status;
}

/* Every push; of the many pieces of text fewer and fewer. */
static void every_conversion(const char *name)
{
    file_job     job = {{.allocator = ember_heap()}, {.allocator = ember_heap()}};
    ember_buffer notes = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    char         path[256];
    bool         came = true;
    size_t       told = 0;
    snprintf(path, sizeof(path), MODELS "%s", name);
    assert_int_equal(ember_file_read(&job.file, path, 0, &err), EMBER_OK);
    assert_int_equal(emberi_fbx_convert(&job.whole, &notes, job.file.data, job.file.size, &err), EMBER_OK);
    ember_buffer_free(&notes);
    assert_in_range(failing_every(convert_run, &job, FAILING_PUSH), 3, 2000);
    for (size_t nth = 1; came; nth += 1 + nth / 4) {
        err = (ember_error)EMBER_ERROR_INIT;
        failing_start(FAILING_BUFFER, nth);
        ember_status status = convert_run(&job, &err);
        came = failing_stop();
        /* The beginning of a list that stays empty is nothing lost. */
        assert_true(came ? status == EMBER_E_NOMEM || status == EMBER_OK : status == EMBER_OK);
        told += status == EMBER_E_NOMEM ? 1 : 0;
    }
    assert_in_range(told, 10, 1000);
    ember_buffer_free(&job.file);
    ember_buffer_free(&job.whole);
}

TEST(models_are_converted_whole_or_not)
{
    if (access(MODELS "huesitos.fbx", R_OK) != 0) {
        print_message("assimp-testmodels are not installed\n");
        skip();
    }
    every_conversion("box.fbx");
    every_conversion("phong_cube.fbx");
    every_conversion("huesitos.fbx");
    every_conversion("animation_with_skeleton.fbx");
}
