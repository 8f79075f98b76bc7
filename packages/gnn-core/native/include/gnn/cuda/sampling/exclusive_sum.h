#pragma once
#include <cstdint>

#include "gnn/device/stream.h"

namespace gnn::cuda {

using device::Stream;

// sums[i] = values[0] + … + values[i - 1] for i in [0, count].
void exclusive_sum(Stream& stream, int64_t count, const int32_t* values, int32_t* sums);

}  // namespace gnn::cuda
