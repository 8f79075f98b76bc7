#pragma once
#include <cstdint>

#include "gnn/device/stream.h"

namespace gnn::cuda {

using device::Stream;

// Keys in [0, bound), ascending, and where each lay; equal keys stay in their order. Arrays of the device.
struct SortedKeys {
  int32_t* keys;   // [count]
  int32_t* order;  // [count]
};
void sort_keys(Stream& stream, int64_t count, const int32_t* keys, int64_t bound, const SortedKeys& out);

}  // namespace gnn::cuda
