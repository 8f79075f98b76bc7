#include "export_kernel.h"
#include "gnn/nn/appnp_hop.h"
#include "gnn/nn/gin_sum.h"
#include "reversible_block.h"

namespace hopwise {
namespace {

gnn::AppnpHop read_hop(Arguments& arguments, const gnn::BlockView& block) {
  gnn::AppnpHop hop{};
  hop.dim = arguments.count("dim");
  hop.alpha = static_cast<float>(arguments.number("alpha"));
  hop.edge_weights = arguments.floats("edgeWeights", block.num_edges);
  hop.self_weights = arguments.floats("selfWeights", block.num_dst);
  hop.src_ids = arguments.ints("srcIds", block.num_src);
  const int32_t* key = arguments.ints("key", 4);
  const auto word = [&](int i) { return static_cast<uint32_t>(key[i]); };
  hop.key = {word(0), word(1), word(2), word(3)};
  const int64_t threshold = arguments.count("threshold");
  if (threshold > 65535) arguments.fail("threshold is above 65535: a rate of 1 keeps nothing.");
  hop.threshold = static_cast<uint32_t>(threshold);
  return hop;
}

Napi::Value appnp_hop(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const gnn::AppnpHop hop = read_hop(arguments, block);
  const int64_t rows = arguments.count("rowsOfH");
  if (rows < block.num_dst) arguments.fail("h has fewer rows than the block has dst rows.");
  const float *z = arguments.floats("z", block.num_src * hop.dim), *h = arguments.floats("h", rows * hop.dim);
  gnn::appnp_hop(block, hop, z, h, arguments.floats("out", block.num_dst * hop.dim));
  return arguments.env().Undefined();
}

Napi::Value appnp_hop_grad(Arguments& arguments) {
  const gnn::BlockView block = reversible_block(arguments);
  const gnn::AppnpHop hop = read_hop(arguments, block);
  const int64_t rows = arguments.count("rowsOfH");
  if (rows < block.num_dst) arguments.fail("h has fewer rows than the block has dst rows.");
  const int32_t* reverse_edges = arguments.ids("reverseEdges", block.num_edges, block.num_edges);
  const float* g = arguments.floats("dy", block.num_dst * hop.dim);
  float* dz = arguments.floats("dz", block.num_src * hop.dim);
  float* dh = arguments.floats("dh", rows * hop.dim);
  gnn::appnp_hop_grad({.block = block, .reverse_edges = reverse_edges, .hop = hop, .dy = g, .dz = dz, .dh = dh});
  return arguments.env().Undefined();
}

Napi::Value gin_sum(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const int64_t dim = arguments.count("dim");
  const float* edge_weights = arguments.optional_floats("edgeWeights", block.num_edges);
  const float* epsilon = arguments.floats("epsilon", 1);
  const float* x = arguments.floats("x", block.num_src * dim);
  float* out = arguments.floats("out", block.num_dst * dim);
  gnn::gin_sum({.block = block, .dim = dim, .edge_weights = edge_weights, .epsilon = epsilon, .x = x, .out = out});
  return arguments.env().Undefined();
}

Napi::Value gin_sum_grad(Arguments& arguments) {
  const gnn::BlockView block = reversible_block(arguments);
  const int32_t* reverse_edges = arguments.ids("reverseEdges", block.num_edges, block.num_edges);
  const int64_t dim = arguments.count("dim");
  const float* edge_weights = arguments.optional_floats("edgeWeights", block.num_edges);
  const float* epsilon = arguments.floats("epsilon", 1);
  const float* x = arguments.floats("x", block.num_src * dim);
  const float* dy = arguments.floats("dy", block.num_dst * dim);
  float* dx = arguments.floats("dx", block.num_src * dim);
  float* d_epsilon = arguments.floats("dEpsilon", 1);
  gnn::gin_sum_grad({.block = block,
                     .reverse_edges = reverse_edges,
                     .dim = dim,
                     .edge_weights = edge_weights,
                     .epsilon = epsilon,
                     .x = x,
                     .dy = dy,
                     .dx = dx,
                     .d_epsilon = d_epsilon});
  return arguments.env().Undefined();
}

Napi::Value neighbor_weights(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const float* weights = arguments.optional_floats("weights", block.num_edges);
  const float* importance = arguments.optional_floats("importance", block.num_edges);
  const float* degrees = arguments.floats("degrees", block.num_src);
  float* edges = arguments.floats("edges", block.num_edges);
  float* selves = arguments.optional_floats("selves", block.num_dst);
  gnn::neighbor_weights({.block = block,
                         .weights = weights,
                         .importance = importance,
                         .degrees = degrees,
                         .edges = edges,
                         .selves = selves});
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<appnp_hop>(env, exports,
      "appnpHop(block: NativeBlock, dim: number, alpha: number, edgeWeights: Float32Array, "
      "selfWeights: Float32Array, srcIds: Int32Array, key: Int32Array, threshold: number, "
      "rowsOfH: number, z: Float32Array, h: Float32Array, out: Float32Array)");
  export_kernel<appnp_hop_grad>(env, exports,
      "appnpHopGrad(block: ReversibleBlock, dim: number, alpha: number, edgeWeights: Float32Array, "
      "selfWeights: Float32Array, srcIds: Int32Array, key: Int32Array, threshold: number, "
      "rowsOfH: number, reverseEdges: Int32Array, dy: Float32Array, dz: Float32Array, dh: Float32Array)");
  export_kernel<gin_sum>(env, exports,
      "ginSum(block: NativeBlock, dim: number, edgeWeights: Float32Array | null, epsilon: Float32Array, "
      "x: Float32Array, out: Float32Array)");
  export_kernel<gin_sum_grad>(env, exports,
      "ginSumGrad(block: ReversibleBlock, reverseEdges: Int32Array, dim: number, "
      "edgeWeights: Float32Array | null, epsilon: Float32Array, x: Float32Array, dy: Float32Array, "
      "dx: Float32Array, dEpsilon: Float32Array)");
  export_kernel<neighbor_weights>(env, exports,
      "neighborWeights(block: NativeBlock, weights: Float32Array | null, importance: Float32Array | null, "
      "degrees: Float32Array, edges: Float32Array, selves: Float32Array | null)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
