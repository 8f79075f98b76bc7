#include <algorithm>

#include "gnn/features/feature_view.h"
#include "gnn/features/transform_rows.h"

#include "arrays.h"
#include "export_kernel.h"
#include "features_handle.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

Napi::Value to_handle(Napi::Env env, gnn::FeatureView&& view, const Napi::Array& segments) {
  auto* handle = new FeaturesHandle{std::move(view), Napi::Persistent(segments.As<Napi::Object>())};
  return Napi::External<FeaturesHandle>::New(env, handle, [](Napi::Env, FeaturesHandle* owned) { delete owned; });
}

// The element type of a typed array that holds values or their codes.
gnn::FeatureDtype dtype_of(const Napi::TypedArray& values) {
  switch (values.TypedArrayType()) {
    case napi_uint16_array: return gnn::FeatureDtype::float16;
    case napi_int8_array: return gnn::FeatureDtype::int8;
    default: return gnn::FeatureDtype::float32;
  }
}

// Also of an array on a SharedArrayBuffer, as worker threads share them, which Napi::ArrayBuffer refuses.
const void* data_of(const Napi::TypedArray& values) {
  void* data = nullptr;
  if (napi_get_typedarray_info(values.Env(), values, nullptr, nullptr, &data, nullptr, nullptr) != napi_ok) {
    throw_gnn_error(values.Env(), "SHAPE_MISMATCH", "A feature segment is not a typed array.");
  }
  return data;
}

// (numRows, dim, segments, scale | null, offset | null): every segment has values of one element type.
gnn::FeatureView view_of(const Napi::CallbackInfo& info) {
  gnn::FeatureView view{info[0].As<Napi::Number>(), info[1].As<Napi::Number>(), gnn::FeatureDtype::float32,
                        {nullptr, nullptr}, {}, {}};
  if (!info[3].IsNull())
    view.columns = {info[3].As<Napi::Float32Array>().Data(), info[4].As<Napi::Float32Array>().Data()};
  return view;
}

// Keeps the segments and the scales alive.
Napi::Array kept(const Napi::CallbackInfo& info) {
  const auto all = Napi::Array::New(info.Env(), 3);
  for (uint32_t i = 0; i < 3; ++i) all.Set(i, info[i + 2]);
  return all;
}

Napi::Value create_dense(const Napi::CallbackInfo& info) {
  gnn::FeatureView view = view_of(info);
  const auto segments = info[2].As<Napi::Array>();
  for (uint32_t s = 0; s < segments.Length(); ++s) {
    const auto segment = segments.Get(s).As<Napi::Object>();
    const auto values = segment.Get("values").As<Napi::TypedArray>();
    view.dtype = dtype_of(values);
    view.dense.push_back({segment.Get("firstRow").As<Napi::Number>(), data_of(values)});
  }
  return to_handle(info.Env(), std::move(view), kept(info));
}

