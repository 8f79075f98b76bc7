#include "device/emulated/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <string>

#include "gnn/error.h"

namespace gnn::device::emulation {
namespace {

// What a handle says: where the file lies as long as its process lives.
struct Place {
  int process, file;
  size_t bytes;
};

[[noreturn]] void refuse(const std::string& why) {
  throw Error("DEVICE_PEER_REFUSED", "The emulated device cannot open memory of another process: " + why + ".");
}

}  // namespace

SharedMemory& SharedMemory::instance() {
  static SharedMemory* const memory = new SharedMemory;  // outlives every stream
  return *memory;
}

void* SharedMemory::make(size_t bytes) {
  const int file = memfd_create("hopwise-emulated-device", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) throw std::bad_alloc();
  void* const memory = map(file, bytes, true);
  mprotect(memory, bytes, PROT_READ | PROT_WRITE);
  std::memset(memory, 0xff, bytes);
  mprotect(memory, bytes, PROT_NONE);
  return memory;
}

driver::MemoryHandle SharedMemory::handle_of(void* memory) {
  const std::lock_guard lock(mutex_);
  const auto piece = pieces_.find(static_cast<const char*>(memory));
  if (piece == pieces_.end() || piece->second.file < 0) refuse("this process has not made it");
  const Place place{getpid(), piece->second.file, piece->second.bytes};
  driver::MemoryHandle handle{};
  std::memcpy(handle.data(), &place, sizeof place);
  return handle;
}

void* SharedMemory::map(const driver::MemoryHandle& handle) {
  Place place{};
  std::memcpy(&place, handle.data(), sizeof place);
  if (std::getenv("HOPWISE_TEST_NO_PEERS") != nullptr) refuse("a test wants it so");
  if (place.process == getpid()) refuse("this process has made it");
  const std::string path = "/proc/" + std::to_string(place.process) + "/fd/" + std::to_string(place.file);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat found {};
  if (file < 0 || fstat(file, &found) != 0 || static_cast<size_t>(found.st_size) != place.bytes) {
    if (file >= 0) ::close(file);
    refuse("the process that made it has gone, or gave it back");
  }
  void* const memory = map(file, place.bytes, false);
  ::close(file);
  return memory;
}

void* SharedMemory::map(int file, size_t bytes, bool is_own) {
  void* const memory = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const std::lock_guard lock(mutex_);
  pieces_.emplace(static_cast<const char*>(memory), Piece{bytes, is_own ? file : -1});
  return memory;
}

size_t SharedMemory::remove(void* memory) {
  const std::lock_guard lock(mutex_);
  const auto piece = pieces_.find(static_cast<const char*>(memory));
  if (piece == pieces_.end()) throw Error("DEVICE_FAULT", "Shared memory was given back that is not there.");
  const auto [bytes, file] = piece->second;
  munmap(memory, bytes);
  if (file >= 0) {
    if (ftruncate(file, 0) != 0) std::perror("hopwise: emulated device");
    ::close(file);
  }
  pieces_.erase(piece);
  return bytes;
}

void SharedMemory::open() { protect(true); }
void SharedMemory::close() { protect(false); }

void SharedMemory::protect(bool is_open) {
  const std::lock_guard lock(mutex_);
  for (const auto& [memory, piece] : pieces_) {
    const int access = !is_open ? PROT_NONE : piece.file < 0 ? PROT_READ : PROT_READ | PROT_WRITE;
    mprotect(const_cast<char*>(memory), piece.bytes, access);
  }
}

bool SharedMemory::holds(const void* memory, size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto* const begin = static_cast<const char*>(memory);
  const auto next = pieces_.upper_bound(begin);
  return next != pieces_.begin() && begin + bytes <= std::prev(next)->first + std::prev(next)->second.bytes;
}

}  // namespace gnn::device::emulation
