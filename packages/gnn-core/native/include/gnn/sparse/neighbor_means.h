#pragma once
// Means over whole neighbourhoods, read from the graph itself: no block is built, no row is copied.
#include <cstdint>

#include "gnn/features/feature_view.h"
#include "gnn/graph/graph_view.h"

namespace gnn {

// For the i-th of `count` nodes v: out_i [dim] = mean of the rows of v's in-neighbours, 0 without any; or, with
// `beside_own`, out_i [2 * dim] = the row of v, then that mean. The order of the sum is that of spmm_mean on a full
// block. Throws SHAPE_MISMATCH for nodes outside the graph or rows outside the features.
struct NeighborMeans {
  const GraphView& graph;
  const FeatureView& features;  // dense float32
  const int32_t* nodes;         // [count]
  int64_t count;
  bool beside_own = false;
  float* out;
};
void neighbor_means(const NeighborMeans& op);

}  // namespace gnn
