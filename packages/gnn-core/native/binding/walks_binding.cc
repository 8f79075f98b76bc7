#include "gnn/walks/walk_pairs.h"

#include "arrays.h"
#include "export_kernel.h"
#include "graph_handle.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

double number(const Napi::CallbackInfo& info, size_t i) { return info[i].As<Napi::Number>().DoubleValue(); }

int32_t whole(const Napi::CallbackInfo& info, size_t i) { return info[i].As<Napi::Number>().Int32Value(); }

// length, perNode, p, q from the third argument on
gnn::WalkOptions walk_options(const Napi::CallbackInfo& info) {
  return {whole(info, 2), whole(info, 3), number(info, 4), number(info, 5)};
}

// The last arguments are seed and epoch.
gnn::SampleKey key_of(const Napi::CallbackInfo& info) {
  const auto part = [&](size_t i) { return static_cast<uint64_t>(info[i].As<Napi::Number>().Int64Value()); };
  return {part(info.Length() - 2), part(info.Length() - 1), 0};
}

Napi::Value random_walks(const Napi::CallbackInfo& info) {
  return PromiseWorker<std::vector<int32_t>>::start(
      info.Env(), {info[0]},
      [&graph = graph_of(info[0]), starts = to_vector<int32_t>(info[1]), options = walk_options(info),
       key = key_of(info)] { return gnn::random_walks(graph, starts, options, key); },
      [](Napi::Env env, std::vector<int32_t>&& walks) { return to_typed_array(env, std::move(walks)); });
}

// graph, starts, length, perNode, p, q, window, negatives, noise | null, key
Napi::Value walk_pairs(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  gnn::PairOptions options{whole(info, 6), whole(info, 7), nullptr};
  if (!info[8].IsNull()) {
    const auto noise = info[8].As<Napi::Float64Array>();
    if (noise.ElementLength() != static_cast<size_t>(graph.num_nodes()) || noise.ElementLength() == 0) {
      throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "The noise has not one entry per node of the graph.");
    }
    options.noise = noise.Data();
  }
  return PromiseWorker<gnn::WalkPairs>::start(
      info.Env(), {info[0], info[8]},
      [&graph, starts = to_vector<int32_t>(info[1]), walk = walk_options(info), options, key = key_of(info)] {
        return gnn::walk_pairs(graph, starts, walk, options, key);
      },
      [](Napi::Env env, gnn::WalkPairs&& pairs) -> Napi::Value {
        Napi::Object object = Napi::Object::New(env);
        object.Set("nodes", to_typed_array(env, std::move(pairs.nodes)));
        object.Set("indptr", to_typed_array(env, std::move(pairs.indptr)));
        object.Set("indices", to_typed_array(env, std::move(pairs.indices)));
        object.Set("targets", to_typed_array(env, std::move(pairs.targets)));
        object.Set("numPositives", static_cast<double>(pairs.num_positives));
        return object;
      });
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<random_walks>(env, exports,
      "randomWalks(graph: GraphHandle, starts: Int32Array, length: number, perNode: number, p: number, q: number, "
      "seed: number, epoch: number)");
  export_function<walk_pairs>(env, exports,
      "walkPairs(graph: GraphHandle, starts: Int32Array, length: number, perNode: number, p: number, q: number, "
      "window: number, negatives: number, noise: Float64Array | null, seed: number, epoch: number)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
