#pragma once
// In which order blocks, warps and lanes take turns.
#include <cstddef>
#include <vector>

#include "gnn/device/emulation.h"

namespace gnn::device::emulation {

Order order();
// [0, count) in the present order.
std::vector<size_t> turns(size_t count);
// Another number below `count` at each call, in shuffled order; 0 in the others.
size_t draw(size_t count);

}  // namespace gnn::device::emulation
