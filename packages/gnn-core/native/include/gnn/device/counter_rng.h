#pragma once
// The draws of gnn/sampling/counter_rng.h, on a device.
#include "gnn/device/kernel.h"

namespace gnn::cuda {

constexpr uint64_t kSplitmixStep = 0x9E3779B97F4A7C15ULL;

__device__ inline uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

class NodeDraws {
 public:
  __device__ NodeDraws(uint64_t stream, int32_t node)
      : state_(mixed(stream ^ mixed(static_cast<uint32_t>(node) + kSplitmixStep))) {}

  // Uniform in [0, n).
  __device__ int64_t below(int64_t n) {
    state_ += kSplitmixStep;
    return static_cast<int64_t>(__umul64hi(mixed(state_), static_cast<uint64_t>(n)));
  }

 private:
  uint64_t state_;
};

}  // namespace gnn::cuda
