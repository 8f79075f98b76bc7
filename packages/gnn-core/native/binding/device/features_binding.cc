// Feature matrices for kernels of the device: in its memory, with the host, or some rows here and some there.
#include "gnn/cuda/features/gather_dense.h"
#include "gnn/cuda/features/transform_rows.h"

#include <vector>

#include "../arrays.h"
#include "../export_kernel.h"
#include "device.h"
#include "gnn/device/readable_memory.h"

namespace hopwise {
namespace {

using gnn::device::Array;
using gnn::device::ReadableMemory;
using Bytes = Array<unsigned char>;

struct DeviceFeatures : DeviceObject {
  DeviceFeatures() : DeviceObject(Kind::kFeatures) {}
  ~DeviceFeatures() override { unpin(); }
  // Rows of it are not among those of the features any more.
  void empty() override {
    for (auto* array : {&values, &scale, &offset, &slots, &host}) array->reset();
    view.num_rows = 0;
    unpin();
    segments.Reset();
  }
  void unpin() {
    if (pinned.empty()) return;
    try {
      gnn::device::driver::synchronize(stream().state());  // kernels may still read it
    } catch (const gnn::Error&) {
      // A device that has failed reads nothing any more.
    }
    pinned.clear();
  }
  gnn::cuda::FeatureView view{};
  std::unique_ptr<Bytes> values, scale, offset, slots, host;
  std::vector<std::unique_ptr<ReadableMemory>> pinned;
  Napi::ObjectReference segments;  // what is pinned, as long as it is
};

struct HostBytes {
  const unsigned char* data;
  size_t count;
};

// Also of an array on a SharedArrayBuffer, which Napi::ArrayBuffer refuses.
HostBytes bytes_of(const Napi::Value& value) {
  void* data = nullptr;
  if (!value.IsTypedArray() || napi_get_typedarray_info(value.Env(), value, nullptr, nullptr, &data, nullptr,
                                                        nullptr) != napi_ok) {
    throw_gnn_error(value.Env(), "SHAPE_MISMATCH", "A feature segment is not a typed array.");
  }
  return {static_cast<const unsigned char*>(data), value.As<Napi::TypedArray>().ByteLength()};
}

std::vector<HostBytes> segments_of(const Napi::Value& value) {
  const auto array = value.As<Napi::Array>();
  std::vector<HostBytes> all;
  for (uint32_t i = 0; i < array.Length(); ++i) all.push_back(bytes_of(array.Get(i)));
  return all;
}

std::unique_ptr<Bytes> uploaded_bytes(const void* data, size_t count) {
  auto array = std::make_unique<Bytes>(stream(), static_cast<int64_t>(count));
  device().staging.upload(array->data(), data, count, stream());
  return array;
}

gnn::FeatureDtype dtype_of(Napi::Env env, const std::vector<HostBytes>& segments, int64_t values) {
  size_t bytes = 0;
  for (const HostBytes& segment : segments) bytes += segment.count;
  const size_t element = values == 0 ? 4 : bytes / static_cast<size_t>(values);
  if (bytes == element * static_cast<size_t>(values)) {
    if (element == 4) return gnn::FeatureDtype::float32;
    if (element == 2) return gnn::FeatureDtype::float16;
    if (element == 1) return gnn::FeatureDtype::int8;
  }
  throw_gnn_error(env, "SHAPE_MISMATCH", "The segments are not the rows of one matrix.");
}

size_t row_bytes(const gnn::cuda::FeatureView& view) {
  return static_cast<size_t>(view.dim * gnn::bytes_of(view.dtype));
}

// All rows one behind the other.
void put_on_device(DeviceFeatures& features, const std::vector<HostBytes>& segments) {
  const size_t bytes = static_cast<size_t>(features.view.num_rows) * row_bytes(features.view);
  features.values = std::make_unique<Bytes>(stream(), static_cast<int64_t>(bytes));
  size_t at = 0;
  for (const auto& [data, count] : segments) {
    device().staging.upload(features.values->data() + at, data, count, stream());
    at += count;
  }
  features.view.values = features.values->data();
}

void pin(DeviceFeatures& features, const std::vector<HostBytes>& segments) {
  std::vector<gnn::cuda::HostRows> rows;
  int64_t first_row = 0;
  for (const auto& [data, count] : segments) {
    const auto& pinned = features.pinned.emplace_back(std::make_unique<ReadableMemory>(data, count));
    if (count == 0) continue;
    rows.push_back({first_row, pinned->address()});
    first_row += static_cast<int64_t>(count / row_bytes(features.view));
  }
  features.host = uploaded_bytes(rows.data(), rows.size() * sizeof(gnn::cuda::HostRows));
  features.view.host = reinterpret_cast<const gnn::cuda::HostRows*>(features.host->data());
  features.view.num_host = static_cast<int64_t>(rows.size());
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
  features.values = std::make_unique<Bytes>(stream(), count * static_cast<int64_t>(row_bytes(features.view)));
  gnn::cuda::copy_stored_rows(stream(), features.view, count, ids->as<int32_t>(), features.values->data());
  features.slots = uploaded_bytes(slots.data(), slots.size() * sizeof(int32_t));
  features.view.values = features.values->data();
  features.view.slots = reinterpret_cast<const int32_t*>(features.slots->data());
}

// numRows, dim, segments, scale | null, offset | null, cached | null
Napi::Value make_features(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto features = std::make_unique<DeviceFeatures>();
  const std::vector<HostBytes> segments = segments_of(info[2]);
  const int64_t num_rows = info[0].As<Napi::Number>(), dim = info[1].As<Napi::Number>();
  features->view = {num_rows, dim, dtype_of(env, segments, num_rows * dim), nullptr, {}};
  if (info[3].IsTypedArray() && info[4].IsTypedArray()) {
    const auto put = [&](const Napi::Value& value) {
      const HostBytes bytes = bytes_of(value);
      return uploaded_bytes(bytes.data, bytes.count);
    };
    features->scale = put(info[3]);
    features->offset = put(info[4]);
    features->view.columns = {reinterpret_cast<const float*>(features->scale->data()),
                              reinterpret_cast<const float*>(features->offset->data())};
  }
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
