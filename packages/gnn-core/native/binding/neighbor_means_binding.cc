#include "gnn/sparse/neighbor_means.h"

#include <algorithm>

#include "arrays.h"
#include "export_kernel.h"
#include "features_handle.h"
#include "gnn/graph/cluster_order.h"
#include "gnn/sparse/gather_rows.h"
#include "graph_handle.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

struct Done {};

// graph, features, nodes, besideOwn, out; the last is written until the promise settles.
Napi::Value neighbor_means(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const gnn::FeatureView& features = features_of(info[1]);
  auto nodes = to_vector<int32_t>(info[2]);
  const bool beside_own = info[3].As<Napi::Boolean>();
  auto out = info[4].As<Napi::Float32Array>();
  float* to = out.Data();
  const int64_t expected = static_cast<int64_t>(nodes.size()) * features.dim * (beside_own ? 2 : 1);
  if (static_cast<int64_t>(out.ElementLength()) != expected) {
    throw_gnn_error(
        info.Env(), "SHAPE_MISMATCH",
        "out has " + std::to_string(out.ElementLength()) + " elements; expected " + std::to_string(expected) + ".");
  }
  return PromiseWorker<Done>::start(
      info.Env(), {info[0], info[1], info[4]},
      [&graph, &features, nodes = std::move(nodes), beside_own, to] {
        gnn::neighbor_means({.graph = graph,
                             .features = features,
                             .nodes = nodes.data(),
                             .count = static_cast<int64_t>(nodes.size()),
                             .beside_own = beside_own,
                             .out = to});
        return Done{};
      },
      [](Napi::Env env, Done&&) { return env.Undefined(); });
}

// graph, firstNode, numNodes, mostNodes
Napi::Value cluster_order(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const int32_t first = info[1].As<Napi::Number>(), count = info[2].As<Napi::Number>();
  const int32_t most_nodes = info[3].As<Napi::Number>();
  return PromiseWorker<std::vector<int32_t>>::start(
      info.Env(), {info[0]},
      [&graph, first, count, most_nodes] { return gnn::cluster_order(graph, first, count, most_nodes); },
      [](Napi::Env env, std::vector<int32_t>&& nodes) { return to_typed_array(env, std::move(nodes)); });
}

// values, dim, rows, out
Napi::Value put_rows(const Napi::CallbackInfo& info) {
  const auto values = info[0].As<Napi::Float32Array>();
  const int64_t dim = info[1].As<Napi::Number>();
  const auto rows = info[2].As<Napi::Int32Array>();
  auto out = info[3].As<Napi::Float32Array>();
  const auto count = static_cast<int64_t>(rows.ElementLength());
  const auto num_out = static_cast<int64_t>(out.ElementLength()) / std::max<int64_t>(dim, 1);
  const bool fits =
      std::all_of(rows.Data(), rows.Data() + count, [&](int32_t row) { return row >= 0 && row < num_out; });
  if (!fits || static_cast<int64_t>(values.ElementLength()) != count * dim) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH",
                    std::to_string(values.ElementLength()) + " values are not " + std::to_string(count) + " rows of " +
                        std::to_string(dim) + ", or not all go to the " + std::to_string(num_out) + " rows there are.");
  }
  gnn::put_rows(count, dim, values.Data(), rows.Data(), out.Data());
  return info.Env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<neighbor_means>(env, exports,
      "neighborMeans(graph: GraphHandle, features: FeaturesHandle, nodes: Int32Array, besideOwn: boolean, "
      "out: Float32Array)");
  export_function<cluster_order>(env, exports,
      "clusterOrder(graph: GraphHandle, firstNode: number, numNodes: number, mostNodes: number)");
  export_function<put_rows>(env, exports,
      "putRows(values: Float32Array, dim: number, rows: Int32Array, out: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
