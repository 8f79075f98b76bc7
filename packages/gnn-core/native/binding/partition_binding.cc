#include <algorithm>

#include "gnn/partition/metis.h"
#include "gnn/partition/partition.h"
#include "gnn/partition/streaming.h"

#include "arrays.h"
#include "export_kernel.h"
#include "graph_handle.h"
#include "part_views.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

Napi::Value symmetrize(const Napi::CallbackInfo& info) {
  const auto indptr = info[0].As<Napi::BigInt64Array>();
  const auto indices = info[1].As<Napi::Int32Array>();
  const int64_t* indptr_data = indptr.Data();
  const int32_t* indices_data = indices.Data();
  const auto num_nodes = static_cast<int32_t>(indptr.ElementLength()) - 1;
  return PromiseWorker<gnn::Adjacency>::start(
      info.Env(), {indptr, indices}, [=] { return gnn::symmetrize(indptr_data, indices_data, num_nodes); },
      [](Napi::Env env, gnn::Adjacency&& graph) -> Napi::Value {
        Napi::Object object = Napi::Object::New(env);
        object.Set("xadj", to_typed_array(env, std::move(graph.xadj)));
        object.Set("adjncy", to_typed_array(env, std::move(graph.adjncy)));
        return object;
      });
}

Napi::Value metis_partition(const Napi::CallbackInfo& info) {
  const auto xadj = info[0].As<Napi::Int32Array>(), adjncy = info[1].As<Napi::Int32Array>(),
             weights = info[2].As<Napi::Int32Array>();
  const gnn::MetisOptions options{.num_parts = info[4].As<Napi::Number>(),
                                  .num_constraints = info[3].As<Napi::Number>(),
                                  .recursive = info[5].As<Napi::Boolean>(),
                                  .minimize_volume = info[6].As<Napi::Boolean>(),
                                  .seed = info[7].As<Napi::Number>()};
  const auto num_nodes = static_cast<int32_t>(xadj.ElementLength()) - 1;
  if (weights.ElementLength() != static_cast<size_t>(num_nodes) * options.num_constraints) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "METIS needs one weight per node and balance constraint.");
  }
  const int32_t *xadj_data = xadj.Data(), *adjncy_data = adjncy.Data(), *weights_data = weights.Data();
  return PromiseWorker<std::vector<int32_t>>::start(
      info.Env(), {xadj, adjncy, weights},
      [=] { return gnn::metis_partition(xadj_data, adjncy_data, weights_data, num_nodes, options); },
      to_typed_array<int32_t>);
}

// Writes into the assignment and the loads that it is given: the caller leaves them alone until the promise settles.
Napi::Value stream_nodes(const Napi::CallbackInfo& info) {
  const auto indptr = info[0].As<Napi::BigInt64Array>();
  const auto indices = info[1].As<Napi::Int32Array>(), weights = info[2].As<Napi::Int32Array>();
  const auto totals = info[3].As<Napi::Float64Array>();
  auto assignment = info[5].As<Napi::Int32Array>();
  auto loads = info[6].As<Napi::Float64Array>();
  const auto num_nodes = static_cast<int32_t>(indptr.ElementLength()) - 1;
  const gnn::StreamedGraph graph{indptr.Data(), indices.Data(), num_nodes};
  const gnn::StreamingOptions options{.num_parts = info[4].As<Napi::Number>(),
                                      .num_constraints = static_cast<int32_t>(totals.ElementLength()),
                                      .node_weights = weights.Data(),
                                      .totals = totals.Data(),
                                      .tolerance = info[9].As<Napi::Number>(),
                                      .seed = info[10].As<Napi::Number>()};
  const size_t constraints = options.num_constraints;
  if (weights.ElementLength() != constraints * num_nodes ||
      assignment.ElementLength() != static_cast<size_t>(num_nodes) ||
      loads.ElementLength() != constraints * options.num_parts) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH",
                    "Streaming needs one weight per node and constraint, and one load per part and constraint.");
  }
  const int64_t first = info[7].As<Napi::Number>(), count = info[8].As<Napi::Number>();
  int32_t* assignment_data = assignment.Data();
  double* loads_data = loads.Data();
  return PromiseWorker<int64_t>::start(
      info.Env(), {indptr, indices, weights, totals, assignment, loads},
      [=] {
        return gnn::stream_nodes(graph, options, static_cast<int32_t>(first), static_cast<int32_t>(count),
                                 {.assignment = assignment_data, .loads = loads_data});
      },
      [](Napi::Env env, int64_t&& moved) -> Napi::Value { return Napi::Number::New(env, static_cast<double>(moved)); });
}

