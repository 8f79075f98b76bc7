#pragma once
// What a handle to a dense feature matrix points to, and how bindings read the matrix that JavaScript gives.
#include <napi.h>

#include <memory>
#include <vector>

#include "device.h"
#include "gnn/cuda/features/gather_dense.h"
#include "gnn/device/readable_memory.h"

namespace hopwise {

using DeviceBytes = gnn::device::Array<unsigned char>;

struct DeviceFeatures : DeviceObject {
  DeviceFeatures() : DeviceObject(Kind::kFeatures) {}
  ~DeviceFeatures() override { let_go(); }
  // Rows of it are not among those of the features any more.
  void empty() override;
  // Waits until no kernel reads memory of the host and of other processes any more, and has no more of it.
  void let_go();

  gnn::cuda::FeatureView view{};
  std::unique_ptr<DeviceBytes> values, scale, offset, slots, elsewhere;
  std::vector<std::unique_ptr<gnn::device::ReadableMemory>> pinned;
  std::vector<void*> opened;       // shares of other processes
  Napi::ObjectReference segments;  // what is pinned, as long as it is
};

struct HostBytes {
  const unsigned char* data;
  size_t count;
};

// Also of an array on a SharedArrayBuffer, which Napi::ArrayBuffer refuses.
HostBytes bytes_of(const Napi::Value& value);
std::vector<HostBytes> segments_of(const Napi::Value& value);
std::unique_ptr<DeviceBytes> uploaded_bytes(const void* data, size_t count);

// A matrix without its rows.
std::unique_ptr<DeviceFeatures> features_of(Napi::Env env, int64_t num_rows, int64_t dim,
                                            const std::vector<HostBytes>& segments, const Napi::Value& scale,
                                            const Napi::Value& offset);
size_t row_bytes(const gnn::cuda::FeatureView& view);
// Uploads where rows lie that are not in `values`.
void put_elsewhere(DeviceFeatures& features, const std::vector<gnn::cuda::RowsAt>& rows);

}  // namespace hopwise
