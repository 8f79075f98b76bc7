#pragma once
// Sums over the whole neighbourhoods of chosen nodes, read from the graph itself: no block is built.
#include <cstdint>

#include "gnn/graph/graph_view.h"
#include "gnn/sparse/block_view.h"
#include "gnn/sparse/weighted_spmm.h"

namespace gnn {

// z_v = sum over u -> v of c_uv x_u + s_v x_v.
//   without inverse_roots: c_uv = 1 / (number of in-edges of v), s_v = 0: the mean
//   with them: c_uv = w_uv r_u r_v, s_v = r_v^2, r = 1 / sqrt(d + 1): the symmetrically normalised adjacency
struct NeighborSum {
  const float* inverse_roots;  // [num_nodes] or null
};

// out = z of the given nodes. Throws SHAPE_MISMATCH for a node outside the graph.
struct SumNeighbors {
  const GraphView& graph;
  NeighborSum sum;
  const int32_t* nodes;  // [count]
  int64_t count;
  int64_t dim;
  const float* x;        // [num_nodes, dim]
  float* out;            // [count, dim]
};
void sum_neighbors(const SumNeighbors& op);

// The control-variate estimate of z from sampled edges (Chen, Zhu and Song 2018, arXiv:1710.10568, equation 5):
//   out_v = sum over the block's edges of a_e (h_u - k_u) + s_v (h_v - k_v) + z_v(k)
struct ControlVariateSum {
  const GraphView& graph;
  NeighborSum sum;
  BlockView block;
  const int32_t* src_ids;  // [num_src] the node of every row
  WeightedSum drawn;       // a and s
  int64_t dim;
  const float* h;          // [num_src, dim] rows of the block
  const float* history;    // [num_nodes, dim] k, what is remembered of every node
  float* out;              // [num_dst, dim]
};
void control_variate_sum(const ControlVariateSum& op);

}  // namespace gnn
