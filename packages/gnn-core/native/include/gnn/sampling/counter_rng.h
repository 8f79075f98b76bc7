#pragma once
// Random draws as a function of what is drawn, never of thread, rank, batch position or what was drawn before.
#include <cmath>
#include <cstdint>

namespace gnn {

// The finalizer of splitmix64 (Steele, Lea, Flood 2014): a bijection with good avalanche.
inline uint64_t mix64(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

constexpr uint64_t kGolden = 0x9E3779B97F4A7C15ULL;

struct SampleKey {
  uint64_t seed;
  uint64_t epoch;
  uint64_t step;
};

// `hop` 0 is the hop from the seeds.
inline uint64_t hop_stream(const SampleKey& key, uint64_t hop) {
  uint64_t stream = mix64(key.seed + kGolden);
  stream = mix64(stream + key.epoch + kGolden);
  stream = mix64(stream + key.step + kGolden);
  return mix64(stream + hop + kGolden);
}

// What the draws of one relation in a hop depend on.
inline uint64_t relation_stream(uint64_t stream, int32_t relation) {
  return mix64(stream + (static_cast<uint64_t>(relation) + 1) * kGolden);
}

// splitmix64 over a counter that starts at a hash of (stream, node).
class NodeRng {
 public:
  NodeRng(uint64_t stream, int32_t node) : state_(mix64(stream ^ mix64(static_cast<uint32_t>(node) + kGolden))) {}

  // Uniform in [0, n); the bias of n / 2^64 is far below what any test can see.
  int64_t below(int64_t n) {
    state_ += kGolden;
    return static_cast<int64_t>((static_cast<unsigned __int128>(mix64(state_)) * static_cast<uint64_t>(n)) >> 64);
  }

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform() {
    state_ += kGolden;
    return static_cast<double>(mix64(state_) >> 11) * 0x1p-53;
  }

  // Exponentially distributed with mean 1; positive.
  double exponential() { return -std::log1p(-uniform()); }

 private:
  uint64_t state_;
};

}  // namespace gnn
