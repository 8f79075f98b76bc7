#include "export_kernel.h"
#include "kernels.h"
#include "reversible_block.h"
#include "undropped_rows.h"

namespace hopwise {
namespace {

Napi::Value sage_conv(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  gnn::SageWeights w{};
  w.in_dim = arguments.count("inDim");
  w.out_dim = arguments.count("outDim");
  const gnn::RowSource x = undropped_rows(arguments, block.num_src, w.in_dim);
  w.self = arguments.floats("weightSelf", w.in_dim * w.out_dim);
  w.neigh = arguments.floats("weightNeigh", w.in_dim * w.out_dim);
  w.bias = arguments.floats("bias", w.out_dim);
  w.with_relu = arguments.flag("relu");
  float* aggregated = arguments.optional_floats("aggregated", block.num_dst * kernels::aggregated_columns(w.in_dim));
  float* out = arguments.floats("out", block.num_dst * w.out_dim);
  kernels::sage_conv({.block = block, .weights = w, .x = x, .aggregated = aggregated, .out = out});
  return arguments.env().Undefined();
}

gnn::SageGradients read_gradients(Arguments& arguments, const gnn::SageWeights& w) {
  gnn::SageGradients gradients{};
  gradients.self = arguments.floats("dWeightSelf", w.in_dim * w.out_dim);
  gradients.neigh = arguments.floats("dWeightNeigh", w.in_dim * w.out_dim);
  gradients.bias = arguments.floats("dBias", w.out_dim);
  return gradients;
}

// Sums of features have no gradient behind them: a first layer that sums first never walks the edges by src.
Napi::Value sage_conv_grad(Arguments& arguments) {
  const bool walks_reverse = arguments.flag("walksReverse");
  const gnn::BlockView block = walks_reverse ? reversible_block(arguments) : arguments.block();
  gnn::SageWeights w{};
  w.in_dim = arguments.count("inDim");
  w.out_dim = arguments.count("outDim");
  const gnn::RowSource x = undropped_rows(arguments, block.num_src, w.in_dim);
  w.self = arguments.floats("weightSelf", w.in_dim * w.out_dim);
  w.neigh = arguments.floats("weightNeigh", w.in_dim * w.out_dim);
  const float* out = arguments.floats("out", block.num_dst * w.out_dim);
  float* aggregated = arguments.optional_floats("aggregated", block.num_dst * kernels::aggregated_columns(w.in_dim));
  const float* dy = arguments.floats("dy", block.num_dst * w.out_dim);
  w.with_relu = arguments.flag("relu");
  float* dx = arguments.optional_floats("dx", block.num_src * w.in_dim);
  if (!walks_reverse && (dx != nullptr || aggregated == nullptr))
    arguments.fail("This gradient walks the edges by src.");
  kernels::sage_conv_grad({.block = block,
                       .weights = w,
                       .x = x,
                       .aggregated = aggregated,
                       .out = out,
                       .dy = dy,
                       .dx = dx,
                       .gradients = read_gradients(arguments, w),
                       .dropped = arguments.threshold("dropped")});
  return arguments.env().Undefined();
}

Napi::Value sage_conv_csr(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  gnn::SageWeights w{};
  w.in_dim = arguments.count("inDim");
  w.out_dim = arguments.count("outDim");
  const gnn::CsrView x = arguments.csr(block.num_src, w.in_dim).first;
  w.self = arguments.floats("weightSelf", w.in_dim * w.out_dim);
  w.neigh = arguments.floats("weightNeigh", w.in_dim * w.out_dim);
  w.bias = arguments.floats("bias", w.out_dim);
  w.with_relu = arguments.flag("relu");
  kernels::sage_conv_csr(
      {.block = block, .weights = w, .x = x, .out = arguments.floats("out", block.num_dst * w.out_dim)});
  return arguments.env().Undefined();
}

Napi::Value sage_conv_csr_grad(Arguments& arguments) {
  const gnn::BlockView block = reversible_block(arguments);
  gnn::SageWeights w{};
  w.in_dim = arguments.count("inDim");
  w.out_dim = arguments.count("outDim");
  const gnn::CsrView x = arguments.csr(block.num_src, w.in_dim).first;
  const float* out = arguments.floats("out", block.num_dst * w.out_dim);
  const float* dy = arguments.floats("dy", block.num_dst * w.out_dim);
  w.with_relu = arguments.flag("relu");
  const gnn::SageGradients gradients = read_gradients(arguments, w);
  kernels::sage_conv_csr_grad({.block = block, .weights = w, .x = x, .out = out, .dy = dy, .gradients = gradients});
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<sage_conv>(env, exports,
      "sageConv(block: NativeBlock, inDim: number, outDim: number, x: Float32Array | NativeRows, "
      "weightSelf: Float32Array, weightNeigh: Float32Array, bias: Float32Array, relu: boolean, "
      "aggregated: Float32Array | null, out: Float32Array)");
  export_kernel<sage_conv_grad>(env, exports,
      "sageConvGrad(walksReverse: boolean, block: NativeBlock | ReversibleBlock, inDim: number, "
      "outDim: number, x: Float32Array | NativeRows, weightSelf: Float32Array, weightNeigh: Float32Array, "
      "out: Float32Array, aggregated: Float32Array | null, dy: Float32Array, relu: boolean, "
      "dx: Float32Array | null, dWeightSelf: Float32Array, dWeightNeigh: Float32Array, "
      "dBias: Float32Array, dropped: number)");
  export_kernel<sage_conv_csr>(env, exports,
      "sageConvCsr(block: NativeBlock, inDim: number, outDim: number, indptr: Int32Array, "
      "indices: Int32Array, values: Float32Array, weightSelf: Float32Array, weightNeigh: Float32Array, "
      "bias: Float32Array, relu: boolean, out: Float32Array)");
  export_kernel<sage_conv_csr_grad>(env, exports,
      "sageConvCsrGrad(block: ReversibleBlock, inDim: number, outDim: number, indptr: Int32Array, "
      "indices: Int32Array, values: Float32Array, out: Float32Array, dy: Float32Array, relu: boolean, "
      "dWeightSelf: Float32Array, dWeightNeigh: Float32Array, dBias: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
