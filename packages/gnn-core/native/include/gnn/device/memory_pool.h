#pragma once
// Device memory that is kept for the next taker when it is given back: a step needs the same sizes again and again, and
// asking the driver stops the device.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "gnn/device/stream.h"

namespace gnn::device {

struct MemoryUse {
  size_t taken;  // bytes of the pieces that are in use, as they were rounded up
  size_t kept;   // bytes of those that wait for a taker
};

// The memory of one stream. A piece that is given back may be taken again at once: who takes it enqueues behind all who
// used it. Pieces come in classes, eight to an octave or 64 MiB apart, so that no more than an eighth of one is unused.
class MemoryPool {
 public:
  explicit MemoryPool(driver::StreamState* stream);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // Throws DEVICE_OUT_OF_MEMORY when there is none even after every pool has returned what it keeps.
  void* take(size_t bytes);
  void give(void* memory);
  // For memory that another stream uses, too: it is kept back until that stream's event is done.
  void give_after(void* memory, std::unique_ptr<Event> event);

  MemoryUse use();
  // Returns what is kept to the device, after a wait for the stream.
  void trim();

  static size_t class_of(size_t bytes);

 private:
  void* take_kept(size_t size);
  void keep(void* memory, size_t size);
  void collect(bool waits);
  [[noreturn]] void fail(size_t bytes);

  driver::StreamState* stream_;
  mutable std::mutex mutex_;
  std::map<size_t, std::vector<void*>> kept_;
  std::unordered_map<void*, size_t> taken_;
  struct Pending {
    std::unique_ptr<Event> event;
    void* memory;
  };
  std::deque<Pending> pending_;
  MemoryUse use_{};
};

}  // namespace gnn::device
