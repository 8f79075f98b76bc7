#include "export_kernel.h"
#include "kernels.h"

namespace hopwise {
namespace {

gnn::Activation read_activation(Arguments& arguments) {
  const int64_t activation = arguments.count("activation");
  if (activation > 4) arguments.fail("activation is not one of the five.");
  return static_cast<gnn::Activation>(activation);
}

Napi::Value add_activate(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), rows_a = arguments.count("rowsOfA"), dim = arguments.count("dim");
  if (rows_a < rows) arguments.fail("a has fewer rows than b.");
  const float *a = arguments.floats("a", rows_a * dim), *b = arguments.floats("b", rows * dim);
  const gnn::Activation activation = read_activation(arguments);
  float* out = arguments.floats("out", rows * dim);
  kernels::add_activate({.rows = rows, .dim = dim, .a = a, .b = b, .activation = activation, .out = out});
  return arguments.env().Undefined();
}

Napi::Value add_activate_grad(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), rows_a = arguments.count("rowsOfA"), dim = arguments.count("dim");
  if (rows_a < rows) arguments.fail("a has fewer rows than b.");
  const float *out = arguments.floats("out", rows * dim), *dy = arguments.floats("dy", rows * dim);
  const gnn::Activation activation = read_activation(arguments);
  float *da = arguments.floats("da", rows_a * dim), *db = arguments.floats("db", rows * dim);
  kernels::add_activate_grad({.rows = rows,
                          .rows_of_a = rows_a,
                          .dim = dim,
                          .out = out,
                          .dy = dy,
                          .activation = activation,
                          .da = da,
                          .db = db});
  return arguments.env().Undefined();
}

Napi::Value layer_norm(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float* x = arguments.floats("x", rows * dim);
  const float *scale = arguments.floats("scale", dim), *shift = arguments.floats("shift", dim);
  const auto epsilon = static_cast<float>(arguments.number("epsilon"));
  float *moments = arguments.floats("moments", rows * 2), *out = arguments.floats("out", rows * dim);
  kernels::layer_norm({.rows = rows,
                   .dim = dim,
                   .x = x,
                   .scale = scale,
                   .shift = shift,
                   .epsilon = epsilon,
                   .moments = moments,
                   .out = out});
  return arguments.env().Undefined();
}

Napi::Value layer_norm_grad(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float *x = arguments.floats("x", rows * dim), *moments = arguments.floats("moments", rows * 2);
  const float *scale = arguments.floats("scale", dim), *dy = arguments.floats("dy", rows * dim);
  float* dx = arguments.floats("dx", rows * dim);
  float *d_scale = arguments.floats("dScale", dim), *d_shift = arguments.floats("dShift", dim);
  kernels::layer_norm_grad({.rows = rows,
                        .dim = dim,
                        .x = x,
                        .moments = moments,
                        .scale = scale,
                        .dy = dy,
                        .dx = dx,
                        .d_scale = d_scale,
                        .d_shift = d_shift});
  return arguments.env().Undefined();
}

Napi::Value l2_normalize(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float* x = arguments.floats("x", rows * dim);
  float *norms = arguments.floats("norms", rows), *out = arguments.floats("out", rows * dim);
  kernels::l2_normalize(rows, dim, x, norms, out);
  return arguments.env().Undefined();
}

Napi::Value l2_normalize_grad(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float *out = arguments.floats("out", rows * dim), *norms = arguments.floats("norms", rows);
  const float* dy = arguments.floats("dy", rows * dim);
  float* dx = arguments.floats("dx", rows * dim);
  kernels::l2_normalize_grad({.rows = rows, .dim = dim, .out = out, .norms = norms, .dy = dy, .dx = dx});
  return arguments.env().Undefined();
}

Napi::Value batch_norm(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float *x = arguments.floats("x", rows * dim), *mean = arguments.floats("mean", dim);
  const float *inverse = arguments.floats("inverse", dim), *scale = arguments.floats("scale", dim);
  const float* shift = arguments.floats("shift", dim);
  kernels::batch_norm({.rows = rows,
                   .dim = dim,
                   .x = x,
                   .mean = mean,
                   .inverse = inverse,
                   .scale = scale,
                   .shift = shift,
                   .out = arguments.floats("out", rows * dim)});
  return arguments.env().Undefined();
}

