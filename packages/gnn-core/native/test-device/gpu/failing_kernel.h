#pragma once
#include "gnn/device/stream.h"

namespace check {

// Starts a kernel that writes where no memory is. The device is of no use to this process any more.
void start_failing_kernel(gnn::device::Stream& stream);

}  // namespace check
