#include "gnn/graph/message_graph.h"
#include "gnn/sampling/labor.h"
#include "gnn/sampling/layer_wise.h"
#include "gnn/sampling/edge_block.h"
#include "gnn/sampling/edges_left.h"
#include "gnn/sampling/reverse_edges.h"
#include "gnn/sampling/sample_blocks.h"
#include "gnn/sampling/hg_sampling.h"
#include "gnn/sampling/sample_hop.h"
#include "gnn/sampling/sample_relations.h"
#include "gnn/sampling/weighted_blocks.h"

#include "arrays.h"
#include "export_kernel.h"
#include "graph_handle.h"
#include "part_views.h"
#include "promise_worker.h"

namespace hopwise {

namespace {

// numNodes, parts, whether they are all
Napi::Value create_graph(const Napi::CallbackInfo& info) {
  const auto holds = info[2].As<Napi::Boolean>() ? gnn::GraphView::Holds::all : gnn::GraphView::Holds::some;
  auto* handle = guarded(info.Env(), [&] {
    return new GraphHandle{gnn::GraphView(info[0].As<Napi::Number>(), parts_of(info[1]), holds),
                           Napi::Persistent(info[1].As<Napi::Object>())};
  });
  return Napi::External<GraphHandle>::New(info.Env(), handle, [](Napi::Env, GraphHandle* owned) { delete owned; });
}

// graph
Napi::Value require_valid_graph(const Napi::CallbackInfo& info) {
  return PromiseWorker<bool>::start(
      info.Env(), {info[0]},
      [&graph = graph_of(info[0])] {
        graph.require_valid();
        return true;
      },
      [](Napi::Env env, bool) { return env.Undefined(); });
}

Napi::Value to_object(Napi::Env env, gnn::BlockData&& block) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("device", "cpu");
  object.Set("numSrc", block.num_src);
  object.Set("numDst", block.num_dst);
  object.Set("indptr", to_recycled_array(env, std::move(block.indptr)));
  object.Set("indices", to_recycled_array(env, std::move(block.indices)));
  object.Set("srcIds", to_recycled_array(env, std::move(block.src_ids)));
  object.Set("weights", block.weighted ? to_recycled_array(env, std::move(block.weights)) : env.Null());
  if (block.typed) object.Set("types", to_recycled_array(env, std::move(block.types)));
  if (block.has_importance) {
    Napi::Object importance = Napi::Object::New(env);
    importance.Set("sum", to_recycled_array(env, std::move(block.importance_sum)));
    importance.Set("mean", to_recycled_array(env, std::move(block.importance_mean)));
    object.Set("importance", importance);
  }
  return object;
}

Napi::Value to_objects(Napi::Env env, std::vector<gnn::BlockData>&& blocks) {
  Napi::Array array = Napi::Array::New(env, blocks.size());
  for (uint32_t i = 0; i < blocks.size(); ++i) array.Set(i, to_object(env, std::move(blocks[i])));
  return array;
}

uint64_t number(const Napi::CallbackInfo& info, size_t i) {
  return static_cast<uint64_t>(info[i].As<Napi::Number>().Int64Value());
}

// Every sampler's last arguments are seed, epoch and step.
gnn::SampleKey key_of(const Napi::CallbackInfo& info) {
  const size_t end = info.Length();
  return {number(info, end - 3), number(info, end - 2), number(info, end - 1)};
}

bool flag(const Napi::CallbackInfo& info, size_t i) { return info[i].As<Napi::Boolean>(); }

template <typename Work>
Napi::Value start_sampling(const Napi::CallbackInfo& info, Work work) {
  return PromiseWorker<std::vector<gnn::BlockData>>::start(info.Env(), {info[0], info[1]}, std::move(work), to_objects);
}

// graph, seeds, fanouts, replace, key
Napi::Value sample_blocks(const Napi::CallbackInfo& info) {
  return start_sampling(info, [&graph = graph_of(info[0]), seeds = to_vector<int32_t>(info[1]),
                               fanouts = to_vector<int32_t>(info[2]), replace = flag(info, 3), key = key_of(info)] {
    return gnn::sample_blocks(graph, seeds, fanouts, replace, key);
  });
}

// graph, seeds, fanouts, numRelations, replace, key
Napi::Value sample_relation_blocks(const Napi::CallbackInfo& info) {
  const gnn::RelationFanouts fanouts{to_vector<int32_t>(info[2]), static_cast<int32_t>(info[3].As<Napi::Number>())};
  return start_sampling(info, [&graph = graph_of(info[0]), seeds = to_vector<int32_t>(info[1]), fanouts,
                               replace = flag(info, 4), key = key_of(info)] {
    return gnn::sample_relation_blocks(graph, seeds, fanouts, replace, key);
  });
}

// graph, nodes
Napi::Value foreign_nodes(const Napi::CallbackInfo& info) {
  const auto nodes = info[1].As<Napi::Int32Array>();
  return to_typed_array(info.Env(), guarded(info.Env(), [&] {
    return gnn::foreign_nodes(graph_of(info[0]), nodes.Data(), static_cast<int64_t>(nodes.ElementLength()));
  }));
}

// graph, nodes, fanout, replace, ofRelations | null, indptr, entries, values | null, types | null, hop, key
Napi::Value sample_hop(const Napi::CallbackInfo& info) {
  const auto indptr = info[5].As<Napi::Int32Array>();
  const gnn::ForeignDraws foreign{indptr.Data(), static_cast<int64_t>(indptr.ElementLength()) - 1,
                                  info[6].As<Napi::Int32Array>().Data(), weights_of(info[7]), types_of(info[8])};
  const gnn::HopDraw draw{info[2].As<Napi::Number>(), flag(info, 3), gnn::hop_stream(key_of(info), number(info, 9)),
                          info[4].IsNull() ? std::vector<int32_t>{} : to_vector<int32_t>(info[4])};
  return PromiseWorker<gnn::BlockData>::start(
      info.Env(), {info[0], info[5], info[6], info[7], info[8]},
      [&graph = graph_of(info[0]), nodes = to_vector<int32_t>(info[1]), draw, foreign] {
        return gnn::sample_hop(graph, nodes, draw, foreign);
      },
      to_object);
}

// graph, seeds, fanouts, replace, importance, key
Napi::Value sample_weighted_blocks(const Napi::CallbackInfo& info) {
  const gnn::WeightedOptions options{to_vector<int32_t>(info[2]), flag(info, 3), flag(info, 4)};
  return start_sampling(info, [&graph = graph_of(info[0]), seeds = to_vector<int32_t>(info[1]), options,
                               key = key_of(info)] { return gnn::sample_weighted_blocks(graph, seeds, options, key); });
}

// graph, seeds, fanouts, iterations, oneDrawForAllHops, fixedSize, normalise, key
Napi::Value sample_labor_blocks(const Napi::CallbackInfo& info) {
  const gnn::LaborOptions options{to_vector<int32_t>(info[2]), info[3].As<Napi::Number>(), flag(info, 4), flag(info, 5),
                                  flag(info, 6)};
  return start_sampling(info, [&graph = graph_of(info[0]), seeds = to_vector<int32_t>(info[1]), options,
                               key = key_of(info)] { return gnn::sample_labor_blocks(graph, seeds, options, key); });
}

// graph, distribution, seeds, layerSizes, normalise, key
Napi::Value sample_fastgcn_blocks(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const auto distribution = info[1].As<Napi::Float64Array>();
  if (distribution.ElementLength() != static_cast<size_t>(graph.num_nodes())) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "The distribution has not one entry per node of the graph.");
  }
  const gnn::FastGcnOptions options{to_vector<int32_t>(info[3]), flag(info, 4)};
  return start_sampling(info, [&graph, prefix = static_cast<const double*>(distribution.Data()),
                               seeds = to_vector<int32_t>(info[2]), options, key = key_of(info)] {
    return gnn::sample_fastgcn_blocks(graph, prefix, seeds, options, key);
  });
}

