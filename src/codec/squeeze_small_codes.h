/* The prefix codes of small blocks. They were trained once and are part of the format: they never change. */
#ifndef EMBER_CODEC_SQUEEZE_SMALL_CODES_H
#define EMBER_CODEC_SQUEEZE_SMALL_CODES_H

#include <stdint.h>

#define SMALL_CLASSES 48u /* of what is expected of one component */
#define SMALL_JOINT_LIMIT 39 /* from this expectation on components are always coded one by one */
#define SMALL_JOINT_CODES 12u
#define SMALL_JOINT_SYMBOLS 28u /* 27 triples of -1..1, and: components follow */
#define SMALL_JOINT_BITS 8u     /* of the longest code */

/* Golomb parameters by class; key rows choose one of four. */
extern const uint8_t emberi_small_parameters[SMALL_CLASSES];
extern const uint8_t emberi_small_key_parameters[4];

/* The code of three components by what is expected of them, the lengths of its symbols, and for decoding the symbol << 4 | length of every 8 bits. */
extern const uint8_t  emberi_small_joint_class[SMALL_JOINT_LIMIT];
extern const uint8_t  emberi_small_joint_lengths[SMALL_JOINT_CODES][SMALL_JOINT_SYMBOLS];
extern const uint16_t emberi_small_joint_decode[SMALL_JOINT_CODES][1u << SMALL_JOINT_BITS];

#endif
