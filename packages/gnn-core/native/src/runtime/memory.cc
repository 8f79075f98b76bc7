#include "gnn/runtime/memory.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace gnn {
namespace {

constexpr size_t kAlign = 64;
constexpr size_t kHugePage = size_t{2} << 20;
// What one thread keeps between kernels; larger buffers go back to the system.
constexpr size_t kKeepBytes = size_t{256} << 20;

// Below this malloc's own lists serve.
constexpr size_t kRecycleFrom = size_t{64} << 10;

// Four sizes per power of two, so that batches of about equal size find each other's memory.
size_t recycled_size(size_t bytes) {
  size_t power = kRecycleFrom;
  while (power * 2 <= bytes) power *= 2;
  return (bytes + power / 4 - 1) / (power / 4) * (power / 4);
}

struct Kept {
  void* memory;
  size_t bytes;
};

struct Cache {
  std::vector<Kept> free;
  size_t bytes = 0;
  ~Cache() {
    for (const Kept& kept : free) free_aligned(kept.memory);
  }
};

thread_local Cache cache;

// Blocks of this size come from the system and go back to it. Left to itself malloc raises the limit with each one that
// is freed, up to 32 MiB, and keeps what lies between others.
constexpr int kMapFrom = 1 << 20;

void* raw_aligned(size_t bytes) {
  [[maybe_unused]] static const int is_limited = mallopt(M_MMAP_THRESHOLD, kMapFrom);
  const size_t align = bytes >= 2 * kHugePage ? kHugePage : kAlign;
  void* memory = std::aligned_alloc(align, (std::max(bytes, size_t{1}) + align - 1) / align * align);
  if (memory != nullptr && align == kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

}  // namespace

int64_t second_level_cache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  const int64_t bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return bytes;
#endif
  return int64_t{1} << 20;
}

void* allocate_aligned(size_t bytes) { return raw_aligned(bytes); }

void free_aligned(void* memory) { std::free(memory); }

namespace {

// What all threads together keep for the next mini-batches.
constexpr size_t kRecycleBytes = size_t{512} << 20;

struct Recycler {
  std::mutex mutex;
  std::map<size_t, std::vector<void*>> free;
  size_t bytes = 0;
};

// Leaked on purpose: typed arrays give their memory back while the process exits.
Recycler& recycler() {
  static Recycler* the_recycler = new Recycler;
  return *the_recycler;
}

}  // namespace

void* take_recycled(size_t bytes) {
  if (bytes < kRecycleFrom) return std::malloc(bytes);
  const size_t size = recycled_size(bytes);
  {
    Recycler& all = recycler();
    std::lock_guard<std::mutex> lock(all.mutex);
    std::vector<void*>& free = all.free[size];
    if (!free.empty()) {
      void* memory = free.back();
      free.pop_back();
      all.bytes -= size;
      return memory;
    }
  }
  return raw_aligned(size);
}

void give_recycled(void* memory, size_t bytes) {
  if (bytes >= kRecycleFrom) {
    const size_t size = recycled_size(bytes);
    Recycler& all = recycler();
    std::lock_guard<std::mutex> lock(all.mutex);
    if (all.bytes + size <= kRecycleBytes) {
      all.free[size].push_back(memory);
      all.bytes += size;
      return;
    }
  }
  std::free(memory);
}

Scratch::Scratch(int64_t count) : data_(nullptr), bytes_(recycled_size(static_cast<size_t>(count) * sizeof(float))) {
  size_t best = cache.free.size();
  for (size_t i = 0; i < cache.free.size(); ++i) {
    if (cache.free[i].bytes >= bytes_ && (best == cache.free.size() || cache.free[i].bytes < cache.free[best].bytes)) {
      best = i;
    }
  }
  if (best < cache.free.size()) {
    data_ = static_cast<float*>(cache.free[best].memory);
    bytes_ = cache.free[best].bytes;
    cache.bytes -= bytes_;
    cache.free.erase(cache.free.begin() + static_cast<std::ptrdiff_t>(best));
    return;
  }
  data_ = static_cast<float*>(raw_aligned(bytes_));
  if (data_ == nullptr) throw std::bad_alloc();
}

Scratch::~Scratch() {
  if (cache.bytes + bytes_ > kKeepBytes) {
    free_aligned(data_);
    return;
  }
  cache.free.push_back({data_, bytes_});
  cache.bytes += bytes_;
}

}  // namespace gnn
