#include "gnn/device/memory_pool.h"

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <utility>

#include "gnn/error.h"

namespace gnn::device {
namespace {

constexpr size_t kSmallest = 512;
constexpr size_t kClassesPerOctave = 8;
// An eighth of gigabytes, as features of a graph are, would be too much.
constexpr size_t kMostStep = size_t{64} << 20;

// All pools of the process: one that finds no memory asks the others to return theirs.
struct Pools {
  std::mutex mutex;
  std::set<MemoryPool*> all;
};

Pools& pools() {
  static Pools* const pools = new Pools;  // outlives every stream
  return *pools;
}

void trim_all() {
  const std::lock_guard lock(pools().mutex);
  for (MemoryPool* pool : pools().all) pool->trim();
}

}  // namespace

MemoryPool::MemoryPool(driver::StreamState* stream) : stream_(stream) {
  const std::lock_guard lock(pools().mutex);
  pools().all.insert(this);
}

MemoryPool::~MemoryPool() {
  {
    const std::lock_guard lock(pools().mutex);
    pools().all.erase(this);
  }
  try {
    trim();
  } catch (const Error&) {
    // A device that has failed takes nothing back.
  }
}

size_t MemoryPool::class_of(size_t bytes) {
  if (bytes <= kSmallest) return kSmallest;
  const size_t step = std::min(kMostStep, std::bit_floor(bytes - 1) / kClassesPerOctave);
  return (bytes + step - 1) / step * step;
}

void* MemoryPool::take(size_t bytes) {
  const size_t size = class_of(bytes);
  void* memory = take_kept(size);
  if (memory == nullptr) memory = driver::allocate(size);
  if (memory == nullptr) {
    trim_all();
    memory = driver::allocate(size);
  }
  if (memory == nullptr) fail(bytes);
  driver::note_taken(memory, bytes, stream_);
  const std::lock_guard lock(mutex_);
  taken_.emplace(memory, size);
  use_.taken += size;
  return memory;
}

void* MemoryPool::take_kept(size_t size) {
  const std::lock_guard lock(mutex_);
  collect(false);
  const auto found = kept_.find(size);
  if (found == kept_.end() || found->second.empty()) return nullptr;
  void* const memory = found->second.back();
  found->second.pop_back();
  use_.kept -= size;
  return memory;
}

void MemoryPool::keep(void* memory, size_t size) {
  driver::note_returned(memory, size, stream_);
  kept_[size].push_back(memory);
  use_.kept += size;
}

void MemoryPool::give(void* memory) {
  const std::lock_guard lock(mutex_);
  const auto taken = taken_.find(memory);
  if (taken == taken_.end()) throw Error("DEVICE_FAULT", "Memory was given to a pool that it was not taken from.");
  const size_t size = taken->second;
  taken_.erase(taken);
  use_.taken -= size;
  keep(memory, size);
}

void MemoryPool::give_after(void* memory, std::unique_ptr<Event> event) {
  const std::lock_guard lock(mutex_);
  pending_.push_back({std::move(event), memory});
}

// Keeps what other streams have done with. With the lock held.
void MemoryPool::collect(bool waits) {
  while (!pending_.empty() && (waits || pending_.front().event->is_done())) {
    const Pending done = std::move(pending_.front());
    pending_.pop_front();
    if (waits) done.event->synchronize();
    const auto taken = taken_.find(done.memory);
    const size_t size = taken->second;
    taken_.erase(taken);
    use_.taken -= size;
    keep(done.memory, size);
  }
}

MemoryUse MemoryPool::use() {
  const std::lock_guard lock(mutex_);
  try {
    collect(false);
  } catch (const Error&) {
    // A device that has failed gives nothing back.
  }
  return use_;
}

void MemoryPool::trim() {
  const std::lock_guard lock(mutex_);
  collect(true);
  driver::synchronize(stream_);
  for (const auto& [size, pieces] : kept_) {
    for (void* const memory : pieces) driver::release(memory);
  }
  kept_.clear();
  use_.kept = 0;
}

void MemoryPool::fail(size_t bytes) {
  const MemoryUse now = use();
  throw Error("DEVICE_OUT_OF_MEMORY", "The device has no piece of " + std::to_string(bytes) +
                                          " bytes left; this stream uses " + std::to_string(now.taken) +
                                          " bytes. Lower the batch size, the fanouts or the width of the model.");
}

}  // namespace gnn::device
