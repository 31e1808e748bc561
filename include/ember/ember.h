/* SPDX-License-Identifier: MIT */
/* All of Ember's library. */
#ifndef EMBER_EMBER_H
#define EMBER_EMBER_H

#include "base.h"
#include "codec.h"
#include "ff7.h"
#include "format.h"
#include "model.h"
#include "pose.h"
#include "rom.h"
#include "squeeze.h"

#endif
