/* SPDX-License-Identifier: MIT */
/* --error: a number and its unit. */
#include "files/lean_options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

bool lean_options_parse(ember_ewzlean_options *out, const char *text)
{
    static const struct {
        const char *name;
        double      scale;
        bool        relative;
    } units[] = {{"mm", 0.001, false}, {"cm", 0.01, false}, {"m", 1.0, false}, {"%", 0.01, true}};
    const size_t length = strlen(text);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        const size_t size = strlen(units[i].name);
        if (length <= size || strcmp(text + length - size, units[i].name) != 0)
            continue;
        char      *digits = text_make("%.*s", (int)(length - size), text);
        double     number = 0.0;
        const bool read = text_read_double(&number, digits);
        free(digits);
        if (!read)
            continue; /* "0.5m" of "0.5mm" */
        *out = (ember_ewzlean_options){.error = number * units[i].scale, .relative = units[i].relative};
        return out->error > 0.0;
    }
    return false;
}

int lean_options_read(ember_ewzlean_options *out, const ember_format_info *to, const app_args *args,
                      app_say *say)
{
    const char *value = args_value(args, "error");
    *out = (ember_ewzlean_options){.error = 0.0};
    if (value == NULL)
        return EXIT_DONE;
    if ((to->takes & EMBER_TAKES_EWZLEAN) == 0)
        return args_usage(args, say, "--error is for ewzlean, not for %s", to->name);
    if (!lean_options_parse(out, value))
        return args_usage(args, say, "--error is a length or a percentage, such as 0.5mm or 0.02%%, not '%s'",
                          value);
    return EXIT_DONE;
}
