// Updates of rows that a step learned of some nodes, in tables that stay on the device.
#include "../export_kernel.h"
#include "device.h"
#include "gnn/cuda/optim/sparse_update.h"

namespace hopwise {
namespace {

namespace cuda = gnn::cuda;

struct Read {
  gnn::SparseGradient gradient;
  cuda::RowStep step;
};

// What updates begin with; `rows` is how many the table has.
Read read_gradient(Arguments& arguments, int64_t& rows) {
  rows = arguments.count("numRows");
  const int64_t dim = arguments.count("dim"), count = arguments.length_of_next();
  const int32_t* const ids = arguments.ids("ids", count, rows);
  Read read{{ids, count, dim, arguments.floats("gradient", count * dim)}, {}};
  read.step.sums = arguments.floats("sums", cuda::kStepSums);
  constexpr int64_t kScaleFloats = sizeof(cuda::GradientScale) / sizeof(float);
  read.step.scale = reinterpret_cast<cuda::GradientScale*>(arguments.floats("scale", kScaleFloats));
  return read;
}

float next_float(Arguments& arguments, const char* name) { return static_cast<float>(arguments.number(name)); }

Napi::Value update_adagrad_rows(Arguments& arguments) {
  int64_t rows = 0;
  const Read read = read_gradient(arguments, rows);
  const int64_t count = rows * read.gradient.dim;
  float *parameter = arguments.floats("parameter", count), *squares = arguments.floats("squares", count);
  gnn::AdagradOptions options{};
  options.lr = next_float(arguments, "lr");
  options.epsilon = next_float(arguments, "epsilon");
  cuda::sparse_adagrad_update(stream(), read.gradient, parameter, squares, options, read.step);
  return arguments.env().Undefined();
}

Napi::Value update_adam_rows(Arguments& arguments) {
  int64_t rows = 0;
  const Read read = read_gradient(arguments, rows);
  const int64_t count = rows * read.gradient.dim;
  gnn::SparseAdamUpdate op{};
  op.gradient = read.gradient;
  op.parameter = arguments.floats("parameter", count);
  op.momentum = arguments.floats("momentum", count);
  op.variance = arguments.floats("variance", count);
  // Bits of int32: no kernel reads them as floats.
  op.steps = reinterpret_cast<int32_t*>(arguments.floats("steps", rows));
  op.options.lr = next_float(arguments, "lr");
  op.options.beta1 = next_float(arguments, "beta1");
  op.options.beta2 = next_float(arguments, "beta2");
  op.options.epsilon = next_float(arguments, "epsilon");
  cuda::sparse_adam_update(stream(), op, read.step);
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<update_adagrad_rows>(env, exports,
      "updateAdagradRows(numRows: number, dim: number, ids: IntsHandle, gradient: FloatsHandle, sums: FloatsHandle, "
      "scale: FloatsHandle, parameter: FloatsHandle, squares: FloatsHandle, lr: number, epsilon: number)");
  export_kernel<update_adam_rows>(env, exports,
      "updateAdamRows(numRows: number, dim: number, ids: IntsHandle, gradient: FloatsHandle, sums: FloatsHandle, "
      "scale: FloatsHandle, parameter: FloatsHandle, momentum: FloatsHandle, variance: FloatsHandle, "
      "steps: FloatsHandle, lr: number, beta1: number, beta2: number, epsilon: number)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
