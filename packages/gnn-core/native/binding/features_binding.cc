#include "gnn/features/feature_view.h"

#include "arrays.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

struct FeaturesHandle {
  gnn::FeatureView view;
  Napi::ObjectReference arrays;
};

Napi::Value to_handle(Napi::Env env, gnn::FeatureView&& view, const Napi::Array& segments) {
  auto* handle = new FeaturesHandle{std::move(view), Napi::Persistent(segments.As<Napi::Object>())};
  return Napi::External<FeaturesHandle>::New(env, handle, [](Napi::Env, FeaturesHandle* owned) { delete owned; });
}

Napi::Value create_dense(const Napi::CallbackInfo& info) {
  gnn::FeatureView view{info[0].As<Napi::Number>(), info[1].As<Napi::Number>(), {}, {}};
  const auto segments = info[2].As<Napi::Array>();
  for (uint32_t s = 0; s < segments.Length(); ++s) {
    const auto segment = segments.Get(s).As<Napi::Object>();
    view.dense.push_back(
        {segment.Get("firstRow").As<Napi::Number>(), segment.Get("values").As<Napi::Float32Array>().Data()});
  }
  return to_handle(info.Env(), std::move(view), segments);
}

Napi::Value create_csr(const Napi::CallbackInfo& info) {
  gnn::FeatureView view{info[0].As<Napi::Number>(), info[1].As<Napi::Number>(), {}, {}};
  const auto segments = info[2].As<Napi::Array>();
  for (uint32_t s = 0; s < segments.Length(); ++s) {
    const auto segment = segments.Get(s).As<Napi::Object>();
    view.csr.push_back({segment.Get("firstRow").As<Napi::Number>(),
                        segment.Get("indptr").As<Napi::BigInt64Array>().Data(),
                        segment.Get("indices").As<Napi::Int32Array>().Data(),
                        segment.Get("values").As<Napi::Float32Array>().Data()});
  }
  return to_handle(info.Env(), std::move(view), segments);
}

const gnn::FeatureView& features_of(const Napi::Value& value) {
  return value.As<Napi::External<FeaturesHandle>>().Data()->view;
}

Napi::Value csr_to_object(Napi::Env env, gnn::CsrRows&& rows) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("indptr", to_recycled_array(env, std::move(rows.indptr)));
  object.Set("indices", to_recycled_array(env, std::move(rows.indices)));
  object.Set("values", to_recycled_array(env, std::move(rows.values)));
  return object;
}

template <auto Gather, auto Finish>
Napi::Value gather(const Napi::CallbackInfo& info) {
  const gnn::FeatureView& features = features_of(info[0]);
  const auto ids = to_vector<int32_t>(info[1]);
  return Finish(info.Env(), guarded(info.Env(), [&] { return Gather(features, ids); }));
}

template <auto Gather, auto Finish>
Napi::Value gather_async(const Napi::CallbackInfo& info) {
  const gnn::FeatureView& features = features_of(info[0]);
  const auto ids = to_vector<int32_t>(info[1]);
  return PromiseWorker<decltype(Gather(features, ids))>::start(
      info.Env(), {info[0]}, [&features, ids] { return Gather(features, ids); }, Finish);
}

void init(Napi::Env env, Napi::Object exports) {
  exports.Set("createDenseFeatures", Napi::Function::New(env, create_dense));
  exports.Set("createCsrFeatures", Napi::Function::New(env, create_csr));
  exports.Set("gatherDense", Napi::Function::New(env, gather<gnn::gather_dense, to_recycled_array<float>>));
  exports.Set("gatherDenseAsync", Napi::Function::New(env, gather_async<gnn::gather_dense, to_recycled_array<float>>));
  exports.Set("gatherCsr", Napi::Function::New(env, gather<gnn::gather_csr, csr_to_object>));
  exports.Set("gatherCsrAsync", Napi::Function::New(env, gather_async<gnn::gather_csr, csr_to_object>));
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
