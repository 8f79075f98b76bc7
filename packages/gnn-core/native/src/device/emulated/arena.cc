#include "device/emulated/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

#include "gnn/device/emulation.h"
#include "gnn/error.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, bytes) static_cast<void>(memory)
#define ASAN_UNPOISON_MEMORY_REGION(memory, bytes) static_cast<void>(memory)
#endif

namespace gnn::device::emulation {
namespace {

constexpr size_t kBytes = size_t{4} << 30, kAlign = 256, kPage = 4096;

}  // namespace

Arena& Arena::instance() {
  static Arena* const arena = new Arena;  // outlives every stream
  return *arena;
}

size_t Arena::bytes() { return kBytes; }

Arena::Arena() : limit_(kBytes) {
  void* memory = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<char*>(memory);
  free_.emplace(0, kBytes);
}

void* Arena::allocate(size_t bytes) {
  const size_t whole = (bytes + 2 * kAlign - 1) / kAlign * kAlign;
  const auto piece = std::find_if(free_.begin(), free_.end(), [&](const auto& f) { return f.second >= whole; });
  if (piece == free_.end() || in_use_ + whole > limit_) return nullptr;
  const auto [offset, left] = *piece;
  free_.erase(piece);
  if (left > whole) free_.emplace(offset + whole, left - whole);
  used_.emplace(offset, whole);
  in_use_ += whole;
  end_ = std::max(end_, (offset + whole + kPage - 1) / kPage * kPage);
  ASAN_POISON_MEMORY_REGION(base_ + offset, whole);
  return base_ + offset;
}

bool Arena::reserve(size_t bytes) {
  if (in_use_ + bytes > limit_) return false;
  in_use_ += bytes;
  return true;
}

void Arena::release(void* memory) {
  const auto used = used_.find(static_cast<size_t>(static_cast<char*>(memory) - base_));
  if (memory == nullptr || used == used_.end())
    throw Error("DEVICE_FAULT", "Memory was released that is not allocated.");
  const auto piece = free_.emplace(used->first, used->second).first;
  in_use_ -= used->second;
  used_.erase(used);
  join(piece);
}

// With the free pieces before and behind it.
void Arena::join(std::map<size_t, size_t>::iterator piece) {
  if (const auto next = std::next(piece); next != free_.end() && piece->first + piece->second == next->first) {
    piece->second += next->second;
    free_.erase(next);
  }
  if (piece == free_.begin()) return;
  const auto before = std::prev(piece);
  if (before->first + before->second != piece->first) return;
  before->second += piece->second;
  free_.erase(piece);
}

void Arena::take(void* memory, size_t bytes) {
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
  std::memset(memory, 0xff, bytes);
}

void Arena::give(void* memory, size_t bytes) {
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
  std::memset(memory, 0xff, bytes);
  ASAN_POISON_MEMORY_REGION(memory, bytes);
}

void Arena::open() { protect(PROT_READ | PROT_WRITE); }
void Arena::close() { protect(PROT_NONE); }

void Arena::protect(int access) {
  if (end_ > 0) mprotect(base_, end_, access);
}

void set_memory(size_t bytes) { Arena::instance().set_limit(bytes); }
size_t memory_in_use() { return Arena::instance().in_use(); }

}  // namespace gnn::device::emulation
