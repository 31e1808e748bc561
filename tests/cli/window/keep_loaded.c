/* SPDX-License-Identifier: MIT */
/* Preloaded under the sanitizers: libraries stay loaded to the end, so that a leak in a driver is reported
   with the driver's name and can be told from one of ours. */
__attribute__((visibility("default"))) int dlclose(void *handle);

int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
