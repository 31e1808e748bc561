/* SPDX-License-Identifier: MIT */
/* The manual page, made from the verbs' own help. */
#ifndef EMBER_APP_MANUAL_H
#define EMBER_APP_MANUAL_H

/* Prints ember(1) in roff's man macros. */
void manual_print(void);

#endif
