#pragma once
// Vectors of 16 numbers, for GNN_MULTIVERSION functions: the compiler splits them where the instruction set has
// narrower ones. They are spelt out where it would unroll a short loop before it looks for vectors in it.
#include <cstdint>
#include <cstring>

// Functions that take or give such vectors are always inlined, so how narrower instruction sets would pass them is no
// matter.
#pragma GCC diagnostic ignored "-Wpsabi"

#define GNN_INLINE inline __attribute__((always_inline))

namespace gnn {

constexpr int kLanes = 16;
typedef float Floats __attribute__((vector_size(64)));
typedef uint32_t Words __attribute__((vector_size(64)));
typedef int32_t Ints __attribute__((vector_size(64)));
static_assert(sizeof(Floats) == kLanes * sizeof(float));

GNN_INLINE Floats load_lanes(const float* from) {
  Floats lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
GNN_INLINE void store_lanes(const Floats& lanes, float* to) { std::memcpy(to, &lanes, sizeof lanes); }

GNN_INLINE float sum_lanes(const Floats& lanes) {
  float parts[kLanes];
  store_lanes(lanes, parts);
  for (int width = kLanes / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) parts[i] += parts[i + width];
  }
  return parts[0];
}

// 2^n and r with x = n ln 2 + r, |r| <= ln 2 / 2; and e^r - 1 by the polynomial of Cephes' expf (error below 1 ulp).
struct SplitExp {
  Floats power;
  Floats minus_one;
};
GNN_INLINE SplitExp split_exp(const Floats& x) {
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer, kept in the low bits
  const Floats shifted = x * 1.44269504088896341f + kRound;
  const Floats n = shifted - kRound;
  const Floats r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  Floats p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const Ints exponent = ((Ints)shifted - 0x4B400000 + 127) << 23;
  return {(Floats)exponent, p * (r * r) + r};
}

constexpr float kLowestExp = -87.0f;

// e^x for x <= 88; 0 below kLowestExp, -infinity included.
GNN_INLINE Floats exp_lanes(const Floats& x) {
  const Ints is_normal = x >= kLowestExp;
  const Floats bounded = (Floats)((Ints)x & is_normal);
  const SplitExp e = split_exp(bounded);
  return (Floats)((Ints)(e.power * e.minus_one + e.power) & is_normal);
}

// e^x - 1 for x <= 88, without cancellation near 0; -1 below kLowestExp.
GNN_INLINE Floats expm1_lanes(const Floats& x) {
  const Ints is_normal = x >= kLowestExp;
  const SplitExp e = split_exp((Floats)((Ints)x & is_normal));
  const Floats value = e.power * e.minus_one + (e.power - 1.0f);
  const Floats lowest = Floats{} - 1.0f;
  return (Floats)(((Ints)value & is_normal) | ((Ints)lowest & ~is_normal));
}

}  // namespace gnn
