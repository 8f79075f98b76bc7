#pragma once
#include "gnn/nn/dropout.h"
#include "gnn/sparse/block_view.h"

namespace gnn {

// Graph attention (Velickovic et al. 2018) on rows z [num_src, heads * dim] that are already projected:
//   s_uv = leakyReLU(<a_src, z_u> + <a_dst, z_v>);  alpha = softmax of s over N(v) and v itself;  out_v = sum alpha z_u
// per head. Edges of a block from a row to itself count as the one self-loop that every row gets. The edges of v, its
// self-loop last, begin at indptr[v] + v of every per-edge array [num_edges + num_dst, heads].
struct GatShape {
  int64_t heads;
  int64_t dim;      // of one head
  float slope;      // of the leaky ReLU
  bool mean_heads;  // out [num_dst, dim], the heads' mean, instead of [num_dst, heads * dim]
  // Attention dropout: head h of edge (u, v) is dropped when half-word h % 8 of
  // Philox(counter = (id of v, id of u, epoch, step), key = (seed, layer + 2^16 (1 + h / 8))) is below the threshold.
  const int32_t* src_ids;
  DropoutKey key;
  uint32_t threshold;
};

struct GatWeights {
  const float* src;  // [heads, dim]
  const float* dst;  // [heads, dim]
};

// What an attention coefficient that dropout keeps is multiplied by.
inline float gat_scale(const GatShape& shape) {
  const float share = shape.mean_heads ? 1.0f / static_cast<float>(shape.heads) : 1.0f;
  return share * dropout_scale(shape.threshold);
}

struct GatConv {
  BlockView block;
  GatShape shape;
  GatWeights attention;
  const float* z;    // [num_src, heads * dim]
  // Left for the gradient: the score's halves, and alpha before dropout, negative (a negative zero too) where dropout
  // drops it.
  float* score_src;  // [num_src, heads]
  float* score_dst;  // [num_dst, heads]
  float* alpha;      // [num_edges + num_dst, heads]
  float* out;        // [num_dst, heads * dim], or [num_dst, dim] with mean_heads
};
void gat_conv(const GatConv& op);

// What gat_conv read and left.
struct GatSaved {
  const float* z;
  const float* score_src;
  const float* score_dst;
  const float* alpha;
};
struct GatGradients {
  float* z;    // [num_src, heads * dim]
  float* src;  // [heads, dim]
  float* dst;  // [heads, dim]
};
struct GatConvGrad {
  BlockView block;
  const int32_t* reverse_edges;  // [num_edges] position in block.indices of the edge block.reverse_indices[i]
  GatShape shape;
  GatWeights attention;
  GatSaved saved;
  const float* dy;               // as out
  GatGradients gradients;
};
void gat_conv_grad(const GatConvGrad& op);

}  // namespace gnn