// graph, seeds, layerSizes, replace, normalise, key
Napi::Value sample_ladies_blocks(const Napi::CallbackInfo& info) {
  const gnn::LadiesOptions options{to_vector<int32_t>(info[2]), flag(info, 3), flag(info, 4)};
  return start_sampling(info, [&graph = graph_of(info[0]), seeds = to_vector<int32_t>(info[1]), options,
                               key = key_of(info)] { return gnn::sample_ladies_blocks(graph, seeds, options, key); });
}

// graph, nodeTypes | null, numTypes, seeds, perType, key
Napi::Value sample_hg_blocks(const Napi::CallbackInfo& info) {
  const int32_t* codes = types_of(info[1]);
  const auto num_codes = codes ? static_cast<int64_t>(info[1].As<Napi::Int32Array>().ElementLength()) : 0;
  const gnn::TypesOfNodes types{codes, info[2].As<Napi::Number>(), num_codes};
  return start_sampling(info, [&graph = graph_of(info[0]), types, seeds = to_vector<int32_t>(info[3]),
                               per_type = to_vector<int32_t>(info[4]), key = key_of(info)] {
    return gnn::sample_hg_blocks(graph, types, seeds, per_type, key);
  });
}

Napi::Value fastgcn_distribution(const Napi::CallbackInfo& info) {
  return PromiseWorker<std::vector<double>>::start(
      info.Env(), {info[0]}, [&graph = graph_of(info[0])] { return gnn::fastgcn_distribution(graph); },
      [](Napi::Env env, std::vector<double>&& prefix) { return to_typed_array(env, std::move(prefix)); });
}

