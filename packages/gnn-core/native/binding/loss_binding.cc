#include "export_kernel.h"
#include "gnn/loss/regression_loss.h"
#include "gnn/loss/sigmoid_cross_entropy.h"

namespace hopwise {
namespace {

struct Rows {
  int64_t rows, classes;
  const float *logits, *targets, *weights;
};

Rows read_rows(Arguments& arguments) {
  Rows r{arguments.count("rows"), arguments.count("classes"), nullptr, nullptr, nullptr};
  r.logits = arguments.floats("logits", r.rows * r.classes);
  r.targets = arguments.floats("targets", r.rows * r.classes);
  r.weights = arguments.optional_floats("weights", r.rows);
  return r;
}

Napi::Value sigmoid_cross_entropy_sum(Arguments& arguments) {
  const Rows r = read_rows(arguments);
  return Napi::Number::New(arguments.env(),
                           gnn::sigmoid_cross_entropy_sum(r.rows, r.classes, r.logits, r.targets, r.weights));
}

Napi::Value sigmoid_cross_entropy_grad(Arguments& arguments) {
  const Rows r = read_rows(arguments);
  const auto scale = static_cast<float>(arguments.number("scale"));
  gnn::sigmoid_cross_entropy_grad(r.rows, r.classes, r.logits, r.targets, r.weights, scale,
                                  arguments.floats("dLogits", r.rows * r.classes));
  return arguments.env().Undefined();
}

struct Entries {
  gnn::RegressionLoss kind;
  float delta;
  int64_t count;
  const float *outputs, *targets;
};

Entries read_entries(Arguments& arguments) {
  const int64_t kind = arguments.count("kind");
  if (kind > 2) arguments.fail("kind is " + std::to_string(kind) + "; expected 0, 1 or 2.");
  const auto delta = static_cast<float>(arguments.number("delta"));
  Entries e{static_cast<gnn::RegressionLoss>(kind), delta, arguments.count("count"), nullptr, nullptr};
  e.outputs = arguments.floats("outputs", e.count);
  e.targets = arguments.floats("targets", e.count);
  return e;
}

Napi::Value regression_loss_sum(Arguments& arguments) {
  const Entries e = read_entries(arguments);
  return Napi::Number::New(arguments.env(), gnn::regression_loss_sum(e.kind, e.delta, e.count, e.outputs, e.targets));
}

Napi::Value regression_loss_grad(Arguments& arguments) {
  const Entries e = read_entries(arguments);
  const auto scale = static_cast<float>(arguments.number("scale"));
  gnn::regression_loss_grad(e.kind, e.delta, e.count, e.outputs, e.targets, scale,
                            arguments.floats("dOutputs", e.count));
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<regression_loss_sum>(env, exports,
      "regressionLossSum(kind: number, delta: number, count: number, outputs: Float32Array, "
      "targets: Float32Array)");
  export_kernel<regression_loss_grad>(env, exports,
      "regressionLossGrad(kind: number, delta: number, count: number, outputs: Float32Array, "
      "targets: Float32Array, scale: number, dOutputs: Float32Array)");
  export_kernel<sigmoid_cross_entropy_sum>(env, exports,
      "sigmoidCrossEntropySum(rows: number, classes: number, logits: Float32Array, targets: Float32Array, "
      "weights: Float32Array | null)");
  export_kernel<sigmoid_cross_entropy_grad>(env, exports,
      "sigmoidCrossEntropyGrad(rows: number, classes: number, logits: Float32Array, "
      "targets: Float32Array, weights: Float32Array | null, scale: number, dLogits: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
