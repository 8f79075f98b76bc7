#include "gnn/graph/in_degrees.h"

#include "arrays.h"
#include "export_kernel.h"
#include "graph_handle.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

Napi::Value in_degrees(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const auto nodes = to_vector<int32_t>(info[1]);
  return PromiseWorker<std::vector<float>>::start(
      info.Env(), {info[0]}, [&graph, nodes] { return gnn::in_degrees(graph, nodes); },
      [](Napi::Env env, std::vector<float>&& degrees) { return to_typed_array(env, std::move(degrees)); });
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<in_degrees>(env, exports, "inDegrees(graph: GraphHandle, nodes: Int32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