Napi::Value to_parts(Napi::Env env, gnn::MessageGraph&& graph) {
  std::vector<gnn::MessagePart>& parts = graph.parts;
  Napi::Array array = Napi::Array::New(env, parts.size());
  for (uint32_t p = 0; p < parts.size(); ++p) {
    Napi::Object object = Napi::Object::New(env);
    object.Set("indptr", to_typed_array(env, std::move(parts[p].indptr)));
    object.Set("indices", to_typed_array(env, std::move(parts[p].indices)));
    object.Set("weights", graph.weighted ? to_typed_array(env, std::move(parts[p].weights)) : env.Null());
    array.Set(p, object);
  }
  return array;
}

// graph, both
Napi::Value message_graph(const Napi::CallbackInfo& info) {
  return PromiseWorker<gnn::MessageGraph>::start(
      info.Env(), {info[0]},
      [&graph = graph_of(info[0]), both = flag(info, 1)] {
        return both ? gnn::bidirected_graph(graph) : gnn::reverse_graph(graph);
      },
      to_parts);
}

Napi::Value full_block(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const int32_t first = info[1].As<Napi::Number>(), count = info[2].As<Napi::Number>();
  return PromiseWorker<gnn::BlockData>::start(
      info.Env(), {info[0]}, [&graph, first, count] { return gnn::full_block(graph, first, count); }, to_object);
}

Napi::Value edge_block(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const int32_t first = info[1].As<Napi::Number>(), count = info[2].As<Napi::Number>();
  return PromiseWorker<gnn::BlockData>::start(
      info.Env(), {info[0]}, [&graph, first, count] { return gnn::edge_block(graph, first, count); }, to_object);
}

Napi::Value reverse_edges(Arguments& arguments) {
  gnn::ReverseEdges reverse = gnn::reverse_edges(arguments.block(true));
  Napi::Object object = Napi::Object::New(arguments.env());
  object.Set("indptr", to_recycled_array(arguments.env(), std::move(reverse.indptr)));
  object.Set("indices", to_recycled_array(arguments.env(), std::move(reverse.indices)));
  object.Set("edges", to_recycled_array(arguments.env(), std::move(reverse.edges)));
  return object;
}

