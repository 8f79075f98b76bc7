#include "export_kernel.h"
#include "kernels.h"
#include "reversible_block.h"

namespace hopwise {
namespace {

Napi::Value gin_sum(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const int64_t dim = arguments.count("dim");
  const float* edge_weights = arguments.optional_floats("edgeWeights", block.num_edges);
  const float* epsilon = arguments.floats("epsilon", 1);
  const float* x = arguments.floats("x", block.num_src * dim);
  float* out = arguments.floats("out", block.num_dst * dim);
  kernels::gin_sum({.block = block, .dim = dim, .edge_weights = edge_weights, .epsilon = epsilon, .x = x, .out = out});
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
  kernels::gin_sum_grad({.block = block,
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
  kernels::neighbor_weights({.block = block,
                         .weights = weights,
                         .importance = importance,
                         .degrees = degrees,
                         .edges = edges,
                         .selves = selves});
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
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
