#include "gnn/cuda/nn/appnp_hop.h"

#include "gnn/cuda/sparse/weighted_spmm.h"
#include "gnn/device/array.h"
#include "gnn/device/philox.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

// The entries of the adjacency times 1 - alpha, after dropout.
struct EffectiveWeights {
  float* edges;   // [num_edges]
  float* selves;  // [num_dst], the diagonal
};

__device__ inline float kept_entry(const AppnpHop& hop, int32_t to, int32_t from, float scale) {
  if (hop.threshold == 0) return 1.0f;
  uint32_t words[4] = {static_cast<uint32_t>(to), static_cast<uint32_t>(from), hop.key.epoch, hop.key.step};
  draw_words(words, hop.key.seed, hop.key.layer + 65536u);
  return (words[0] & 0xffffu) < hop.threshold ? 0.0f : scale;
}

// A warp per dst row, its lanes side by side in the edges.
__global__ void __launch_bounds__(kRowWarps * 32)
    effective_weights_kernel(BlockView block, AppnpHop hop, float scale, EffectiveWeights to) {
  const int64_t dst = warp_index();
  if (dst >= block.num_dst) return;
  const float share = 1.0f - hop.alpha;
  const int32_t own = hop.threshold == 0 ? 0 : hop.src_ids[dst];
  for (int32_t e = block.indptr[dst] + lane_index(); e < block.indptr[dst + 1]; e += 32) {
    const int32_t from = hop.threshold == 0 ? 0 : hop.src_ids[block.indices[e]];
    to.edges[e] = share * hop.edge_weights[e] * kept_entry(hop, own, from, scale);
  }
  if (lane_index() == 0) to.selves[dst] = share * hop.self_weights[dst] * kept_entry(hop, own, own, scale);
}

// A thread per element.
__global__ void add_teleport_kernel(int64_t count, float alpha, const float* x, float* out) {
  const int64_t i = thread_index();
  if (i < count) out[i] += alpha * x[i];
}

void find_weights(Stream& stream, const BlockView& block, const AppnpHop& hop, const EffectiveWeights& to) {
  if (block.num_dst == 0) return;
  const float scale = dropout_scale(hop.threshold);
  device::launch(effective_weights_kernel, grid_of_warps(block.num_dst), stream, block, hop, scale, to);
}

// out += alpha x, for the first num_dst rows.
void add_teleport(Stream& stream, const BlockView& block, const AppnpHop& hop, const float* x, float* out) {
  const int64_t count = block.num_dst * hop.dim;
  if (count > 0) device::launch(add_teleport_kernel, device::grid_for(count), stream, count, hop.alpha, x, out);
}

}  // namespace

void appnp_hop(Stream& stream, const BlockView& block, const AppnpHop& hop, const float* z, const float* h,
               float* out) {
  const device::Array<float> edges(stream, block.num_edges), selves(stream, block.num_dst);
  find_weights(stream, block, hop, {edges.data(), selves.data()});
  weighted_spmm(stream, block, hop.dim, {edges.data(), selves.data()}, z, out);
  add_teleport(stream, block, hop, h, out);
}

void appnp_hop_grad(Stream& stream, const AppnpHopGrad& op) {
  const device::Array<float> edges(stream, op.block.num_edges), selves(stream, op.block.num_dst);
  find_weights(stream, op.block, op.hop, {edges.data(), selves.data()});
  weighted_spmm_grad(stream, {.block = op.block,
                              .reverse_edges = op.reverse_edges,
                              .dim = op.hop.dim,
                              .sum = {edges.data(), selves.data()},
                              .dy = op.dy,
                              .dx = op.dz});
  add_teleport(stream, op.block, op.hop, op.dy, op.dh);
}

}  // namespace gnn::cuda
