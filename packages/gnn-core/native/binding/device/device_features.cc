#include "device_features.h"

#include "../export_kernel.h"

namespace hopwise {
namespace {

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

}  // namespace

void DeviceFeatures::empty() {
  let_go();
  for (auto* array : {&values, &scale, &offset, &slots, &elsewhere}) array->reset();
  view.num_rows = 0;
  segments.Reset();
}

void DeviceFeatures::let_go() {
  if (pinned.empty() && opened.empty()) return;
  try {
    gnn::device::driver::synchronize(stream().state());  // kernels may still read it
    for (void* const memory : opened) gnn::device::driver::close_memory(memory);
  } catch (const gnn::Error&) {
    // A device that has failed reads nothing any more.
  }
  opened.clear();
  pinned.clear();
}

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

std::unique_ptr<DeviceBytes> uploaded_bytes(const void* data, size_t count) {
  auto array = std::make_unique<DeviceBytes>(stream(), static_cast<int64_t>(count));
  device().staging.upload(array->data(), data, count, stream());
  return array;
}

std::unique_ptr<DeviceFeatures> features_of(Napi::Env env, int64_t num_rows, int64_t dim,
                                            const std::vector<HostBytes>& segments, const Napi::Value& scale,
                                            const Napi::Value& offset) {
  auto features = std::make_unique<DeviceFeatures>();
  features->view = {num_rows, dim, dtype_of(env, segments, num_rows * dim), nullptr, {}};
  if (!scale.IsTypedArray() || !offset.IsTypedArray()) return features;
  const auto put = [](const Napi::Value& value) {
    const HostBytes bytes = bytes_of(value);
    return uploaded_bytes(bytes.data, bytes.count);
  };
  features->scale = put(scale);
  features->offset = put(offset);
  features->view.columns = {reinterpret_cast<const float*>(features->scale->data()),
                            reinterpret_cast<const float*>(features->offset->data())};
  return features;
}

size_t row_bytes(const gnn::cuda::FeatureView& view) {
  return static_cast<size_t>(view.dim * gnn::bytes_of(view.dtype));
}

void put_elsewhere(DeviceFeatures& features, const std::vector<gnn::cuda::RowsAt>& rows) {
  features.elsewhere = uploaded_bytes(rows.data(), rows.size() * sizeof(gnn::cuda::RowsAt));
  features.view.elsewhere = reinterpret_cast<const gnn::cuda::RowsAt*>(features.elsewhere->data());
  features.view.num_elsewhere = static_cast<int64_t>(rows.size());
}

}  // namespace hopwise
