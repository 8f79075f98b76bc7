// What a training step does behind its gradient, on one bucket of all parameters: nothing is read back.
#include "../export_kernel.h"
#include "device.h"
#include "gnn/cuda/loss/cross_entropy.h"
#include "gnn/cuda/loss/sigmoid_cross_entropy.h"
#include "gnn/cuda/optim/update.h"

namespace hopwise {
namespace {

namespace cuda = gnn::cuda;

// As arrays of float32 that JavaScript makes and holds.
constexpr int64_t kScaleFloats = sizeof(cuda::GradientScale) / sizeof(float);
constexpr int64_t kTotalsFloats = sizeof(cuda::StepTotals) / sizeof(float);

Napi::Value count_hits(Arguments& arguments) {
  gnn::CrossEntropy t{};
  t.rows = arguments.count("rows");
  t.classes = arguments.count("classes");
  t.logits = arguments.floats("logits", t.rows * t.classes);
  t.labels = arguments.labels("labels", t.rows, t.classes);
  cuda::count_hits(stream(), t, arguments.floats("hits", 1));
  return arguments.env().Undefined();
}

Napi::Value count_labels(Arguments& arguments) {
  cuda::LabelCounts op{};
  op.rows = arguments.count("rows");
  op.classes = arguments.count("classes");
  op.outputs = arguments.floats("outputs", op.rows * op.classes);
  op.targets = arguments.floats("targets", op.rows * op.classes);
  op.cuts = arguments.floats("cuts", op.classes);
  op.hits = arguments.floats("hits", 1);
  op.trials = arguments.floats("trials", 1);
  cuda::count_labels(stream(), op);
  return arguments.env().Undefined();
}

Napi::Value scale_gradient(Arguments& arguments) {
  const int64_t count = arguments.length_of_next();
  const float* gradient = arguments.floats("gradient", count);
  const auto norm = static_cast<float>(arguments.number("maxNorm"));
  cuda::NotedStep step{arguments.floats("sums", cuda::kStepSums), arguments.count("step"), nullptr};
  auto* to = reinterpret_cast<cuda::GradientScale*>(arguments.floats("scale", kScaleFloats));
  step.totals = reinterpret_cast<cuda::StepTotals*>(arguments.floats("totals", kTotalsFloats));
  cuda::scale_gradient(stream(), count, gradient, 1.0f, norm, to, step);
  return arguments.env().Undefined();
}

cuda::Bucket read_bucket(Arguments& arguments) {
  const int64_t count = arguments.length_of_next();
  float* parameter = arguments.floats("parameter", count);
  const float* gradient = arguments.floats("gradient", count);
  const auto* scale = reinterpret_cast<cuda::GradientScale*>(arguments.floats("scale", kScaleFloats));
  return {count, parameter, gradient, scale};
}

float next_float(Arguments& arguments, const char* name) { return static_cast<float>(arguments.number(name)); }

template <bool decoupled>
Napi::Value update_adam(Arguments& arguments) {
  const cuda::Bucket bucket = read_bucket(arguments);
  float* momentum = arguments.floats("momentum", bucket.count);
  float* variance = arguments.floats("variance", bucket.count);
  gnn::AdamOptions options{};
  options.lr = next_float(arguments, "lr");
  options.beta1 = next_float(arguments, "beta1");
  options.beta2 = next_float(arguments, "beta2");
  options.epsilon = next_float(arguments, "epsilon");
  options.weight_decay = next_float(arguments, "weightDecay");
  options.decoupled = decoupled;
  cuda::adam_update(stream(), bucket, momentum, variance, options, arguments.count("step"));
  return arguments.env().Undefined();
}

Napi::Value update_sgd(Arguments& arguments) {
  const cuda::Bucket bucket = read_bucket(arguments);
  float* buffer = arguments.floats("momentumBuffer", bucket.count);
  gnn::SgdOptions options{};
  options.lr = next_float(arguments, "lr");
  options.momentum = next_float(arguments, "momentum");
  options.weight_decay = next_float(arguments, "weightDecay");
  cuda::sgd_update(stream(), bucket, buffer, options);
  return arguments.env().Undefined();
}

Napi::Value update_adagrad(Arguments& arguments) {
  const cuda::Bucket bucket = read_bucket(arguments);
  float* squares = arguments.floats("squares", bucket.count);
  gnn::AdagradOptions options{};
  options.lr = next_float(arguments, "lr");
  options.epsilon = next_float(arguments, "epsilon");
  options.weight_decay = next_float(arguments, "weightDecay");
  cuda::adagrad_update(stream(), bucket, squares, options);
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<count_hits>(env, exports,
      "countHits(rows: number, classes: number, logits: FloatsHandle, labels: IntsHandle, hits: FloatsHandle)");
  export_kernel<count_labels>(env, exports,
      "countLabels(rows: number, classes: number, outputs: FloatsHandle, targets: FloatsHandle, cuts: FloatsHandle, "
      "hits: FloatsHandle, trials: FloatsHandle)");
  export_kernel<scale_gradient>(env, exports,
      "scaleGradient(gradient: FloatsHandle, maxNorm: number, sums: FloatsHandle, step: number, scale: FloatsHandle, "
      "totals: FloatsHandle)");
  export_kernel<update_adam<false>>(env, exports,
      "updateAdam(parameter: FloatsHandle, gradient: FloatsHandle, scale: FloatsHandle, momentum: FloatsHandle, "
      "variance: FloatsHandle, lr: number, beta1: number, beta2: number, epsilon: number, weightDecay: number, "
      "step: number)");
  export_kernel<update_adam<true>>(env, exports,
      "updateAdamw(parameter: FloatsHandle, gradient: FloatsHandle, scale: FloatsHandle, momentum: FloatsHandle, "
      "variance: FloatsHandle, lr: number, beta1: number, beta2: number, epsilon: number, weightDecay: number, "
      "step: number)");
  export_kernel<update_sgd>(env, exports,
      "updateSgd(parameter: FloatsHandle, gradient: FloatsHandle, scale: FloatsHandle, "
      "momentumBuffer: FloatsHandle, lr: number, momentum: number, weightDecay: number)");
  export_kernel<update_adagrad>(env, exports,
      "updateAdagrad(parameter: FloatsHandle, gradient: FloatsHandle, scale: FloatsHandle, squares: FloatsHandle, "
      "lr: number, epsilon: number, weightDecay: number)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
