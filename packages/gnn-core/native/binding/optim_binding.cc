#include "export_kernel.h"
#include "gnn/optim/adagrad.h"
#include "gnn/optim/adam.h"
#include "gnn/optim/sgd.h"
#include "gnn/optim/sparse_update.h"

namespace hopwise {
namespace {

// Every update takes the parameter first; all its arrays have that length.
int64_t count_of(const Napi::CallbackInfo& info, Arguments& arguments) {
  if (!info[0].IsTypedArray()) arguments.fail("parameter is not a Float32Array.");
  return static_cast<int64_t>(info[0].As<Napi::TypedArray>().ElementLength());
}

float option(Arguments& arguments, const char* name) { return static_cast<float>(arguments.number(name)); }

template <bool decoupled>
Napi::Value adam(const Napi::CallbackInfo& info) {
  Arguments arguments(info);
  const int64_t count = count_of(info, arguments);
  float *parameter = arguments.floats("parameter", count), *momentum = arguments.floats("momentum", count),
        *variance = arguments.floats("variance", count);
  const float* gradient = arguments.floats("gradient", count);
  gnn::AdamOptions options{};
  options.lr = option(arguments, "lr");
  options.beta1 = option(arguments, "beta1");
  options.beta2 = option(arguments, "beta2");
  options.epsilon = option(arguments, "epsilon");
  options.weight_decay = option(arguments, "weightDecay");
  options.decoupled = decoupled;
  gnn::adam_update({.count = count,
                    .parameter = parameter,
                    .momentum = momentum,
                    .variance = variance,
                    .gradient = gradient,
                    .options = options,
                    .step = arguments.count("step")});
  return info.Env().Undefined();
}

Napi::Value sgd(const Napi::CallbackInfo& info) {
  Arguments arguments(info);
  const int64_t count = count_of(info, arguments);
  float *parameter = arguments.floats("parameter", count), *buffer = arguments.floats("momentumBuffer", count);
  const float* gradient = arguments.floats("gradient", count);
  gnn::SgdOptions options{};
  options.lr = option(arguments, "lr");
  options.momentum = option(arguments, "momentum");
  options.weight_decay = option(arguments, "weightDecay");
  gnn::sgd_update(count, parameter, buffer, gradient, options);
  return info.Env().Undefined();
}

Napi::Value adagrad(const Napi::CallbackInfo& info) {
  Arguments arguments(info);
  const int64_t count = count_of(info, arguments);
  float *parameter = arguments.floats("parameter", count), *squares = arguments.floats("squares", count);
  const float* gradient = arguments.floats("gradient", count);
  gnn::AdagradOptions options{};
  options.lr = option(arguments, "lr");
  options.epsilon = option(arguments, "epsilon");
  options.weight_decay = option(arguments, "weightDecay");
  gnn::adagrad_update(count, parameter, squares, gradient, options);
  return info.Env().Undefined();
}

// (ids, dim, gradient, parameter, …): rows of the parameter are updated
gnn::SparseGradient sparse_gradient(const Napi::CallbackInfo& info, Arguments& arguments, int64_t& num_values) {
  const int64_t count = info[0].IsTypedArray() ? info[0].As<Napi::TypedArray>().ElementLength() : 0;
  num_values = info[3].IsTypedArray() ? info[3].As<Napi::TypedArray>().ElementLength() : 0;
  const int64_t dim = info[1].IsNumber() ? info[1].As<Napi::Number>().Int64Value() : 0;
  if (dim < 1) arguments.fail("dim is not a width.");
  const int32_t* ids = arguments.ids("ids", count, num_values / dim);
  arguments.count("dim");
  return {ids, count, dim, arguments.floats("gradient", count * dim)};
}

Napi::Value sparse_adagrad(const Napi::CallbackInfo& info) {
  Arguments arguments(info);
  int64_t num_values = 0;
  const gnn::SparseGradient gradient = sparse_gradient(info, arguments, num_values);
  float *parameter = arguments.floats("parameter", num_values), *squares = arguments.floats("squares", num_values);
  gnn::AdagradOptions options{};
  options.lr = option(arguments, "lr");
  options.epsilon = option(arguments, "epsilon");
  gnn::sparse_adagrad_update(gradient, parameter, squares, options);
  return info.Env().Undefined();
}

Napi::Value sparse_adam(const Napi::CallbackInfo& info) {
  Arguments arguments(info);
  int64_t num_values = 0;
  const gnn::SparseGradient gradient = sparse_gradient(info, arguments, num_values);
  float *parameter = arguments.floats("parameter", num_values), *momentum = arguments.floats("momentum", num_values),
        *variance = arguments.floats("variance", num_values);
  // Counted up in place; the reader of arguments hands out ints as constants.
  auto* steps = const_cast<int32_t*>(arguments.ints("steps", num_values / gradient.dim));
  gnn::AdamOptions options{};
  options.lr = option(arguments, "lr");
  options.beta1 = option(arguments, "beta1");
  options.beta2 = option(arguments, "beta2");
  options.epsilon = option(arguments, "epsilon");
  gnn::sparse_adam_update({.gradient = gradient,
                           .parameter = parameter,
                           .momentum = momentum,
                           .variance = variance,
                           .steps = steps,
                           .options = options});
  return info.Env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<adam<false>>(env, exports,
      "adam(parameter: Float32Array, momentum: Float32Array, variance: Float32Array, "
      "gradient: Float32Array, lr: number, beta1: number, beta2: number, epsilon: number, "
      "weightDecay: number, step: number)");
  export_function<adam<true>>(env, exports,
      "adamw(parameter: Float32Array, momentum: Float32Array, variance: Float32Array, "
      "gradient: Float32Array, lr: number, beta1: number, beta2: number, epsilon: number, "
      "weightDecay: number, step: number)");
  export_function<sgd>(env, exports,
      "sgd(parameter: Float32Array, momentumBuffer: Float32Array, gradient: Float32Array, lr: number, "
      "momentum: number, weightDecay: number)");
  export_function<sparse_adagrad>(env, exports,
      "sparseAdagrad(ids: Int32Array, dim: number, gradient: Float32Array, parameter: Float32Array, "
      "squares: Float32Array, lr: number, epsilon: number)");
  export_function<sparse_adam>(env, exports,
      "sparseAdam(ids: Int32Array, dim: number, gradient: Float32Array, parameter: Float32Array, "
      "momentum: Float32Array, variance: Float32Array, steps: Int32Array, lr: number, beta1: number, "
      "beta2: number, epsilon: number)");
  export_function<adagrad>(env, exports,
      "adagrad(parameter: Float32Array, squares: Float32Array, gradient: Float32Array, lr: number, "
      "epsilon: number, weightDecay: number)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
