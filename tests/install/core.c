/* SPDX-License-Identifier: MIT */
/* The core alone: it links with nothing but the compiler's own library. */
#include <ember/pose.h>

int main(void)
{
    ember_quat half = ember_quat_from_axis_angle((ember_vec3){0.0f, 1.0f, 0.0f}, 3.14159265f);
    ember_vec3 v = ember_quat_rotate(half, (ember_vec3){1.0f, 0.0f, 0.0f});
    return v.x < -0.999f && v.x > -1.001f ? 0 : 1;
}
