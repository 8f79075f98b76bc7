#pragma once
// Arrays of the host that the device reads by itself.
#include <cstddef>
#include <memory>

#include "gnn/device/staging.h"

namespace gnn::device {

// An array of the host for kernels to read: pinned where it lies if the driver does that, else a pinned copy of it. The
// array must live as long as this; when this goes, nothing that was enqueued may still read it.
class ReadableMemory {
 public:
  // Throws DEVICE_OUT_OF_MEMORY when the host has no memory left that can be pinned.
  ReadableMemory(const void* memory, size_t bytes);
  ~ReadableMemory();
  ReadableMemory(const ReadableMemory&) = delete;
  ReadableMemory& operator=(const ReadableMemory&) = delete;

  // What kernels read it by, through host_memory(); null where there is nothing to read.
  const void* address() const { return address_; }
  bool is_copy() const { return copy_ != nullptr; }

 private:
  const void* registered_ = nullptr;
  std::unique_ptr<PinnedMemory> copy_;
  const void* address_ = nullptr;
};

}  // namespace gnn::device
