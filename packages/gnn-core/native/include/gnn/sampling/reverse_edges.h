#pragma once
#include <cstdint>

#include "gnn/runtime/memory.h"
#include "gnn/sparse/block_view.h"

namespace gnn {

// The edges of a block by src, in edge order: dst row and position of each.
struct ReverseEdges {
  Recycled<int32_t> indptr;   // [num_src + 1]
  Recycled<int32_t> indices;  // [num_edges]
  Recycled<int32_t> edges;    // [num_edges]
};

// A stable counting sort, so that transposed sums have one order. Reads the edges by dst alone.
ReverseEdges reverse_edges(const BlockView& block);

}  // namespace gnn
