#pragma once
#include <cstdint>

#include "gnn/sparse/block_view.h"

namespace gnn {

// out_v = sum over e = (u, v) of w_e x_u + (1 + epsilon) x_v. Xu et al. 2019 (arXiv:1810.00826), equation 4.1, before
// the MLP.
struct GinSum {
  BlockView block;
  int64_t dim;
  const float* edge_weights = nullptr;  // [num_edges]; null: 1
  const float* epsilon;                 // [1]
  const float* x;                       // [num_src, dim]
  float* out;                           // [num_dst, dim]
};
void gin_sum(const GinSum& op);

// dx by src: no atomics; d_epsilon = sum over v of <dy_v, x_v>.
struct GinSumGrad {
  BlockView block;
  const int32_t* reverse_edges;         // [num_edges] position in block.indices of the edge block.reverse_indices[i]
  int64_t dim;
  const float* edge_weights = nullptr;
  const float* epsilon;
  const float* x;
  const float* dy;                      // [num_dst, dim]
  float* dx;                            // [num_src, dim]
  float* d_epsilon;                     // [1]
};
void gin_sum_grad(const GinSumGrad& op);

// Weights that make a sum over drawn edges an estimate of the sum over all in-edges: w_e times the edge's importance,
// or without one d_v / (sum of the weights of v's edges). With `selves` everything is divided by d_v + 1, and
// selves[v] = 1 / (d_v + 1): the mean over v and its in-neighbours.
struct NeighborWeights {
  BlockView block;
  const float* weights = nullptr;     // [num_edges]; null: 1
  const float* importance = nullptr;  // [num_edges]
  const float* degrees;               // [num_src] (weighted) in-degrees in the whole graph
  float* edges;                       // [num_edges]
  float* selves = nullptr;            // [num_dst]
};
void neighbor_weights(const NeighborWeights& op);

}  // namespace gnn
