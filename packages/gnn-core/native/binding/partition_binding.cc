#include "gnn/partition/partition.h"

#include "arrays.h"
#include "graph_handle.h"
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

Napi::Value metis_kway(const Napi::CallbackInfo& info) {
  const auto xadj = info[0].As<Napi::Int32Array>(), adjncy = info[1].As<Napi::Int32Array>(),
             weights = info[2].As<Napi::Int32Array>();
  const std::string objective = info[5].As<Napi::String>();
  const gnn::MetisOptions options{info[4].As<Napi::Number>(), info[3].As<Napi::Number>(), objective == "volume",
                                  info[6].As<Napi::Number>()};
  const auto num_nodes = static_cast<int32_t>(xadj.ElementLength()) - 1;
  if (weights.ElementLength() != static_cast<size_t>(num_nodes) * options.num_constraints) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "METIS needs one weight per node and balance constraint.");
  }
  const int32_t *xadj_data = xadj.Data(), *adjncy_data = adjncy.Data(), *weights_data = weights.Data();
  return PromiseWorker<std::vector<int32_t>>::start(
      info.Env(), {xadj, adjncy, weights},
      [=] { return gnn::metis_kway(xadj_data, adjncy_data, weights_data, num_nodes, options); },
      to_typed_array<int32_t>);
}

Napi::Value relabel_columns(const Napi::CallbackInfo& info) {
  const int64_t* indptr = info[0].As<Napi::BigInt64Array>().Data();
  const int32_t *indices = info[1].As<Napi::Int32Array>().Data(), *node_map = info[2].As<Napi::Int32Array>().Data(),
                *global_ids = info[3].As<Napi::Int32Array>().Data();
  const int64_t first = info[4].As<Napi::Number>(), count = info[5].As<Napi::Number>();
  return PromiseWorker<gnn::RelabelledColumns>::start(
      info.Env(), {info[0], info[1], info[2], info[3]},
      [=] { return gnn::relabel_columns(indptr, indices, node_map, global_ids, first, count); },
      [](Napi::Env env, gnn::RelabelledColumns&& columns) -> Napi::Value {
        Napi::Object object = Napi::Object::New(env);
        object.Set("indptr", to_typed_array(env, std::move(columns.indptr)));
        object.Set("indices", to_typed_array(env, std::move(columns.indices)));
        object.Set("edgeMap", to_typed_array(env, std::move(columns.edge_map)));
        return object;
      });
}

Napi::Value take_float32(const Napi::CallbackInfo& info) {
  const float* values = info[0].As<Napi::Float32Array>().Data();
  const auto rows = info[1].As<Napi::BigInt64Array>();
  const int64_t* rows_data = rows.Data();
  const size_t count = rows.ElementLength();
  return PromiseWorker<std::vector<float>>::start(
      info.Env(), {info[0], info[1]},
      [=] {
        std::vector<float> taken(count);
        for (size_t i = 0; i < count; ++i) taken[i] = values[rows_data[i]];
        return taken;
      },
      to_typed_array<float>);
}

Napi::Value measure_part(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[0]);
  const int32_t part = info[1].As<Napi::Number>(), hops = info[2].As<Napi::Number>();
  return PromiseWorker<gnn::PartMeasures>::start(
      info.Env(), {info[0]}, [&graph, part, hops] { return gnn::measure_part(graph, part, hops); },
      [](Napi::Env env, gnn::PartMeasures&& measures) -> Napi::Value {
        Napi::Array halo = Napi::Array::New(env, measures.halo_nodes.size());
        for (uint32_t hop = 0; hop < measures.halo_nodes.size(); ++hop) {
          halo.Set(hop, static_cast<double>(measures.halo_nodes[hop]));
        }
        Napi::Object object = Napi::Object::New(env);
        object.Set("cutEdges", static_cast<double>(measures.cut_edges));
        object.Set("haloNodes", halo);
        return object;
      });
}

void init(Napi::Env env, Napi::Object exports) {
  exports.Set("symmetrize", Napi::Function::New(env, symmetrize));
  exports.Set("metisKway", Napi::Function::New(env, metis_kway));
  exports.Set("relabelColumns", Napi::Function::New(env, relabel_columns));
  exports.Set("takeFloat32", Napi::Function::New(env, take_float32));
  exports.Set("measurePart", Napi::Function::New(env, measure_part));
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
