#include "gnn/nn/appnp_hop.h"

#include <algorithm>
#include <vector>

#include "gnn/random/philox.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sparse/weighted_spmm.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 256;
constexpr int64_t kLanes = 16;

// factors[i] *= 0 or `scale`, by the first 16 of Philox's bits for (to[i], from[i]). Sixteen entries side by side: the
// rounds follow each other, the lanes do not.
GNN_MULTIVERSION void drop_entries(int64_t count, const uint32_t* __restrict to, const uint32_t* __restrict from,
                                   const DropoutKey& key, uint32_t threshold, float scale, float* __restrict factors) {
  for (int64_t first = 0; first < count; first += kLanes) {
    const int64_t lanes = std::min(kLanes, count - first);
    uint32_t a[kLanes] = {}, b[kLanes] = {}, c[kLanes], d[kLanes];
    for (int64_t i = 0; i < lanes; ++i) a[i] = to[first + i], b[i] = from[first + i];
    for (int64_t i = 0; i < kLanes; ++i) c[i] = key.epoch, d[i] = key.step;
    uint32_t key0 = key.seed, key1 = key.layer + 65536u;
    for (int round = 0; round < 10; ++round) {
      for (int64_t i = 0; i < kLanes; ++i) {
        const uint64_t p0 = static_cast<uint64_t>(kPhiloxM0) * a[i], p1 = static_cast<uint64_t>(kPhiloxM1) * c[i];
        a[i] = static_cast<uint32_t>(p1 >> 32) ^ b[i] ^ key0;
        b[i] = static_cast<uint32_t>(p1);
        c[i] = static_cast<uint32_t>(p0 >> 32) ^ d[i] ^ key1;
        d[i] = static_cast<uint32_t>(p0);
      }
      key0 += kPhiloxW0;
      key1 += kPhiloxW1;
    }
    for (int64_t i = 0; i < lanes; ++i) factors[first + i] *= (a[i] & 0xffffu) < threshold ? 0.0f : scale;
  }
}

// The entries of the adjacency times 1 - alpha, after dropout: edges [num_edges], then the diagonal [num_dst].
void effective_weights(const BlockView& block, const AppnpHop& hop, float* edges, float* selves) {
  const float share = 1.0f - hop.alpha;
  const float scale = dropout_scale(hop.threshold);
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    const int64_t first = block.indptr[begin], last = block.indptr[end];
    for (int64_t e = first; e < last; ++e) edges[e] = share * hop.edge_weights[e];
    for (int64_t v = begin; v < end; ++v) selves[v] = share * hop.self_weights[v];
    if (hop.threshold == 0) return;
    std::vector<uint32_t> to(static_cast<size_t>(last - first)), from(static_cast<size_t>(last - first));
    for (int64_t v = begin; v < end; ++v) {
      for (int64_t e = block.indptr[v]; e < block.indptr[v + 1]; ++e) {
        to[static_cast<size_t>(e - first)] = static_cast<uint32_t>(hop.src_ids[v]);
        from[static_cast<size_t>(e - first)] = static_cast<uint32_t>(hop.src_ids[block.indices[e]]);
      }
    }
    drop_entries(last - first, to.data(), from.data(), hop.key, hop.threshold, scale, edges + first);
    const auto* own = reinterpret_cast<const uint32_t*>(hop.src_ids) + begin;
    drop_entries(end - begin, own, own, hop.key, hop.threshold, scale, selves + begin);
  });
}

GNN_MULTIVERSION void add_scaled(int64_t count, float factor, const float* __restrict x, float* __restrict out) {
  for (int64_t i = 0; i < count; ++i) out[i] += factor * x[i];
}

// out += alpha x, for the first num_dst rows.
void add_teleport(const BlockView& block, const AppnpHop& hop, const float* x, float* out) {
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    add_scaled((end - begin) * hop.dim, hop.alpha, x + begin * hop.dim, out + begin * hop.dim);
  });
}

}  // namespace

void appnp_hop(const BlockView& block, const AppnpHop& hop, const float* z, const float* h, float* out) {
  Scratch weights(block.num_edges + block.num_dst);
  float *edges = weights.data(), *selves = edges + block.num_edges;
  effective_weights(block, hop, edges, selves);
  weighted_spmm(block, hop.dim, {edges, selves}, z, out);
  add_teleport(block, hop, h, out);
}

void appnp_hop_grad(const AppnpHopGrad& op) {
  const BlockView& block = op.block;
  Scratch weights(block.num_edges + block.num_dst);
  float *edges = weights.data(), *selves = edges + block.num_edges;
  effective_weights(block, op.hop, edges, selves);
  weighted_spmm_grad({.block = block,
                      .reverse_edges = op.reverse_edges,
                      .dim = op.hop.dim,
                      .sum = {edges, selves},
                      .dy = op.dy,
                      .dx = op.dz});
  add_teleport(block, op.hop, op.dy, op.dh);
}

}  // namespace gnn
