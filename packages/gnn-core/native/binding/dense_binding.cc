#include "export_kernel.h"
#include "kernels.h"

namespace hopwise {
namespace {

Napi::Value sgemm(Arguments& arguments) {
  const bool trans_a = arguments.flag("transposeA"), trans_b = arguments.flag("transposeB");
  const int64_t m = arguments.count("m"), n = arguments.count("n"), k = arguments.count("k");
  const float *a = arguments.floats("a", m * k), *b = arguments.floats("b", k * n);
  float* c = arguments.floats("c", m * n);
  kernels::sgemm({.trans_a = trans_a, .trans_b = trans_b, .m = m, .n = n, .k = k, .a = a, .b = b, .c = c});
  return arguments.env().Undefined();
}

Napi::Value linear(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), in = arguments.count("inDim"), out = arguments.count("outDim");
  const gnn::RowSource x = arguments.rows("x", rows, in);
  const float *weight = arguments.floats("weight", in * out), *bias = arguments.floats("bias", out);
  const bool relu = arguments.flag("relu");
  kernels::linear({.rows = rows,
               .out_dim = out,
               .x = x,
               .weight = weight,
               .bias = bias,
               .with_relu = relu,
               .out = arguments.floats("out", rows * out)});
  return arguments.env().Undefined();
}

Napi::Value linear_grad(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), in = arguments.count("inDim"), out = arguments.count("outDim");
  const gnn::RowSource x = arguments.rows("x", rows, in);
  const float *weight = arguments.floats("weight", in * out), *y = arguments.floats("out", rows * out),
              *dy = arguments.floats("dy", rows * out);
  const bool relu = arguments.flag("relu");
  float *dx = arguments.optional_floats("dx", rows * in), *d_weight = arguments.floats("dWeight", in * out),
        *d_bias = arguments.floats("dBias", out);
  kernels::linear_grad({.rows = rows,
                    .out_dim = out,
                    .x = x,
                    .weight = weight,
                    .out = y,
                    .dy = dy,
                    .with_relu = relu,
                    .dx = dx,
                    .d_weight = d_weight,
                    .d_bias = d_bias});
  return arguments.env().Undefined();
}

gnn::CrossEntropy read_targets(Arguments& arguments) {
  gnn::CrossEntropy t{};
  t.rows = arguments.count("rows");
  t.classes = arguments.count("classes");
  t.logits = arguments.floats("logits", t.rows * t.classes);
  t.labels = arguments.labels("labels", t.rows, t.classes);
  t.weights = arguments.optional_floats("weights", t.rows);
  return t;
}

Napi::Value cross_entropy_sum(Arguments& arguments) {
  const gnn::CrossEntropy t = read_targets(arguments);
  kernels::cross_entropy_sum(t, arguments.floats("sum", 1));
  return arguments.env().Undefined();
}

Napi::Value cross_entropy_grad(Arguments& arguments) {
  const gnn::CrossEntropy t = read_targets(arguments);
  const auto scale = static_cast<float>(arguments.number("scale"));
  kernels::cross_entropy_grad(t, scale, arguments.floats("dLogits", t.rows * t.classes));
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<sgemm>(env, exports,
      "sgemm(transposeA: boolean, transposeB: boolean, m: number, n: number, k: number, a: Float32Array, "
      "b: Float32Array, c: Float32Array)");
  export_kernel<linear>(env, exports,
      "linear(rows: number, inDim: number, outDim: number, x: Float32Array | NativeRows, "
      "weight: Float32Array, bias: Float32Array, relu: boolean, out: Float32Array)");
  export_kernel<linear_grad>(env, exports,
      "linearGrad(rows: number, inDim: number, outDim: number, x: Float32Array | NativeRows, "
      "weight: Float32Array, out: Float32Array, dy: Float32Array, relu: boolean, dx: Float32Array | null, "
      "dWeight: Float32Array, dBias: Float32Array)");
  export_kernel<cross_entropy_sum>(env, exports,
      "crossEntropySum(rows: number, classes: number, logits: Float32Array, labels: Int32Array, "
      "weights: Float32Array | null, sum: Float32Array)");
  export_kernel<cross_entropy_grad>(env, exports,
      "crossEntropyGrad(rows: number, classes: number, logits: Float32Array, labels: Int32Array, "
      "weights: Float32Array | null, scale: number, dLogits: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
