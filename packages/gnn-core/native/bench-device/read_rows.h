#pragma once
#include "gnn/device/stream.h"

namespace bench {

// Reads rows ids[i] of 128 float32 each and does nothing with them but a sum that no value equals: what a device can
// read of rows in random order, at best.
void read_rows(gnn::device::Stream& stream, int64_t count, const float* x, const int32_t* ids, float* never);

constexpr int64_t kReadRowFloats = 128;

}  // namespace bench
