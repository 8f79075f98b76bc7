#include "gnn/sampling/sample_blocks.h"

#include "arrays.h"
#include "graph_handle.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

gnn::PartView part_of(const Napi::Object& part) {
  const auto indptr = part.Get("indptr").As<Napi::BigInt64Array>();
  const auto indices = part.Get("indices").As<Napi::Int32Array>();
  const Napi::Value weights = part.Get("weights");
  const gnn::PartView view{
      part.Get("firstNode").As<Napi::Number>(), part.Get("numNodes").As<Napi::Number>(), indptr.Data(), indices.Data(),
      weights.IsTypedArray() ? weights.As<Napi::Float32Array>().Data() : nullptr};
  const auto num_indices = static_cast<int64_t>(indices.ElementLength());
  if (indptr.ElementLength() != static_cast<size_t>(view.num_nodes) + 1 || view.indptr[0] != 0 ||
      view.indptr[view.num_nodes] != num_indices ||
      (view.weights && weights.As<Napi::Float32Array>().ElementLength() != indices.ElementLength())) {
    throw gnn::Error("SHAPE_MISMATCH", "The arrays of the graph part at node " + std::to_string(view.first_node) +
                                           " do not fit its number of nodes and edges.");
  }
  return view;
}

Napi::Value create_graph(const Napi::CallbackInfo& info) {
  const auto parts = info[1].As<Napi::Array>();
  auto* handle = guarded(info.Env(), [&] {
    std::vector<gnn::PartView> views;
    for (uint32_t p = 0; p < parts.Length(); ++p) views.push_back(part_of(parts.Get(p).As<Napi::Object>()));
    return new GraphHandle{gnn::GraphView(info[0].As<Napi::Number>(), std::move(views)),
                           Napi::Persistent(info[1].As<Napi::Object>())};
  });
  return Napi::External<GraphHandle>::New(info.Env(), handle, [](Napi::Env, GraphHandle* owned) { delete owned; });
}

Napi::Value to_object(Napi::Env env, gnn::BlockData&& block) {
  Napi::Object reverse = Napi::Object::New(env);
  reverse.Set("indptr", to_recycled_array(env, std::move(block.reverse_indptr)));
  reverse.Set("indices", to_recycled_array(env, std::move(block.reverse_indices)));
  reverse.Set("edges", to_recycled_array(env, std::move(block.reverse_edges)));
  Napi::Object object = Napi::Object::New(env);
  object.Set("device", "cpu");
  object.Set("numSrc", block.num_src);
  object.Set("numDst", block.num_dst);
  object.Set("indptr", to_recycled_array(env, std::move(block.indptr)));
  object.Set("indices", to_recycled_array(env, std::move(block.indices)));
  object.Set("srcIds", to_recycled_array(env, std::move(block.src_ids)));
  object.Set("weights", block.weighted ? to_recycled_array(env, std::move(block.weights)) : env.Null());
  object.Set("reverse", reverse);
  return object;
}

Napi::Value to_objects(Napi::Env env, std::vector<gnn::BlockData>&& blocks) {
  Napi::Array array = Napi::Array::New(env, blocks.size());
  for (uint32_t i = 0; i < blocks.size(); ++i) array.Set(i, to_object(env, std::move(blocks[i])));
  return array;
}

Napi::Value sample_blocks(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const auto seeds = to_vector<int32_t>(info[1]), fanouts = to_vector<int32_t>(info[2]);
  const bool replace = info[3].As<Napi::Boolean>();
  const auto number = [&](size_t i) { return static_cast<uint64_t>(info[i].As<Napi::Number>().Int64Value()); };
  const gnn::SampleKey key{number(4), number(5), number(6)};
  return PromiseWorker<std::vector<gnn::BlockData>>::start(
      info.Env(), {info[0]},
      [&graph, seeds, fanouts, replace, key] { return gnn::sample_blocks(graph, seeds, fanouts, replace, key); },
      to_objects);
}

Napi::Value full_block(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const int32_t first = info[1].As<Napi::Number>(), count = info[2].As<Napi::Number>();
  return PromiseWorker<gnn::BlockData>::start(
      info.Env(), {info[0]}, [&graph, first, count] { return gnn::full_block(graph, first, count); }, to_object);
}

void init(Napi::Env env, Napi::Object exports) {
  exports.Set("createGraph", Napi::Function::New(env, create_graph));
  exports.Set("sampleBlocks", Napi::Function::New(env, sample_blocks));
  exports.Set("fullBlock", Napi::Function::New(env, full_block));
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