Napi::Value batch_norm_grad(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float *x = arguments.floats("x", rows * dim), *mean = arguments.floats("mean", dim);
  const float *inverse = arguments.floats("inverse", dim), *scale = arguments.floats("scale", dim);
  const float* dy = arguments.floats("dy", rows * dim);
  float* dx = arguments.floats("dx", rows * dim);
  float *d_scale = arguments.floats("dScale", dim), *d_shift = arguments.floats("dShift", dim);
  kernels::batch_norm_grad({.rows = rows,
                        .dim = dim,
                        .x = x,
                        .mean = mean,
                        .inverse = inverse,
                        .scale = scale,
                        .dy = dy,
                        .dx = dx,
                        .d_scale = d_scale,
                        .d_shift = d_shift});
  return arguments.env().Undefined();
}

// Reads the first `rows` rows of x [rowsOfX, dim].
Napi::Value column_moments(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), rows_x = arguments.count("rowsOfX"), dim = arguments.count("dim");
  if (rows_x < rows) arguments.fail("x has fewer rows than it should.");
  const float *x = arguments.floats("x", rows_x * dim), *center = arguments.floats("center", dim);
  kernels::column_moments(rows, dim, x, center, arguments.floats("sums", 2 * dim));
  return arguments.env().Undefined();
}

Napi::Value add_moment_gradient(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), rows_x = arguments.count("rowsOfX"), dim = arguments.count("dim");
  if (rows_x < rows) arguments.fail("x has fewer rows than it should.");
  const float *x = arguments.floats("x", rows_x * dim), *mean = arguments.floats("mean", dim);
  const float *linear = arguments.floats("linear", dim), *quadratic = arguments.floats("quadratic", dim);
  kernels::add_moment_gradient({.rows = rows,
                            .dim = dim,
                            .x = x,
                            .mean = mean,
                            .linear = linear,
                            .quadratic = quadratic,
                            .dx = arguments.floats("dx", rows_x * dim)});
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<add_activate>(env, exports,
      "addActivate(rows: number, rowsOfA: number, dim: number, a: Float32Array, b: Float32Array, "
      "activation: number, out: Float32Array)");
  export_kernel<add_activate_grad>(env, exports,
      "addActivateGrad(rows: number, rowsOfA: number, dim: number, out: Float32Array, dy: Float32Array, "
      "activation: number, da: Float32Array, db: Float32Array)");
  export_kernel<layer_norm>(env, exports,
      "layerNorm(rows: number, dim: number, x: Float32Array, scale: Float32Array, shift: Float32Array, "
      "epsilon: number, moments: Float32Array, out: Float32Array)");
  export_kernel<layer_norm_grad>(env, exports,
      "layerNormGrad(rows: number, dim: number, x: Float32Array, moments: Float32Array, "
      "scale: Float32Array, dy: Float32Array, dx: Float32Array, dScale: Float32Array, "
      "dShift: Float32Array)");
  export_kernel<l2_normalize>(env, exports,
      "l2Normalize(rows: number, dim: number, x: Float32Array, norms: Float32Array, out: Float32Array)");
  export_kernel<l2_normalize_grad>(env, exports,
      "l2NormalizeGrad(rows: number, dim: number, out: Float32Array, norms: Float32Array, "
      "dy: Float32Array, dx: Float32Array)");
  export_kernel<batch_norm>(env, exports,
      "batchNorm(rows: number, dim: number, x: Float32Array, mean: Float32Array, inverse: Float32Array, "
      "scale: Float32Array, shift: Float32Array, out: Float32Array)");
  export_kernel<batch_norm_grad>(env, exports,
      "batchNormGrad(rows: number, dim: number, x: Float32Array, mean: Float32Array, "
      "inverse: Float32Array, scale: Float32Array, dy: Float32Array, dx: Float32Array, "
      "dScale: Float32Array, dShift: Float32Array)");
  export_kernel<column_moments>(env, exports,
      "columnMoments(rows: number, rowsOfX: number, dim: number, x: Float32Array, center: Float32Array, "
      "sums: Float32Array)");
  export_kernel<add_moment_gradient>(env, exports,
      "addMomentGradient(rows: number, rowsOfX: number, dim: number, x: Float32Array, mean: Float32Array, "
      "linear: Float32Array, quadratic: Float32Array, dx: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
