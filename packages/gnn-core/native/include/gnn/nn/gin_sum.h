#pragma once
#include <cstdint>

#include "gnn/sparse/block_view.h"

namespace gnn {

// out_v = sum over e = (u, v) of w_e x_u + (1 + epsilon) x_v; edge_weights null: ones. x [num_src, dim], out [num_dst,
// dim]. Xu et al. 2019 (arXiv:1810.00826), equation 4.1, before the MLP.
void gin_sum(const BlockView& block, int64_t dim, const float* edge_weights, float epsilon, const float* x, float* out);

// dx [num_src, dim] by src: no atomics; *d_epsilon = sum over v of <dy_v, x_v>.
void gin_sum_grad(const BlockView& block, const int32_t* reverse_edges, int64_t dim, const float* edge_weights,
                  float epsilon, const float* x, const float* dy, float* dx, float* d_epsilon);

// Weights that make a sum over drawn edges an estimate of the sum over all in-edges: w_e (1 without weights) times the
// edge's importance [num_edges], or without one (null) d_v / (sum of the weights of v's edges); degrees [num_src] are
// (weighted) in-degrees in the whole graph. `selves` [num_dst] not null: everything divided by d_v + 1, and
// selves[v] = 1 / (d_v + 1), the mean over v and its in-neighbours.
void neighbor_weights(const BlockView& block, const float* weights, const float* importance, const float* degrees,
                      float* edges, float* selves);

}  // namespace gnn
