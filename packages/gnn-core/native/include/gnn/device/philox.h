#pragma once
// The random words of gnn/random/philox.h, on a device.
#include "gnn/device/kernel.h"

namespace gnn::cuda {

__device__ inline void draw_words(uint32_t (&c)[4], uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53u} * c[0], p1 = uint64_t{0xCD9E8D57u} * c[2];
    c[0] = static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ key0;
    c[1] = static_cast<uint32_t>(p1);
    c[2] = static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ key1;
    c[3] = static_cast<uint32_t>(p0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

// One of the eight halves of four words. Written so that the words stay in registers.
__device__ inline uint32_t half_word(const uint32_t (&words)[4], int half) {
  const uint32_t word = half < 4 ? half < 2 ? words[0] : words[1] : half < 6 ? words[2] : words[3];
  return half % 2 == 0 ? word & 0xffffu : word >> 16;
}

}  // namespace gnn::cuda
