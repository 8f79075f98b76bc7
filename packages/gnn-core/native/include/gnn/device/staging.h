#pragma once
// Pinned memory of the host, through which arrays reach the device without a stop of either.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gnn/device/stream.h"

namespace gnn::device {

// Pinned bytes. Throws DEVICE_OUT_OF_MEMORY when the host has none left to pin.
class PinnedMemory {
 public:
  explicit PinnedMemory(size_t bytes);
  ~PinnedMemory() { driver::release_pinned(data_); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  char* data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  char* data_;
  size_t bytes_;
};

// Where downloads land before they are copied on: one into memory that is not pinned stops the driver, and with it
// every thread that enqueues. Used by one thread at a time.
class Landing {
 public:
  // Pinned bytes, kept for the next call; what lay there may be gone.
  char* room(size_t bytes);

 private:
  std::unique_ptr<PinnedMemory> memory_;
};

// Uploads whose source may change or go as soon as the call returns: it is copied into one of a few pinned slots, each
// of which is filled again when its last copy is done.
class StagingRing {
 public:
  StagingRing(int slots, size_t slot_bytes);

  void upload(void* to, const void* from, size_t bytes, Stream& stream);

 private:
  struct Slot {
    explicit Slot(size_t bytes) : memory(bytes) {}
    PinnedMemory memory;
    Event copied;
    bool is_used = false;
  };
  std::vector<std::unique_ptr<Slot>> slots_;
  size_t next_ = 0;
};

}  // namespace gnn::device
