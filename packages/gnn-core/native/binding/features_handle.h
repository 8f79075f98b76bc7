#pragma once
// The native view of a feature store and the JavaScript arrays it borrows from.
#include <napi.h>

#include "gnn/features/feature_view.h"

namespace hopwise {

struct FeaturesHandle {
  gnn::FeatureView view;
  Napi::ObjectReference arrays;
};

inline const gnn::FeatureView& features_of(const Napi::Value& value) {
  return value.As<Napi::External<FeaturesHandle>>().Data()->view;
}

}  // namespace hopwise
