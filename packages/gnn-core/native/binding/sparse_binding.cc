#include <algorithm>

#include "export_kernel.h"
#include "kernels.h"
#include "reversible_block.h"
#include "undropped_rows.h"

namespace hopwise {
namespace {

// x [numRows, dim], rows any number of ids below numRows.
Napi::Value gather_rows(Arguments& arguments) {
  const int64_t num_rows = arguments.count("numRows"), dim = arguments.count("dim");
  const float* x = arguments.floats("x", num_rows * dim);
  const int64_t count = arguments.length_of_next();
  const int32_t* rows = arguments.ids("rows", count, num_rows);
  kernels::gather_rows(count, dim, x, rows, arguments.floats("out", count * dim));
  return arguments.env().Undefined();
}

Napi::Value scatter_add_rows(Arguments& arguments) {
  const int64_t num_rows = arguments.count("numRows"), dim = arguments.count("dim");
  const int64_t count = arguments.length_of_next() / std::max<int64_t>(dim, 1);
  const float* dy = arguments.floats("dy", count * dim);
  const int32_t* rows = arguments.ids("rows", count, num_rows);
  kernels::scatter_add_rows({.num_rows = count,
                             .dim = dim,
                             .dy = dy,
                             .rows = rows,
                             .num_out = num_rows,
                             .out = arguments.floats("out", num_rows * dim)});
  return arguments.env().Undefined();
}

Napi::Value spmm_mean(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const int64_t dim = arguments.count("dim");
  const gnn::RowSource x = undropped_rows(arguments, block.num_src, dim);
  kernels::spmm_mean(block, x, arguments.floats("out", block.num_dst * dim));
  return arguments.env().Undefined();
}

Napi::Value spmm_mean_grad(Arguments& arguments) {
  const gnn::BlockView block = reversible_block(arguments);
  const int64_t dim = arguments.count("dim");
  const float* dy = arguments.floats("dy", block.num_dst * dim);
  kernels::spmm_mean_grad(block, dim, dy, 0, arguments.floats("dx", block.num_src * dim));
  return arguments.env().Undefined();
}

Napi::Value csr_matmul(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), in = arguments.count("inDim"), out = arguments.count("outDim");
  const gnn::CsrView x = arguments.csr(rows, in).first;
  const float *weight = arguments.floats("weight", in * out), *bias = arguments.optional_floats("bias", out);
  const bool relu = arguments.flag("relu");
  kernels::csr_matmul({.x = x,
                   .out_dim = out,
                   .weight = weight,
                   .bias = bias,
                   .with_relu = relu,
                   .out = arguments.floats("out", rows * out)});
  return arguments.env().Undefined();
}

Napi::Value csr_matmul_grad(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), in = arguments.count("inDim"), out = arguments.count("outDim");
  const gnn::CsrView x = arguments.csr(rows, in).first;
  const float* dy = arguments.floats("dy", rows * out);
  kernels::csr_matmul_grad(x, out, dy, arguments.floats("dWeight", in * out));
  return arguments.env().Undefined();
}

Napi::Value masked_bias_grad(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float *dy = arguments.floats("dy", rows * dim), *out = arguments.optional_floats("out", rows * dim);
  float* masked = arguments.optional_floats("masked", rows * dim);
  if (out != nullptr && masked == nullptr) arguments.fail("masked is null; with out it receives the masked gradient.");
  float* d_bias = arguments.floats("dBias", dim);
  kernels::masked_bias_grad({.rows = rows, .dim = dim, .dy = dy, .out = out, .masked = masked, .d_bias = d_bias});
  return arguments.env().Undefined();
}

Napi::Value dropout_rows(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float* x = arguments.floats("x", rows * dim);
  const int32_t* row_ids = arguments.ints("rowIds", rows);
  gnn::DropoutRows op{.rows = rows, .dim = dim, .x = x, .row_ids = row_ids, .key = {}, .threshold = 0, .out = nullptr};
  op.key = arguments.dropout_key("key");
  op.threshold = arguments.threshold("threshold");
  op.out = arguments.floats("out", rows * dim);
  kernels::dropout_rows(op);
  return arguments.env().Undefined();
}

Napi::Value dropout_csr(Arguments& arguments) {
  const int64_t rows = arguments.count("rows");
  const auto [x, non_zeros] = arguments.csr(rows, int64_t{1} << 31);
  const int32_t* row_ids = arguments.ints("rowIds", rows);
  const gnn::DropoutKey key = arguments.dropout_key("key");
  const uint32_t threshold = arguments.threshold("threshold");
  kernels::dropout_csr(x, row_ids, key, threshold, arguments.floats("out", non_zeros));
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<gather_rows>(env, exports,
      "gatherRows(numRows: number, dim: number, x: Float32Array, rows: Int32Array, out: Float32Array)");
  export_kernel<scatter_add_rows>(env, exports,
      "scatterAddRows(numRows: number, dim: number, dy: Float32Array, rows: Int32Array, out: Float32Array)");
  export_kernel<spmm_mean>(env, exports,
      "spmmMean(block: NativeBlock, dim: number, x: Float32Array | NativeRows, out: Float32Array)");
  export_kernel<spmm_mean_grad>(env, exports,
      "spmmMeanGrad(block: ReversibleBlock, dim: number, dy: Float32Array, dx: Float32Array)");
  export_kernel<csr_matmul>(env, exports,
      "csrMatmul(rows: number, inDim: number, outDim: number, indptr: Int32Array, indices: Int32Array, "
      "values: Float32Array, weight: Float32Array, bias: Float32Array | null, relu: boolean, "
      "out: Float32Array)");
  export_kernel<csr_matmul_grad>(env, exports,
      "csrMatmulGrad(rows: number, inDim: number, outDim: number, indptr: Int32Array, "
      "indices: Int32Array, values: Float32Array, dy: Float32Array, dWeight: Float32Array)");
  export_kernel<masked_bias_grad>(env, exports,
      "maskedBiasGrad(rows: number, dim: number, dy: Float32Array, out: Float32Array | null, "
      "masked: Float32Array | null, dBias: Float32Array)");
  export_kernel<dropout_rows>(env, exports,
      "dropoutRows(rows: number, dim: number, x: Float32Array, rowIds: Int32Array, key: HostInts, "
      "threshold: number, out: Float32Array)");
  export_kernel<dropout_csr>(env, exports,
      "dropoutCsr(rows: number, indptr: Int32Array, indices: Int32Array, values: Float32Array, "
      "rowIds: Int32Array, key: HostInts, threshold: number, out: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
