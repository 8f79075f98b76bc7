#pragma once
// The native view of a CscGraph and the JavaScript arrays it borrows from.
#include <napi.h>

#include "gnn/graph/graph_view.h"

namespace hopwise {

struct GraphHandle {
  gnn::GraphView view;
  Napi::ObjectReference arrays;
};

inline const gnn::GraphView& graph_of(const Napi::Value& value) {
  return value.As<Napi::External<GraphHandle>>().Data()->view;
}

}  // namespace hopwise
