#pragma once
// Attention's sums and products over edges, all heads at once: an edge has a number for each head, never a message.
// Rows hold their heads side by side, [rows, heads dim].
#include "gnn/sparse/block_view.h"

namespace gnn {

struct HeadShape {
  BlockView block;
  int64_t heads;
  int64_t dim;  // of a head

  int64_t width() const { return heads * dim; }
};

// out_vh = sum over edges e = (u, v) of weights[e, h] x_uh, edge by edge in their order; x by src row, out by dst row
void head_sum(const HeadShape& shape, const float* weights, const float* x, float* out);

// Its transpose: dx_uh = sum over edges e = (u, v) of weights[e, h] dy_vh. reverse_edges [num_edges] are the positions
// in block.indices of the edges block.reverse_indices.
void head_sum_grad(const HeadShape& shape, const int32_t* reverse_edges, const float* weights, const float* dy,
                   float* dx);

// out[e, h] = <x_uh, y_vh> for every edge e = (u, v)
void head_dot(const HeadShape& shape, const float* x, const float* y, float* out);

}  // namespace gnn
