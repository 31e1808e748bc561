/* SPDX-License-Identifier: MIT */
/* Blending of rotations, over the lane vocabulary: the one nlerp and the one slerp in floats.
   kernels_all.inl includes it for each instruction set, and transform.c with one lane, so that
   ember_quat_slerp has the bits of the kernels. Formats interpolate in doubles, before they round once:
   emberi_real_quat_slerp of base/real.h. */

EMBERI_INLINE lanes quat_dot(const lanes a[4], const lanes b[4])
{
    return lanes_add(lanes_add(lanes_mul(a[0], b[0]), lanes_mul(a[1], b[1])),
                     lanes_add(lanes_mul(a[2], b[2]), lanes_mul(a[3], b[3])));
}

/* A sum of zero stays zero. */
EMBERI_INLINE void quat_normalize(lanes q[4])
{
    lanes inverse = lanes_div(lanes_set(1.0f), lanes_sqrt(lanes_max(quat_dot(q, q), lanes_set(1e-30f))));
    LANES_UNROLL
    for (int k = 0; k < 4; k++)
        q[k] = lanes_mul(q[k], inverse);
}

EMBERI_INLINE void quat_mix(lanes out[4], const lanes a[4], lanes weight_a, const lanes b[4], lanes weight_b)
{
    LANES_UNROLL
    for (int k = 0; k < 4; k++)
        out[k] = lanes_add(lanes_mul(a[k], weight_a), lanes_mul(b[k], weight_b));
}

/* The short way: the sign of the dot product turns the second weight. Not normalised yet, nor is quat_slerp.
 */
EMBERI_INLINE void quat_nlerp(lanes out[4], const lanes a[4], const lanes b[4], lanes from, lanes to)
{
    quat_mix(out, a, from, b, lanes_flip(to, quat_dot(a, b)));
}

/* acos(1 - e)^2 / e for e in 0..1: smooth, where the angle itself has a root at 0. Pairs of terms instead of
   a chain, as the chain's latency is what would cost. */
EMBERI_INLINE lanes quat_angle_squared_over(lanes e)
{
    lanes e2 = lanes_mul(e, e), e4 = lanes_mul(e2, e2);
    lanes low = lanes_add(lanes_set(2.00000064f), lanes_mul(lanes_set(0.333275414f), e));
    lanes middle = lanes_add(lanes_set(0.0897477432f), lanes_mul(lanes_set(0.0238542967f), e));
    lanes high = lanes_add(lanes_set(0.0221762565f), lanes_mul(lanes_set(-0.0110076461f), e));
    high = lanes_add(high, lanes_mul(lanes_set(0.00935376535f), e2));
    return lanes_add(lanes_add(low, lanes_mul(middle, e2)), lanes_mul(high, e4));
}

/* sin(x)/x of y = x*x, for angles up to a quarter turn. */
EMBERI_INLINE lanes quat_sine_over(lanes y)
{
    lanes y2 = lanes_mul(y, y);
    lanes low = lanes_add(lanes_set(0.999999996f), lanes_mul(lanes_set(-0.16666658f), y));
    lanes high = lanes_add(lanes_set(0.00833305098f), lanes_mul(lanes_set(-0.00019809069f), y));
    return lanes_add(lanes_add(low, lanes_mul(high, y2)),
                     lanes_mul(lanes_set(2.60521026e-06f), lanes_mul(y2, y2)));
}

/* Only the ratio of the weights matters, as the sum is normalised: sin(from*h) to sin(to*h), both over h.
   That needs no division, no acos, and no special case for rotations that are nearly the same. */
EMBERI_INLINE void quat_slerp(lanes out[4], const lanes a[4], const lanes b[4], lanes from, lanes to)
{
    lanes dot = quat_dot(a, b);
    lanes e = lanes_max(lanes_sub(lanes_set(1.0f), lanes_abs(dot)), lanes_set(0.0f));
    lanes h2 = lanes_mul(e, quat_angle_squared_over(e));
    lanes weight_a = lanes_mul(from, quat_sine_over(lanes_mul(lanes_mul(from, from), h2)));
    lanes weight_b = lanes_mul(to, quat_sine_over(lanes_mul(lanes_mul(to, to), h2)));
    quat_mix(out, a, weight_a, b, lanes_flip(weight_b, dot));
}
