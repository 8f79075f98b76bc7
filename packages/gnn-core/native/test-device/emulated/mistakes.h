#pragma once
// Kernels with planted mistakes: the emulation is of use only if it finds them.
#include <cstdint>

#include "gnn/device/stream.h"

namespace check {

enum class Mistake {
  kMissingBarrier,
  kMissingWarpSync,
  kDivergentBarrier,
  kDivergentShuffle,
  kWrongMask,
  kDeadlock,
  kOutOfBounds,
  kUnwritten,
  kRace,
  kNoBlocks,
  kTooManyBlocks,
  kTooMuchShared,
};

// x, out [64]; n < 64 where a mistake is about threads that leave early.
void make_mistake(gnn::device::Stream& stream, Mistake mistake, int n, const float* x, float* out);

// out [64] = what lies with the host at the address that the device has in `address` [1]
void read_host(gnn::device::Stream& stream, const float* const* address, float* out);

}  // namespace check
