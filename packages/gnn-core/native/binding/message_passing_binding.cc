#include "export_kernel.h"
#include "kernels.h"
#include "reversible_block.h"
#include "undropped_rows.h"

namespace hopwise {
namespace {

gnn::WeightedSum read_sum(Arguments& arguments, const gnn::BlockView& block) {
  const float* edge_weights = arguments.optional_floats("edgeWeights", block.num_edges);
  const float* self_weights = arguments.optional_floats("selfWeights", block.num_dst);
  if (self_weights != nullptr && block.num_dst > block.num_src) arguments.fail("selfWeights need dst rows among src.");
  return {edge_weights, self_weights};
}

Napi::Value weighted_spmm(Arguments& arguments) {
  const gnn::BlockView block = arguments.block(true);
  const int64_t dim = arguments.count("dim");
  const gnn::WeightedSum sum = read_sum(arguments, block);
  const gnn::RowSource x = undropped_rows(arguments, block.num_src, dim);
  kernels::weighted_spmm(block, sum, x, arguments.floats("out", block.num_dst * dim));
  return arguments.env().Undefined();
}

Napi::Value weighted_spmm_grad(Arguments& arguments) {
  const gnn::BlockView block = reversible_block(arguments, true);
  const int32_t* reverse_edges = arguments.ids("reverseEdges", block.num_edges, block.num_edges);
  const int64_t dim = arguments.count("dim");
  const gnn::WeightedSum sum = read_sum(arguments, block);
  const float* g = arguments.floats("dy", block.num_dst * dim);
  float* dx = arguments.floats("dx", block.num_src * dim);
  kernels::weighted_spmm_grad(
      {.block = block, .reverse_edges = reverse_edges, .dim = dim, .sum = sum, .dy = g, .dx = dx});
  return arguments.env().Undefined();
}

Napi::Value sddmm_dot(Arguments& arguments) {
  const gnn::BlockView block = arguments.block(true);
  const int64_t dim = arguments.count("dim");
  const float *x = arguments.floats("x", block.num_src * dim), *y = arguments.floats("y", block.num_dst * dim);
  kernels::sddmm_dot(block, dim, x, y, arguments.floats("out", block.num_edges));
  return arguments.env().Undefined();
}

Napi::Value spmm_max(Arguments& arguments) {
  const gnn::BlockView block = arguments.block(true);
  const int64_t dim = arguments.count("dim");
  const float* x = arguments.floats("x", block.num_src * dim);
  float *out = arguments.floats("out", block.num_dst * dim), *share = arguments.floats("share", block.num_dst * dim);
  kernels::spmm_max(block, dim, x, out, share);
  return arguments.env().Undefined();
}

Napi::Value spmm_max_grad(Arguments& arguments) {
  const gnn::BlockView block = reversible_block(arguments, true);
  const int64_t dim = arguments.count("dim");
  const float *x = arguments.floats("x", block.num_src * dim), *out = arguments.floats("out", block.num_dst * dim);
  const float *share = arguments.floats("share", block.num_dst * dim),
              *dy = arguments.floats("dy", block.num_dst * dim);
  float* dx = arguments.floats("dx", block.num_src * dim);
  kernels::spmm_max_grad({.block = block, .dim = dim, .x = x, .out = out, .share = share, .dy = dy, .dx = dx});
  return arguments.env().Undefined();
}

Napi::Value edge_softmax(Arguments& arguments) {
  const gnn::BlockView block = arguments.block(true);
  const int64_t heads = arguments.count("heads"), size = block.num_edges * heads;
  const float* scores = arguments.floats("scores", size);
  kernels::edge_softmax(block, heads, scores, arguments.floats("out", size));
  return arguments.env().Undefined();
}

Napi::Value edge_softmax_grad(Arguments& arguments) {
  const gnn::BlockView block = arguments.block(true);
  const int64_t heads = arguments.count("heads"), size = block.num_edges * heads;
  const float *out = arguments.floats("out", size), *dy = arguments.floats("dy", size);
  kernels::edge_softmax_grad(block, heads, out, dy, arguments.floats("dScores", size));
  return arguments.env().Undefined();
}

Napi::Value gcn_norm(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const float* weights = arguments.optional_floats("weights", block.num_edges);
  const float* importance = arguments.optional_floats("importance", block.num_edges);
  const float* degrees = arguments.floats("degrees", block.num_src);
  float *edges = arguments.floats("edges", block.num_edges), *selves = arguments.floats("selves", block.num_dst);
  kernels::gcn_norm({.block = block,
                 .weights = weights,
                 .importance = importance,
                 .degrees = degrees,
                 .edges = edges,
                 .selves = selves});
  return arguments.env().Undefined();
}

Napi::Value symmetric_norm(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const float* weights = arguments.optional_floats("weights", block.num_edges);
  const float* importance = arguments.optional_floats("importance", block.num_edges);
  const float* degrees = arguments.floats("degrees", block.num_src);
  kernels::symmetric_norm({.block = block,
                           .weights = weights,
                           .importance = importance,
                           .degrees = degrees,
                           .edges = arguments.floats("edges", block.num_edges)});
  return arguments.env().Undefined();
}

gnn::Activation read_activation(Arguments& arguments) {
  const int64_t index = arguments.count("activation");
  if (index > static_cast<int64_t>(gnn::Activation::kTanh)) arguments.fail("activation is not one of 0 … 4.");
  return static_cast<gnn::Activation>(index);
}

Napi::Value bias_activate(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float *x = arguments.floats("x", rows * dim), *bias = arguments.floats("bias", dim);
  const gnn::Activation activation = read_activation(arguments);
  float* out = arguments.floats("out", rows * dim);
  kernels::bias_activate({.rows = rows, .dim = dim, .x = x, .bias = bias, .activation = activation, .out = out});
  return arguments.env().Undefined();
}

Napi::Value bias_activate_grad(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float *out = arguments.floats("out", rows * dim), *dy = arguments.floats("dy", rows * dim);
  const gnn::Activation activation = read_activation(arguments);
  float* dx = arguments.floats("dx", rows * dim);
  kernels::bias_activate_grad({.rows = rows,
                           .dim = dim,
                           .out = out,
                           .dy = dy,
                           .activation = activation,
                           .dx = dx,
                           .d_bias = arguments.floats("dBias", dim)});
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<weighted_spmm>(env, exports,
      "weightedSpmm(block: NativeBlock, dim: number, edgeWeights: Float32Array | null, "
      "selfWeights: Float32Array | null, x: Float32Array | NativeRows, out: Float32Array)");
  export_kernel<weighted_spmm_grad>(env, exports,
      "weightedSpmmGrad(block: ReversibleBlock, reverseEdges: Int32Array, dim: number, "
      "edgeWeights: Float32Array | null, selfWeights: Float32Array | null, dy: Float32Array, "
      "dx: Float32Array)");
  export_kernel<sddmm_dot>(env, exports,
      "sddmmDot(block: NativeBlock, dim: number, x: Float32Array, y: Float32Array, out: Float32Array)");
  export_kernel<spmm_max>(env, exports,
      "spmmMax(block: NativeBlock, dim: number, x: Float32Array, out: Float32Array, share: Float32Array)");
  export_kernel<spmm_max_grad>(env, exports,
      "spmmMaxGrad(block: ReversibleBlock, dim: number, x: Float32Array, out: Float32Array, "
      "share: Float32Array, dy: Float32Array, dx: Float32Array)");
  export_kernel<edge_softmax>(env, exports,
      "edgeSoftmax(block: NativeBlock, heads: number, scores: Float32Array, out: Float32Array)");
  export_kernel<edge_softmax_grad>(env, exports,
      "edgeSoftmaxGrad(block: NativeBlock, heads: number, out: Float32Array, dy: Float32Array, "
      "dScores: Float32Array)");
  export_kernel<gcn_norm>(env, exports,
      "gcnNorm(block: NativeBlock, weights: Float32Array | null, importance: Float32Array | null, "
      "degrees: Float32Array, edges: Float32Array, selves: Float32Array)");
  export_kernel<symmetric_norm>(env, exports,
      "symmetricNorm(block: NativeBlock, weights: Float32Array | null, importance: Float32Array | null, "
      "degrees: Float32Array, edges: Float32Array)");
  export_kernel<bias_activate>(env, exports,
      "biasActivate(rows: number, dim: number, x: Float32Array, bias: Float32Array, activation: number, "
      "out: Float32Array)");
  export_kernel<bias_activate_grad>(env, exports,
      "biasActivateGrad(rows: number, dim: number, out: Float32Array, dy: Float32Array, "
      "activation: number, dx: Float32Array, dBias: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
