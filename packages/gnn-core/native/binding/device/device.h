#pragma once
// The device as one JavaScript thread uses it: a stream whose work is done in the order of the calls, and what those
// calls hand around. JavaScript holds arrays by handles; it never sees an address.
#include <napi.h>

#include <cstdint>
#include <memory>
#include <mutex>

#include "gnn/device/array.h"
#include "gnn/device/products.h"
#include "gnn/device/staging.h"
#include "gnn/sparse/block_view.h"

namespace hopwise {

struct Device {
  gnn::device::Stream stream;
  // Uploads of new arrays go beside what the stream computes: the blocks of the next step arrive while kernels of this
  // one run.
  gnn::device::Stream copies;
  // Blocks of later steps are sampled here, by a thread of libuv's pool: who enqueues holds the lock.
  gnn::device::Stream samples{gnn::device::Stream::Urgency::kUrgent};
  gnn::device::Landing sampled;
  std::mutex sampling;
  gnn::device::StagingRing staging;
  std::unique_ptr<gnn::device::Products> products;  // null in the emulation
  Device();
};

// This thread's, made at the first call. It lives as long as the process: when destructors run at its end, the driver
// may be gone.
Device& device();
inline gnn::device::Stream& stream() { return device().stream; }

// What a handle points to; the kind is checked before anything else is read.
struct DeviceObject {
  enum class Kind : uint32_t { kFloats = 0x48570001, kInts, kBlock, kFeatures, kGraph, kShare, kWhole };
  explicit DeviceObject(Kind kind) : kind(kind) {}
  virtual ~DeviceObject() = default;
  // Gives its memory back, where that is not a member's own doing.
  virtual void empty() {}
  const Kind kind;
};

// Elements of the device's memory. A part of an array keeps the whole of it alive.
struct DeviceArray : DeviceObject {
  // Its memory is from the pool of `owner`; kernels on this thread's stream use it, whichever stream that is.
  DeviceArray(Kind kind, int64_t count, gnn::device::Stream& owner = stream());
  DeviceArray(const DeviceArray& whole, int64_t begin, int64_t end);
  // An array that is there, from the pool of another stream than this thread's; what it was enqueued for is done.
  template <typename T>
  DeviceArray(Kind kind, gnn::device::Array<T>&& made) : DeviceObject(kind), data(made.data()), count(made.size()) {
    static_assert(sizeof(T) == 4);
    auto held = std::make_shared<gnn::device::Array<T>>(std::move(made));
    held->used_by(stream());
    memory = std::move(held);
  }
  template <typename T>
  T* as() const { return static_cast<T*>(data); }

  std::shared_ptr<const void> memory;  // null once it was given back
  void* data;
  int64_t count;
  // What integers range over, found while the host still had them: kernels do not check what they index.
  int32_t lowest = 0, highest = -1, last = 0;
  bool is_ascending_from_zero = false;
};

struct DeviceBlock : DeviceObject {
  DeviceBlock() : DeviceObject(Kind::kBlock) {}
  // Sorts the edges by src on the device, at the first call.
  void reverse();
  gnn::BlockView view{};
  std::shared_ptr<DeviceArray> indptr, indices, reverse_indptr, reverse_indices, reverse_edges;
  std::shared_ptr<DeviceArray> weights;  // of a sampled block, where the graph has some
};

// Handles. JavaScript may give the memory back before its garbage collector does.
Napi::Value handle_to(Napi::Env env, DeviceObject* object);
// Null for what is no handle of this kind.
template <typename T>
T* object_of(const Napi::Value& value, DeviceObject::Kind kind) {
  if (!value.IsExternal()) return nullptr;
  DeviceObject* const object = value.As<Napi::External<DeviceObject>>().Data();
  return object->kind == kind ? static_cast<T*>(object) : nullptr;
}

// Copied into pinned memory before it returns. What is enqueued on this thread's stream from then on finds it there.
std::shared_ptr<DeviceArray> uploaded(const int32_t* values, int64_t count);
std::shared_ptr<DeviceArray> uploaded(const float* values, int64_t count);

}  // namespace hopwise
