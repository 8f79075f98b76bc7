#include "export_kernel.h"
#include "gnn/nn/sigmoid_cross_entropy.h"

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

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<sigmoid_cross_entropy_sum>(env, exports, "sigmoidCrossEntropySum");
  export_kernel<sigmoid_cross_entropy_grad>(env, exports, "sigmoidCrossEntropyGrad");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
