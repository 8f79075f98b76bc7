#pragma once
// Graph parts {firstNode, numNodes, indptr, indices, weights | null, types? | null} of JavaScript, borrowed.
#include <napi.h>

#include <string>
#include <vector>

#include "gnn/error.h"
#include "gnn/graph/graph_view.h"

namespace hopwise {

// Null for a graph without weights; those of a part without edges are not null, though they have no memory.
inline const float* weights_of(const Napi::Value& weights) {
  static constexpr float kNone = 0.0f;
  if (!weights.IsTypedArray()) return nullptr;
  const auto array = weights.As<Napi::Float32Array>();
  return array.ElementLength() > 0 ? array.Data() : &kNone;
}

// Null for a graph of one relation; as above for a part without edges.
inline const int32_t* types_of(const Napi::Value& types) {
  static constexpr int32_t kNone = 0;
  if (!types.IsTypedArray()) return nullptr;
  const auto array = types.As<Napi::Int32Array>();
  return array.ElementLength() > 0 ? array.Data() : &kNone;
}

inline gnn::PartView part_of(const Napi::Object& part) {
  const auto indptr = part.Get("indptr").As<Napi::BigInt64Array>();
  const auto indices = part.Get("indices").As<Napi::Int32Array>();
  const Napi::Value weights = part.Get("weights"), types = part.Get("types");
  const gnn::PartView view{
      part.Get("firstNode").As<Napi::Number>(), part.Get("numNodes").As<Napi::Number>(), indptr.Data(), indices.Data(),
      weights_of(weights), static_cast<int64_t>(indices.ElementLength()), types_of(types)};
  if (view.num_nodes < 0 || indptr.ElementLength() != static_cast<size_t>(view.num_nodes) + 1 || view.indptr[0] != 0 ||
      view.indptr[view.num_nodes] != view.num_edges ||
      (view.weights && weights.As<Napi::Float32Array>().ElementLength() != indices.ElementLength()) ||
      (view.types && types.As<Napi::Int32Array>().ElementLength() != indices.ElementLength())) {
    throw gnn::Error("SHAPE_MISMATCH", "The arrays of the graph part at node " + std::to_string(view.first_node) +
                                           " do not fit its number of nodes and edges.");
  }
  return view;
}

inline std::vector<gnn::PartView> parts_of(const Napi::Value& value) {
  const auto parts = value.As<Napi::Array>();
  std::vector<gnn::PartView> views;
  for (uint32_t p = 0; p < parts.Length(); ++p) views.push_back(part_of(parts.Get(p).As<Napi::Object>()));
  return views;
}

}  // namespace hopwise
