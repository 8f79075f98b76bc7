#pragma once
// Philox4x32-10 on 16 counters at once, one per lane: the same words as philox4x32 of each.
#include <cstdint>
#include <cstring>

#include "gnn/random/philox.h"
#include "gnn/runtime/lanes.h"

namespace gnn {

// Half of the lanes, each word in 64 bits to have whole products.
typedef uint64_t WideWords __attribute__((vector_size(64)));
typedef uint32_t HalfWords __attribute__((vector_size(32)));
constexpr int kWideLanes = kLanes / 2;

GNN_INLINE WideWords widen(const uint32_t* from) {
  HalfWords half;
  std::memcpy(&half, from, sizeof half);
  return __builtin_convertvector(half, WideWords);
}

// c[w][lane] becomes word w of Philox(counter = (c[0], c[1], c[2], c[3])[lane], key = (key0, key1)).
GNN_INLINE void philox_lanes(Words c[4], uint32_t key0, uint32_t key1) {
  constexpr uint64_t kLow = 0xffffffffu;
  for (int part = 0; part < 2; ++part) {
    const auto word = [&](int w) { return reinterpret_cast<uint32_t*>(c + w) + part * kWideLanes; };
    WideWords c0 = widen(word(0)), c1 = widen(word(1)), c2 = widen(word(2)), c3 = widen(word(3));
    uint32_t k0 = key0, k1 = key1;
    for (int round = 0; round < 10; ++round) {
      const WideWords p0 = c0 * kPhiloxM0, p1 = c2 * kPhiloxM1;
      c0 = (p1 >> 32) ^ c1 ^ k0;
      c1 = p1 & kLow;
      c2 = (p0 >> 32) ^ c3 ^ k1;
      c3 = p0 & kLow;
      k0 += kPhiloxW0;
      k1 += kPhiloxW1;
    }
    const WideWords state[4] = {c0, c1, c2, c3};
    for (int w = 0; w < 4; ++w) {
      const HalfWords half = __builtin_convertvector(state[w], HalfWords);
      std::memcpy(word(w), &half, sizeof half);
    }
  }
}

}  // namespace gnn
