#pragma once
#include <cstdint>

#include "gnn/nn/dropout.h"
#include "gnn/sparse/block_view.h"

namespace gnn {

// One hop of personalised propagation (Gasteiger et al. 2019, arXiv:1810.05997, equation 4).
struct AppnpHop {
  int64_t dim;
  float alpha;
  const float* edge_weights;  // [num_edges] of the normalised adjacency, in the order of block.indices
  const float* self_weights;  // [num_dst], its diagonal
  // Entries of the adjacency are dropped with probability threshold / 65536, and what stays is scaled to keep the
  // expectation. Entry (v, u) looks at half-word 0 of Philox(counter = (id of v, id of u, epoch, step),
  // key = (seed, layer + 65536)).
  const int32_t* src_ids;  // [num_src]
  DropoutKey key;
  uint32_t threshold;
};

// out_v = (1 - alpha) (sum over e = (u, v) of w_e z_u + s_v z_v) + alpha h_v
// z [num_src, dim]; h has at least num_dst rows, the first of which are read; out [num_dst, dim].
void appnp_hop(const BlockView& block, const AppnpHop& hop, const float* z, const float* h, float* out);

// dz = the transpose applied to dy, by src: no atomics; dh[v] += alpha dy_v.
struct AppnpHopGrad {
  BlockView block;
  const int32_t* reverse_edges;  // [num_edges] position in block.indices of the edge block.reverse_indices[i]
  AppnpHop hop;
  const float* dy;               // [num_dst, dim]
  float* dz;                     // [num_src, dim]
  float* dh;                     // [at least num_dst, dim]
};
void appnp_hop_grad(const AppnpHopGrad& op);

}  // namespace gnn
