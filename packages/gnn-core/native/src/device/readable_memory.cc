#include "gnn/device/readable_memory.h"

#include <cstring>

#include "gnn/error.h"

namespace gnn::device {

ReadableMemory::ReadableMemory(const void* memory, size_t bytes) {
  if (bytes == 0) return;
  if (driver::register_host(memory, bytes)) {
    registered_ = memory;
  } else {
    copy_ = std::make_unique<PinnedMemory>(bytes);
    std::memcpy(copy_->data(), memory, bytes);
  }
  address_ = driver::device_address(copy_ ? copy_->data() : memory);
}

ReadableMemory::~ReadableMemory() {
  if (registered_ == nullptr) return;
  try {
    driver::unregister_host(registered_);
  } catch (const Error&) {
    // A device that has failed takes nothing back.
  }
}

}  // namespace gnn::device