Napi::Value create_csr(const Napi::CallbackInfo& info) {
  gnn::FeatureView view = view_of(info);
  const auto segments = info[2].As<Napi::Array>();
  for (uint32_t s = 0; s < segments.Length(); ++s) {
    const auto segment = segments.Get(s).As<Napi::Object>();
    const auto values = segment.Get("values").As<Napi::TypedArray>();
    view.dtype = dtype_of(values);
    const auto indptr = segment.Get("indptr").As<Napi::BigInt64Array>();
    const auto indices = segment.Get("indices").As<Napi::Int32Array>();
    view.csr.push_back({segment.Get("firstRow").As<Napi::Number>(), indptr.Data(), indices.Data(), data_of(values),
                        static_cast<int64_t>(indptr.ElementLength()) - 1,
                        static_cast<int64_t>(std::min(indices.ElementLength(), values.ElementLength()))});
  }
  return to_handle(info.Env(), std::move(view), kept(info));
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

template <typename Array>
auto* data_at(const Napi::CallbackInfo& info, size_t i) {
  return info[i].As<Array>().Data();
}

int64_t length_at(const Napi::CallbackInfo& info, size_t i) {
  return static_cast<int64_t>(info[i].As<Napi::TypedArray>().ElementLength());
}

gnn::ColumnScale columns_at(const Napi::CallbackInfo& info, size_t i) {
  return {data_at<Napi::Float32Array>(info, i), data_at<Napi::Float32Array>(info, i + 1)};
}

Napi::Value encode_half(const Napi::CallbackInfo& info) {
  const int64_t bad = gnn::encode_half(data_at<Napi::Float32Array>(info, 0), length_at(info, 0),
                                       data_at<Napi::Uint16Array>(info, 1));
  return Napi::Number::New(info.Env(), static_cast<double>(bad));
}

void encode_int8(const Napi::CallbackInfo& info) {
  const gnn::ColumnScale columns = columns_at(info, 2);
  const float* values = data_at<Napi::Float32Array>(info, 0);
  int8_t* codes = data_at<Napi::Int8Array>(info, 4);
  const int64_t dim = length_at(info, 2);
  if (info[1].IsNull()) return gnn::encode_int8(values, dim == 0 ? 0 : length_at(info, 0) / dim, dim, columns, codes);
  gnn::encode_int8_at(values, data_at<Napi::Int32Array>(info, 1), length_at(info, 0), columns, codes);
}

Napi::Value widen_ranges(const Napi::CallbackInfo& info) {
  const float* values = data_at<Napi::Float32Array>(info, 0);
  float *low = data_at<Napi::Float32Array>(info, 2), *high = data_at<Napi::Float32Array>(info, 3);
  const int64_t dim = length_at(info, 2), count = length_at(info, 0);
  const int64_t bad = info[1].IsNull()
                          ? gnn::widen_ranges(values, dim == 0 ? 0 : count / dim, dim, low, high)
                          : gnn::widen_ranges_at(values, data_at<Napi::Int32Array>(info, 1), count, low, high);
  return Napi::Number::New(info.Env(), static_cast<double>(bad));
}

// (numRows, dim, indptr | null, indices | null, values, mean | null, scale | null): with mean and scale standardize.
std::function<bool()> transform_of(const Napi::CallbackInfo& info) {
  const bool sparse = !info[2].IsNull();
  const gnn::RowsView rows{info[0].As<Napi::Number>(), info[1].As<Napi::Number>(),
                           sparse ? data_at<Napi::Int32Array>(info, 2) : nullptr,
                           sparse ? data_at<Napi::Int32Array>(info, 3) : nullptr, data_at<Napi::Float32Array>(info, 4)};
  if (info[5].IsNull()) {
    return [rows] {
      gnn::row_normalize(rows);
      return true;
    };
  }
  const float *mean = data_at<Napi::Float32Array>(info, 5), *scale = data_at<Napi::Float32Array>(info, 6);
  return [rows, mean, scale] {
    gnn::standardize(rows, mean, scale);
    return true;
  };
}

void transform_rows(const Napi::CallbackInfo& info) { transform_of(info)(); }

Napi::Value transform_rows_async(const Napi::CallbackInfo& info) {
  return PromiseWorker<bool>::start(info.Env(), {info[2], info[3], info[4], info[5], info[6]}, transform_of(info),
                                    [](Napi::Env env, bool) { return env.Undefined(); });
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<create_dense>(env, exports,
      "createDenseFeatures(numRows: number, dim: number, segments: readonly DenseSegment[], "
      "scale: Float32Array | null, offset: Float32Array | null)");
  export_function<create_csr>(env, exports,
      "createCsrFeatures(numRows: number, dim: number, segments: readonly CsrSegment[], "
      "scale: Float32Array | null, offset: Float32Array | null)");
  export_function<gather<gnn::gather_dense, to_recycled_array<float>>>(env, exports,
      "gatherDense(features: FeaturesHandle, ids: Int32Array)");
  export_function<gather_async<gnn::gather_dense, to_recycled_array<float>>>(env, exports,
      "gatherDenseAsync(features: FeaturesHandle, ids: Int32Array)");
  export_function<gather<gnn::gather_csr, csr_to_object>>(env, exports,
      "gatherCsr(features: FeaturesHandle, ids: Int32Array)");
  export_function<gather_async<gnn::gather_csr, csr_to_object>>(env, exports,
      "gatherCsrAsync(features: FeaturesHandle, ids: Int32Array)");
  export_function<transform_rows>(env, exports,
      "transformRows(numRows: number, dim: number, indptr: Int32Array | null, indices: Int32Array | null, "
      "values: Float32Array, mean: Float32Array | null, scale: Float32Array | null)");
  export_function<transform_rows_async>(env, exports,
      "transformRowsAsync(numRows: number, dim: number, indptr: Int32Array | null, "
      "indices: Int32Array | null, values: Float32Array, mean: Float32Array | null, "
      "scale: Float32Array | null)");
  export_function<encode_half>(env, exports, "encodeHalf(values: Float32Array, codes: Uint16Array)");
  export_function<encode_int8>(env, exports,
      "encodeInt8(values: Float32Array, indices: Int32Array | null, scale: Float32Array, "
      "offset: Float32Array, codes: Int8Array)");
  export_function<widen_ranges>(env, exports,
      "widenRanges(values: Float32Array, indices: Int32Array | null, low: Float32Array, "
      "high: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
