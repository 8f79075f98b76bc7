// Products of each head's columns with weights of its own.
#include "export_kernel.h"
#include "kernels.h"

namespace hopwise {
namespace {

struct Shape {
  int64_t rows, heads, from, in_dim, to, out_dim;

  int64_t inputs() const { return rows * from * heads * in_dim; }
  int64_t outputs() const { return rows * to * heads * out_dim; }
  int64_t weights() const { return heads * from * in_dim * to * out_dim; }
};

Shape read_shape(Arguments& arguments) {
  Shape shape{};
  shape.rows = arguments.count("rows");
  shape.heads = arguments.count("heads");
  shape.from = arguments.count("from");
  shape.in_dim = arguments.count("inDim");
  shape.to = arguments.count("to");
  shape.out_dim = arguments.count("outDim");
  return shape;
}

Napi::Value multiply_heads(Arguments& arguments) {
  const Shape shape = read_shape(arguments);
  const bool transposed = arguments.flag("transposed");
  const float* x = arguments.floats("x", shape.inputs());
  const float* weights = arguments.floats("weights", shape.weights());
  kernels::multiply_heads({.rows = shape.rows,
                           .heads = shape.heads,
                           .a = {x, shape.from, shape.in_dim},
                           .weights = weights,
                           .transposed = transposed,
                           .c = {arguments.floats("out", shape.outputs()), shape.to, shape.out_dim}});
  return arguments.env().Undefined();
}

Napi::Value head_weight_gradients(Arguments& arguments) {
  const Shape shape = read_shape(arguments);
  const float* x = arguments.floats("x", shape.inputs());
  const float* dy = arguments.floats("dy", shape.outputs());
  kernels::head_weight_gradients({.rows = shape.rows,
                                  .heads = shape.heads,
                                  .a = {x, shape.from, shape.in_dim},
                                  .dc = {dy, shape.to, shape.out_dim},
                                  .d_weights = arguments.floats("dWeights", shape.weights())});
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<multiply_heads>(env, exports,
      "multiplyHeads(rows: number, heads: number, from: number, inDim: number, to: number, outDim: number, "
      "transposed: boolean, x: Float32Array, weights: Float32Array, out: Float32Array)");
  export_kernel<head_weight_gradients>(env, exports,
      "headWeightGradients(rows: number, heads: number, from: number, inDim: number, to: number, outDim: number, "
      "x: Float32Array, dy: Float32Array, dWeights: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
