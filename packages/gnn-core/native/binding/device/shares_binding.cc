// Feature matrices whose rows lie in shares with the devices of several processes, each of which reads them all.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "../export_kernel.h"
#include "device_features.h"
#include "gnn/device/devices.h"

namespace hopwise {
namespace {

namespace driver = gnn::device::driver;

// Rows of a matrix for this device and for others. Its memory goes back when it is asked for, and never by itself:
// other processes may still read it. What is not given back goes with the process.
struct DeviceShare : DeviceObject {
  DeviceShare() : DeviceObject(Kind::kShare) {}
  void empty() override {
    if (memory == nullptr) return;
    driver::synchronize(stream().state());
    driver::release_shared(memory);
    memory = nullptr;
  }
  void* memory = nullptr;
};

// The bytes [begin, end) of segments that lie one behind the other.
void upload_part(void* to, const std::vector<HostBytes>& segments, size_t begin, size_t end) {
  size_t first = 0;
  for (const auto& [data, count] : segments) {
    const size_t from = std::max(begin, first), until = std::min(end, first + count);
    if (from < until) {
      auto* const place = static_cast<unsigned char*>(to) + (from - begin);
      device().staging.upload(place, data + (from - first), until - from, stream());
    }
    first += count;
  }
}

// numRows, segments, begin, end
Napi::Value make_share(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const int64_t num_rows = info[0].As<Napi::Number>(), begin = info[2].As<Napi::Number>();
  const int64_t end = info[3].As<Napi::Number>();
  const std::vector<HostBytes> segments = segments_of(info[1]);
  size_t total = 0;
  for (const HostBytes& segment : segments) total += segment.count;
  if (begin < 0 || begin >= end || end > num_rows || total % static_cast<size_t>(num_rows) != 0) {
    throw_gnn_error(env, "SHAPE_MISMATCH", "The share is empty, or its rows are not among those of the matrix.");
  }
  const size_t row = total / static_cast<size_t>(num_rows), bytes = static_cast<size_t>(end - begin) * row;
  auto share = std::make_unique<DeviceShare>();
  share->memory = driver::allocate_shared(bytes);
  if (share->memory == nullptr) {
    throw_gnn_error(env, "DEVICE_OUT_OF_MEMORY",
                    "The device has no " + std::to_string(bytes) + " bytes left for its share of the features.");
  }
  upload_part(share->memory, segments, static_cast<size_t>(begin) * row, static_cast<size_t>(end) * row);
  stream().synchronize();  // others begin to read it as soon as they have its handle
  return handle_to(env, share.release());
}

DeviceShare& share_of(const Napi::Value& value) {
  DeviceShare* const share = object_of<DeviceShare>(value, DeviceObject::Kind::kShare);
  if (share != nullptr && share->memory != nullptr) return *share;
  throw_gnn_error(value.Env(), "SHAPE_MISMATCH", "The share is not one of the device, or was given back to it.");
}

Napi::Value export_share(const Napi::CallbackInfo& info) {
  const driver::MemoryHandle handle = driver::export_memory(share_of(info[0]).memory);
  auto bytes = Napi::Uint8Array::New(info.Env(), handle.size());
  std::memcpy(bytes.Data(), handle.data(), handle.size());
  return bytes;
}

// The memory of a share: this process' own, or another's by its handle.
void* open_share(DeviceFeatures& features, const Napi::Value& value) {
  if (!value.IsTypedArray()) return share_of(value).memory;
  const HostBytes bytes = bytes_of(value);
  driver::MemoryHandle handle{};
  if (bytes.count != handle.size()) throw_gnn_error(value.Env(), "SHAPE_MISMATCH", "A handle of a share has 64 bytes.");
  std::memcpy(handle.data(), bytes.data, handle.size());
  return features.opened.emplace_back(driver::open_memory(handle));
}

// numRows, dim, segments, scale | null, offset | null, firstRows, shares
Napi::Value open_shares(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const int64_t num_rows = info[0].As<Napi::Number>(), dim = info[1].As<Napi::Number>();
  auto features = features_of(env, num_rows, dim, segments_of(info[2]), info[3], info[4]);
  const auto first_rows = info[5].As<Napi::Int32Array>();
  const auto shares = info[6].As<Napi::Array>();
  const size_t count = first_rows.ElementLength();
  const int32_t* const first = first_rows.Data();
  if (count == 0 || count != shares.Length() || first[0] != 0 || !std::is_sorted(first, first + count) ||
      first[count - 1] >= num_rows) {
    throw_gnn_error(env, "SHAPE_MISMATCH", "The shares do not follow each other from the first row on.");
  }
  std::vector<gnn::cuda::RowsAt> rows;
  for (uint32_t i = 0; i < count; ++i) rows.push_back({first[i], open_share(*features, shares.Get(i))});
  put_elsewhere(*features, rows);
  features->view.are_shares = true;
  return handle_to(env, features.release());
}

Napi::Value bus_address(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), driver::bus_address());
}

// The address of another device. In the emulation every device is joined with every other.
Napi::Value is_joined_by_nvlink(const Napi::CallbackInfo& info) {
  const std::string own = driver::bus_address(), other = info[0].As<Napi::String>();
  if (own == "emulation") return Napi::Boolean::New(info.Env(), other == own);
  try {
    const gnn::device::DeviceList list = gnn::device::DeviceProbe().list();
    return Napi::Boolean::New(info.Env(), gnn::device::are_joined_by_nvlink(list, own, other));
  } catch (const gnn::device::NoDevices&) {
    return Napi::Boolean::New(info.Env(), false);
  }
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<bus_address>(env, exports, "busAddress()");
  export_function<is_joined_by_nvlink>(env, exports, "isJoinedByNvlink(other: string)");
  export_function<make_share>(env, exports,
      "makeShare(numRows: number, segments: readonly NodeJS.TypedArray[], begin: number, end: number)");
  export_function<export_share>(env, exports, "exportShare(share: DeviceShareHandle)");
  export_function<open_shares>(env, exports,
      "openShares(numRows: number, dim: number, segments: readonly NodeJS.TypedArray[], scale: HostFloats | null, "
      "offset: HostFloats | null, firstRows: HostInts, shares: readonly ShareSource[])");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
