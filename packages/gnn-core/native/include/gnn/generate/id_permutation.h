#pragma once
#include <bit>
#include <cstdint>

#include "gnn/generate/keyed_random.h"

namespace gnn {

// A random bijection of [0, count) and its inverse without a table: a Feistel network over the next power of two,
// walked on until it falls inside (Black and Rogaway 2002, "Ciphers with arbitrary finite domains").
class IdPermutation {
 public:
  IdPermutation(uint64_t seed, int64_t count) : count_(static_cast<uint64_t>(count)) {
    const int bits = count_ > 1 ? std::bit_width(count_ - 1) : 0;
    low_bits_ = bits / 2;
    low_mask_ = (uint64_t{1} << low_bits_) - 1;
    high_mask_ = (uint64_t{1} << (bits - low_bits_)) - 1;
    KeyedRandom keys(seed, Purpose::kIds, 0);
    for (uint64_t& key : keys_) key = keys.bits();
  }

  int32_t id_of(int32_t node) const {
    uint64_t x = static_cast<uint32_t>(node);
    do x = forward(x);
    while (x >= count_);
    return static_cast<int32_t>(x);
  }

  int32_t node_of(int32_t id) const {
    uint64_t x = static_cast<uint32_t>(id);
    do x = backward(x);
    while (x >= count_);
    return static_cast<int32_t>(x);
  }

 private:
  static constexpr int kRounds = 6;

  uint64_t forward(uint64_t x) const {
    uint64_t low = x & low_mask_, high = x >> low_bits_;
    for (int round = 0; round < kRounds; round += 2) {
      high ^= mix64(low + keys_[round]) & high_mask_;
      low ^= mix64(high + keys_[round + 1]) & low_mask_;
    }
    return high << low_bits_ | low;
  }

  uint64_t backward(uint64_t x) const {
    uint64_t low = x & low_mask_, high = x >> low_bits_;
    for (int round = kRounds; round > 0; round -= 2) {
      low ^= mix64(high + keys_[round - 1]) & low_mask_;
      high ^= mix64(low + keys_[round - 2]) & high_mask_;
    }
    return high << low_bits_ | low;
  }

  uint64_t count_;
  int low_bits_;
  uint64_t low_mask_, high_mask_;
  uint64_t keys_[kRounds];
};

}  // namespace gnn
