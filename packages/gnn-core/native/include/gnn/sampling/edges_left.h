#pragma once
#include <cstdint>

#include "gnn/runtime/memory.h"
#include "gnn/sparse/block_view.h"

namespace gnn {

// Pairs of nodes, of which either may be an edge's source: GlobalIds, none negative.
struct PairsView {
  int64_t count;
  const int32_t* src;
  const int32_t* dst;
};

// A block without some of its edges.
struct EdgesLeft {
  Recycled<int32_t> indptr;   // [num_dst + 1]
  Recycled<int32_t> indices;  // [edges that are left]
  Recycled<int32_t> kept;     // where each of them was among all; of no entries where none was taken out
};

// Takes out the edges between the nodes of a pair, in either direction. Those that are left keep their order. Reads the
// edges by dst alone. @param src_ids [num_src] the node of every row
EdgesLeft edges_left(const BlockView& block, const int32_t* src_ids, const PairsView& pairs);

}  // namespace gnn
