#pragma once
#include "gnn/device/stream.h"
#include "gnn/sparse/block_view.h"

namespace gnn::cuda {

using device::Stream;

// The edges of a block by src, in edge order: dst row and position of each. Arrays of the device.
struct ReverseEdges {
  int32_t* indptr;   // [num_src + 1]
  int32_t* indices;  // [num_edges]
  int32_t* edges;    // [num_edges]
};

// The CPU's arrays: stable, so that transposed sums have one order. Reads the edges by dst alone; without `indptr` each
// edge is the only one of its dst row.
void reverse_edges(Stream& stream, const BlockView& block, const ReverseEdges& out);

}  // namespace gnn::cuda
