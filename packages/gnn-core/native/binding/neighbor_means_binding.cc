#include "gnn/sparse/neighbor_means.h"

#include "features_handle.h"
#include "graph_handle.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

struct Done {};

// graph, features, firstNode, numNodes, besideOwn, out; the last is written until the promise settles.
Napi::Value neighbor_means(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const gnn::FeatureView& features = features_of(info[1]);
  const int32_t first = info[2].As<Napi::Number>(), count = info[3].As<Napi::Number>();
  const bool beside_own = info[4].As<Napi::Boolean>();
  auto out = info[5].As<Napi::Float32Array>();
  float* to = out.Data();
  const int64_t expected = int64_t{count} * features.dim * (beside_own ? 2 : 1);
  if (static_cast<int64_t>(out.ElementLength()) != expected) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH",
                    "out has " + std::to_string(out.ElementLength()) + " elements; expected " + std::to_string(expected) + ".");
  }
  return PromiseWorker<Done>::start(
      info.Env(), {info[0], info[1], info[5]},
      [&graph, &features, first, count, beside_own, to] {
        gnn::neighbor_means(graph, features, first, count, beside_own, to);
        return Done{};
      },
      [](Napi::Env env, Done&&) { return env.Undefined(); });
}

void init(Napi::Env env, Napi::Object exports) {
  exports.Set("neighborMeans", Napi::Function::New(env, neighbor_means));
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
