#include "arrays.h"
#include "export_kernel.h"
#include "gnn/cluster/induced_subgraph.h"
#include "graph_handle.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

Napi::Value induced_subgraph(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const auto nodes = to_vector<int32_t>(info[1]);
  const bool weighted = graph.weighted();
  return PromiseWorker<gnn::Subgraph>::start(
      info.Env(), {info[0]}, [&graph, nodes] { return gnn::induced_subgraph(graph, nodes); },
      [weighted](Napi::Env env, gnn::Subgraph&& subgraph) -> Napi::Value {
        Napi::Object object = Napi::Object::New(env);
        object.Set("indptr", to_typed_array(env, std::move(subgraph.indptr)));
        object.Set("indices", to_typed_array(env, std::move(subgraph.indices)));
        object.Set("weights", weighted ? to_typed_array(env, std::move(subgraph.weights)) : env.Null());
        return object;
      });
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<induced_subgraph>(env, exports, "inducedSubgraph(graph: GraphHandle, nodes: Int32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
