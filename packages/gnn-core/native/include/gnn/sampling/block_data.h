#pragma once
#include <cstdint>

#include "gnn/runtime/memory.h"

namespace gnn {

// One hop: src rows send to dst rows; the first num_dst src rows are the dst rows.
struct BlockData {
  int32_t num_src = 0;
  int32_t num_dst = 0;
  Recycled<int32_t> indptr;   // [num_dst + 1]
  Recycled<int32_t> indices;  // src rows
  Recycled<int32_t> src_ids;  // node of every src row
  Recycled<float> weights;    // one per edge when `weighted`
  bool weighted = false;
  Recycled<int32_t> types;    // relation of each edge when `typed`
  bool typed = false;
  // One per edge when `has_importance`: sums over the edges of a row with these weights estimate the sum, and the mean,
  // over all in-edges.
  Recycled<float> importance_sum;
  Recycled<float> importance_mean;
  bool has_importance = false;
};

}  // namespace gnn
