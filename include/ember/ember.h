/* SPDX-License-Identifier: MIT */
/* All of Ember's library. */
#ifndef EMBER_EMBER_H
#define EMBER_EMBER_H

#include "animbin.h"
#include "base.h"
#include "codec.h"
#include "ff7.h"
#include "file.h"
#include "format.h"
#include "format_options.h"
#include "lean.h"
#include "model.h"
#include "motion.h"
#include "player.h"
#include "pose.h"
#include "reduce.h"
#include "rom.h"
#include "squeeze.h"

#endif