// Null where all edges are left.
Napi::Value edges_left(Arguments& arguments) {
  constexpr int64_t kAnyNode = int64_t{1} << 31;
  const gnn::BlockView block = arguments.block(true);
  const int32_t* src_ids = arguments.ints("srcIds", block.num_src);
  const int64_t count = arguments.length_of_next();
  const int32_t* src = arguments.ids("src", count, kAnyNode);
  gnn::EdgesLeft left = gnn::edges_left(block, src_ids, {count, src, arguments.ids("dst", count, kAnyNode)});
  const Napi::Env env = arguments.env();
  if (left.indptr.empty()) return env.Null();
  Napi::Object object = Napi::Object::New(env);
  object.Set("indptr", to_recycled_array(env, std::move(left.indptr)));
  object.Set("indices", to_recycled_array(env, std::move(left.indices)));
  object.Set("kept", to_recycled_array(env, std::move(left.kept)));
  return object;
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<edges_left>(env, exports,
      "edgesLeft(block: NativeBlock, srcIds: Int32Array, src: Int32Array, dst: Int32Array)");
  export_kernel<reverse_edges>(env, exports, "reverseEdges(block: NativeBlock)");
  export_function<create_graph>(env, exports,
      "createGraph(numNodes: number, parts: readonly GraphHandlePart[], isWhole: boolean)");
  export_function<require_valid_graph>(env, exports, "requireValidGraph(graph: GraphHandle)");
  export_function<sample_blocks>(env, exports,
      "sampleBlocks(graph: GraphHandle, seeds: Int32Array, fanouts: Int32Array, replace: boolean, "
      "seed: number, epoch: number, step: number)");
  export_function<sample_relation_blocks>(env, exports,
      "sampleRelationBlocks(graph: GraphHandle, seeds: Int32Array, fanouts: Int32Array, numRelations: number, "
      "replace: boolean, seed: number, epoch: number, step: number)");
  export_function<foreign_nodes>(env, exports, "foreignNodes(graph: GraphHandle, nodes: Int32Array)");
  export_function<sample_hop>(env, exports,
      "sampleHop(graph: GraphHandle, nodes: Int32Array, fanout: number, replace: boolean, "
      "ofRelations: Int32Array | null, indptr: Int32Array, entries: Int32Array, values: Float32Array | null, "
      "types: Int32Array | null, "
      "hop: number, seed: number, epoch: number, step: number)");
  export_function<sample_weighted_blocks>(env, exports,
      "sampleWeightedBlocks(graph: GraphHandle, seeds: Int32Array, fanouts: Int32Array, replace: boolean, "
      "importance: boolean, seed: number, epoch: number, step: number)");
  export_function<sample_labor_blocks>(env, exports,
      "sampleLaborBlocks(graph: GraphHandle, seeds: Int32Array, fanouts: Int32Array, iterations: number, "
      "oneDrawForAllHops: boolean, fixedSize: boolean, normalise: boolean, seed: number, epoch: number, "
      "step: number)");
  export_function<sample_fastgcn_blocks>(env, exports,
      "sampleFastgcnBlocks(graph: GraphHandle, distribution: Float64Array, seeds: Int32Array, "
      "layerSizes: Int32Array, normalise: boolean, seed: number, epoch: number, step: number)");
  export_function<sample_ladies_blocks>(env, exports,
      "sampleLadiesBlocks(graph: GraphHandle, seeds: Int32Array, layerSizes: Int32Array, "
      "replace: boolean, normalise: boolean, seed: number, epoch: number, step: number)");
  export_function<sample_hg_blocks>(env, exports,
      "sampleHgBlocks(graph: GraphHandle, nodeTypes: Int32Array | null, numTypes: number, seeds: Int32Array, "
      "perType: Int32Array, seed: number, epoch: number, step: number)");
  export_function<fastgcn_distribution>(env, exports, "fastgcnDistribution(graph: GraphHandle)");
  export_function<message_graph>(env, exports, "messageGraph(graph: GraphHandle, both: boolean)");
  export_function<full_block>(env, exports, "fullBlock(graph: GraphHandle, firstNode: number, numNodes: number)");
  export_function<edge_block>(env, exports, "edgeBlock(graph: GraphHandle, firstNode: number, numNodes: number)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
