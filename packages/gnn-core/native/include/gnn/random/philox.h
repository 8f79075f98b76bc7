#pragma once
// Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"): counter in, 128 random bits out.
#include <cstdint>

namespace gnn {

constexpr uint32_t kPhiloxM0 = 0xD2511F53u, kPhiloxM1 = 0xCD9E8D57u;
constexpr uint32_t kPhiloxW0 = 0x9E3779B9u, kPhiloxW1 = 0xBB67AE85u;

inline void philox4x32(uint32_t c[4], uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = static_cast<uint64_t>(kPhiloxM0) * c[0];
    const uint64_t p1 = static_cast<uint64_t>(kPhiloxM1) * c[2];
    c[0] = static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ key0;
    c[1] = static_cast<uint32_t>(p1);
    c[2] = static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ key1;
    c[3] = static_cast<uint32_t>(p0);
    key0 += kPhiloxW0;
    key1 += kPhiloxW1;
  }
}

}  // namespace gnn
