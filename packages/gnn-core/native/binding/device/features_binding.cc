// Feature matrices for kernels of the device: in its memory, with the host, or some rows here and some there.
#include <vector>

#include "../export_kernel.h"
#include "device_features.h"
#include "gnn/cuda/features/transform_rows.h"

namespace hopwise {
namespace {

using gnn::device::ReadableMemory;

// All rows one behind the other.
void put_on_device(DeviceFeatures& features, const std::vector<HostBytes>& segments) {
  const size_t bytes = static_cast<size_t>(features.view.num_rows) * row_bytes(features.view);
  features.values = std::make_unique<DeviceBytes>(stream(), static_cast<int64_t>(bytes));
  size_t at = 0;
  for (const auto& [data, count] : segments) {
    device().staging.upload(features.values->data() + at, data, count, stream());
    at += count;
  }
  features.view.values = features.values->data();
}

void pin(DeviceFeatures& features, const std::vector<HostBytes>& segments) {
  std::vector<gnn::cuda::RowsAt> rows;
  int64_t first_row = 0;
  for (const auto& [data, count] : segments) {
    const auto& pinned = features.pinned.emplace_back(std::make_unique<ReadableMemory>(data, count));
    if (count == 0) continue;
    rows.push_back({first_row, pinned->address()});
    first_row += static_cast<int64_t>(count / row_bytes(features.view));
  }
  put_elsewhere(features, rows);
}

// Copies these rows to the device, which reads them itself.
void cache_rows(Napi::Env env, DeviceFeatures& features, const Napi::Int32Array& cached) {
  const auto count = static_cast<int64_t>(cached.ElementLength());
  if (count == 0) return;
  const auto ids = uploaded(cached.Data(), count);
  if (ids->lowest < 0 || ids->highest >= features.view.num_rows) {
    throw_gnn_error(env, "SHAPE_MISMATCH", "A row to be cached is not among those of the features.");
  }
  std::vector<int32_t> slots(static_cast<size_t>(features.view.num_rows), -1);
  for (int64_t i = 0; i < count; ++i) slots[static_cast<size_t>(cached.Data()[i])] = static_cast<int32_t>(i);
  features.values = std::make_unique<DeviceBytes>(stream(), count * static_cast<int64_t>(row_bytes(features.view)));
  gnn::cuda::copy_stored_rows(stream(), features.view, count, ids->as<int32_t>(), features.values->data());
  features.slots = uploaded_bytes(slots.data(), slots.size() * sizeof(int32_t));
  features.view.values = features.values->data();
  features.view.slots = reinterpret_cast<const int32_t*>(features.slots->data());
}

// numRows, dim, segments, scale | null, offset | null, cached | null
Napi::Value make_features(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::vector<HostBytes> segments = segments_of(info[2]);
  const int64_t num_rows = info[0].As<Napi::Number>(), dim = info[1].As<Napi::Number>();
  auto features = features_of(env, num_rows, dim, segments, info[3], info[4]);
  if (!info[5].IsTypedArray() || num_rows * dim == 0) {
    put_on_device(*features, segments);
  } else {
    pin(*features, segments);
    features->segments = Napi::Persistent(info[2].As<Napi::Object>());
    cache_rows(env, *features, info[5].As<Napi::Int32Array>());
  }
  return handle_to(env, features.release());
}

// out = its rows, changed in place: each divided by the sum of its magnitudes
Napi::Value row_normalize(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  gnn::cuda::row_normalize(stream(), {rows, dim, nullptr, nullptr, arguments.floats("out", rows * dim)});
  return arguments.env().Undefined();
}

// out = its rows, changed in place: (x - mean) / scale
Napi::Value standardize(Arguments& arguments) {
  const int64_t rows = arguments.count("rows"), dim = arguments.count("dim");
  const float* const mean = arguments.floats("mean", dim);
  const float* const scale = arguments.floats("scale", dim);
  gnn::cuda::standardize(stream(), {rows, dim, nullptr, nullptr, arguments.floats("out", rows * dim)}, mean, scale);
  return arguments.env().Undefined();
}

// features, ids, dropout key | null, threshold, out
Napi::Value gather_features(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const DeviceFeatures* const features = object_of<DeviceFeatures>(info[0], DeviceObject::Kind::kFeatures);
  const DeviceArray* const ids = object_of<DeviceArray>(info[1], DeviceObject::Kind::kInts);
  const DeviceArray* const out = object_of<DeviceArray>(info[4], DeviceObject::Kind::kFloats);
  if (features == nullptr || ids == nullptr || out == nullptr || ids->memory == nullptr || out->memory == nullptr ||
      out->count != ids->count * features->view.dim ||
      (ids->count > 0 && (ids->lowest < 0 || ids->highest >= features->view.num_rows))) {
    throw_gnn_error(env, "SHAPE_MISMATCH", "The rows are not among those of the features, or do not fill the array.");
  }
  gnn::cuda::GatherDropout dropout;
  if (info[2].IsTypedArray()) {
    const auto key = info[2].As<Napi::Int32Array>();
    const uint32_t threshold = info[3].As<Napi::Number>();
    if (key.ElementLength() != 4 || threshold > 65535) {
      throw_gnn_error(env, "SHAPE_MISMATCH", "Dropout takes a key of four words and a threshold below 65536.");
    }
    const auto word = [&](size_t i) { return static_cast<uint32_t>(key[i]); };
    dropout = {{word(0), word(1), word(2), word(3)}, threshold};
  }
  gnn::cuda::gather_dense(stream(), features->view, ids->count, ids->as<int32_t>(), out->as<float>(), dropout);
  return env.Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<make_features>(env, exports,
      "makeFeatures(numRows: number, dim: number, segments: readonly NodeJS.TypedArray[], "
      "scale: HostFloats | null, offset: HostFloats | null, cached: HostInts | null)");
  export_function<gather_features>(env, exports,
      "gatherFeatures(features: DeviceFeaturesHandle, ids: IntsHandle, key: HostInts | null, threshold: number, "
      "out: FloatsHandle)");
  export_kernel<row_normalize>(env, exports, "rowNormalizeRows(rows: number, dim: number, out: FloatsHandle)");
  export_kernel<standardize>(env, exports,
      "standardizeRows(rows: number, dim: number, mean: FloatsHandle, scale: FloatsHandle, out: FloatsHandle)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