Napi::Value relabel_columns(const Napi::CallbackInfo& info) {
  const gnn::RelabelColumns columns{.indptr = info[0].As<Napi::BigInt64Array>().Data(),
                                    .indices = info[1].As<Napi::Int32Array>().Data(),
                                    .node_map = info[2].As<Napi::Int32Array>().Data(),
                                    .global_ids = info[3].As<Napi::Int32Array>().Data(),
                                    .first = info[4].As<Napi::Number>(),
                                    .count = info[5].As<Napi::Number>(),
                                    .types = types_of(info[6])};
  return PromiseWorker<gnn::RelabelledColumns>::start(
      info.Env(), {info[0], info[1], info[2], info[3], info[6]},
      [=] { return gnn::relabel_columns(columns); },
      [](Napi::Env env, gnn::RelabelledColumns&& columns) -> Napi::Value {
        Napi::Object object = Napi::Object::New(env);
        object.Set("indptr", to_typed_array(env, std::move(columns.indptr)));
        object.Set("indices", to_typed_array(env, std::move(columns.indices)));
        object.Set("edgeMap", to_typed_array(env, std::move(columns.edge_map)));
        return object;
      });
}

// Rows of 4-byte values, whatever they stand for: int32 and float32 arrays alike.
Napi::Value take_rows(const Napi::CallbackInfo& info) {
  const auto values = info[0].As<Napi::TypedArray>();
  const auto rows = info[2].As<Napi::BigInt64Array>();
  const auto* data = reinterpret_cast<const uint32_t*>(static_cast<const char*>(values.ArrayBuffer().Data()) +
                                                       values.ByteOffset());
  const size_t width = info[1].As<Napi::Number>().Uint32Value(), count = rows.ElementLength();
  const int64_t* rows_data = rows.Data();
  const bool floats = values.TypedArrayType() == napi_float32_array;
  return PromiseWorker<std::vector<uint32_t>>::start(
      info.Env(), {values, rows},
      [=] {
        std::vector<uint32_t> taken(count * width);
        for (size_t i = 0; i < count; ++i) {
          std::copy_n(data + static_cast<size_t>(rows_data[i]) * width, width, taken.begin() + i * width);
        }
        return taken;
      },
      [floats](Napi::Env env, std::vector<uint32_t>&& taken) -> Napi::Value {
        const size_t length = taken.size();
        const auto buffer = array_over<uint32_t>(env, std::move(taken)).As<Napi::Uint32Array>().ArrayBuffer();
        if (floats) return Napi::Float32Array::New(env, length, buffer, 0);
        return Napi::Int32Array::New(env, length, buffer, 0);
      });
}

Napi::Array objects_of(Napi::Env env, const std::vector<gnn::TypeMeasures>& types) {
  Napi::Array array = Napi::Array::New(env, types.size());
  for (uint32_t type = 0; type < types.size(); ++type) {
    Napi::Object object = Napi::Object::New(env);
    object.Set("nodes", static_cast<double>(types[type].nodes));
    object.Set("edges", static_cast<double>(types[type].edges));
    object.Set("haloNodes", static_cast<double>(types[type].halo_nodes));
    array.Set(type, object);
  }
  return array;
}

Napi::Value measure_part(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const int32_t part = info[1].As<Napi::Number>(), hops = info[2].As<Napi::Number>();
  const gnn::NodeTypes types{.codes = types_of(info[3]), .num_types = info[4].As<Napi::Number>()};
  return PromiseWorker<gnn::PartMeasures>::start(
      info.Env(), {info[0], info[3]},
      [&graph, part, hops, types] { return gnn::measure_part(graph, part, hops, types); },
      [](Napi::Env env, gnn::PartMeasures&& measures) -> Napi::Value {
        Napi::Array halo = Napi::Array::New(env, measures.halo_nodes.size());
        for (uint32_t hop = 0; hop < measures.halo_nodes.size(); ++hop) {
          halo.Set(hop, static_cast<double>(measures.halo_nodes[hop]));
        }
        Napi::Object object = Napi::Object::New(env);
        object.Set("cutEdges", static_cast<double>(measures.cut_edges));
        object.Set("haloNodes", halo);
        object.Set("types", objects_of(env, measures.types));
        return object;
      });
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<symmetrize>(env, exports, "symmetrize(indptr: BigInt64Array, indices: Int32Array)");
  export_function<metis_partition>(env, exports,
      "metisPartition(xadj: Int32Array, adjncy: Int32Array, nodeWeights: Int32Array, "
      "numConstraints: number, numParts: number, recursive: boolean, minimizeVolume: boolean, "
      "seed: number)");
  export_function<stream_nodes>(env, exports,
      "streamNodes(indptr: BigInt64Array, indices: Int32Array, nodeWeights: Int32Array, "
      "totals: Float64Array, numParts: number, assignment: Int32Array, loads: Float64Array, "
      "firstNode: number, count: number, tolerance: number, seed: number)");
  export_function<relabel_columns>(env, exports,
      "relabelColumns(indptr: BigInt64Array, indices: Int32Array, nodeMap: Int32Array, "
      "globalIds: Int32Array, first: number, count: number, types: Int32Array | null)");
  export_function<take_rows>(env, exports,
      "takeRows(values: Float32Array | Int32Array, width: number, rows: BigInt64Array)");
  export_function<measure_part>(env, exports, 
      "measurePart(graph: GraphHandle, part: number, hops: number, types: Int32Array | null, numTypes: number)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
