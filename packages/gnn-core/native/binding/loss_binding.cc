#include "export_kernel.h"
#include "kernels.h"

namespace hopwise {
namespace {

gnn::SigmoidCrossEntropy read_rows(Arguments& arguments) {
  gnn::SigmoidCrossEntropy r{};
  r.rows = arguments.count("rows");
  r.classes = arguments.count("classes");
  r.logits = arguments.floats("logits", r.rows * r.classes);
  r.targets = arguments.floats("targets", r.rows * r.classes);
  r.weights = arguments.optional_floats("weights", r.rows);
  return r;
}

Napi::Value sigmoid_cross_entropy_sum(Arguments& arguments) {
  const gnn::SigmoidCrossEntropy r = read_rows(arguments);
  kernels::sigmoid_cross_entropy_sum(r, arguments.floats("sum", 1));
  return arguments.env().Undefined();
}

Napi::Value sigmoid_cross_entropy_grad(Arguments& arguments) {
  const gnn::SigmoidCrossEntropy r = read_rows(arguments);
  const auto scale = static_cast<float>(arguments.number("scale"));
  kernels::sigmoid_cross_entropy_grad(r, scale, arguments.floats("dLogits", r.rows * r.classes));
  return arguments.env().Undefined();
}

gnn::RegressionLoss read_entries(Arguments& arguments) {
  const int64_t kind = arguments.count("kind");
  if (kind > 2) arguments.fail("kind is " + std::to_string(kind) + "; expected 0, 1 or 2.");
  gnn::RegressionLoss e{};
  e.kind = static_cast<gnn::RegressionKind>(kind);
  e.delta = static_cast<float>(arguments.number("delta"));
  e.count = arguments.count("count");
  e.outputs = arguments.floats("outputs", e.count);
  e.targets = arguments.floats("targets", e.count);
  return e;
}

Napi::Value regression_loss_sum(Arguments& arguments) {
  const gnn::RegressionLoss e = read_entries(arguments);
  kernels::regression_loss_sum(e, arguments.floats("sum", 1));
  return arguments.env().Undefined();
}

Napi::Value regression_loss_grad(Arguments& arguments) {
  const gnn::RegressionLoss e = read_entries(arguments);
  const auto scale = static_cast<float>(arguments.number("scale"));
  kernels::regression_loss_grad(e, scale, arguments.floats("dOutputs", e.count));
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<regression_loss_sum>(env, exports,
      "regressionLossSum(kind: number, delta: number, count: number, outputs: Float32Array, "
      "targets: Float32Array, sum: Float32Array)");
  export_kernel<regression_loss_grad>(env, exports,
      "regressionLossGrad(kind: number, delta: number, count: number, outputs: Float32Array, "
      "targets: Float32Array, scale: number, dOutputs: Float32Array)");
  export_kernel<sigmoid_cross_entropy_sum>(env, exports,
      "sigmoidCrossEntropySum(rows: number, classes: number, logits: Float32Array, targets: Float32Array, "
      "weights: Float32Array | null, sum: Float32Array)");
  export_kernel<sigmoid_cross_entropy_grad>(env, exports,
      "sigmoidCrossEntropyGrad(rows: number, classes: number, logits: Float32Array, "
      "targets: Float32Array, weights: Float32Array | null, scale: number, dLogits: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
