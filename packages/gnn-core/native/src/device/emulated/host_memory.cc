#include "device/emulated/host_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>

#include "device/emulated/arena.h"
#include "device/emulated/block.h"
#include "device/emulated/shared_memory.h"
#include "gnn/device/emulator.h"
#include "gnn/error.h"

namespace gnn::device::emulation {
namespace {

// No address of x86-64 or AArch64 has this bit: reading there ends the process.
constexpr uintptr_t kOfDevice = uintptr_t{1} << 62;
// Where heap, stack and mappings of a process lie. Below are numbers that are no addresses, and what AddressSanitizer
// maps for itself.
constexpr uintptr_t kLowest = uintptr_t{0x100080000000}, kEnd = uintptr_t{1} << 47;
constexpr uintptr_t kPage = 4096;

bool is_mapped(uintptr_t address) {
  unsigned char in_core = 0;
  return mincore(reinterpret_cast<void*>(address / kPage * kPage), 1, &in_core) == 0;
}

}  // namespace

HostMemory& HostMemory::instance() {
  static HostMemory* const memory = new HostMemory;  // outlives every array
  return *memory;
}

bool HostMemory::add(const void* memory, size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto* const begin = static_cast<const char*>(memory);
  const auto next = ranges_.lower_bound(begin);
  if (next != ranges_.end() && next->first < begin + bytes) return false;
  if (next != ranges_.begin() && std::prev(next)->first + std::prev(next)->second > begin) return false;
  ranges_.emplace(begin, bytes);
  return true;
}

void HostMemory::remove(const void* memory) {
  const std::lock_guard lock(mutex_);
  if (ranges_.erase(static_cast<const char*>(memory)) == 0) {
    throw Error("DEVICE_FAULT", "Memory of the host was unregistered that is not registered.");
  }
}

bool HostMemory::holds(const char* memory, size_t bytes) const {
  const auto next = ranges_.upper_bound(memory);
  return next != ranges_.begin() && memory + bytes <= std::prev(next)->first + std::prev(next)->second;
}

const void* HostMemory::address_of(const void* memory) {
  const std::lock_guard lock(mutex_);
  if (!holds(static_cast<const char*>(memory), 1)) {
    throw Error("DEVICE_FAULT", "Memory of the host has no address on the device before it is registered.");
  }
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(memory) | kOfDevice);
}

const void* HostMemory::behind(const void* address, size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto number = reinterpret_cast<uintptr_t>(address);
  const auto* const memory = reinterpret_cast<const char*>(number & ~kOfDevice);
  return (number & kOfDevice) != 0 && holds(memory, bytes) ? memory : nullptr;
}

void check_argument(const void* argument, size_t bytes, int number) {
  for (size_t at = 0; at + sizeof(uintptr_t) <= bytes; at += sizeof(uintptr_t)) {
    uintptr_t word = 0;
    std::memcpy(&word, static_cast<const char*>(argument) + at, sizeof word);
    const auto* const memory = reinterpret_cast<const void*>(word);
    if (word < kLowest || word >= kEnd || Arena::instance().holds(memory)) continue;
    if (SharedMemory::instance().holds(memory, 1)) continue;
    if (!is_mapped(word)) continue;
    throw Error("DEVICE_FAULT", "Argument " + std::to_string(number) +
                                    " of a kernel points into memory of the host, which a GPU cannot read.");
  }
}

const void* check_host_read(const void* memory, size_t bytes, Site site) {
  const void* const there = HostMemory::instance().behind(memory, bytes);
  if (there == nullptr) {
    Block::of_this_thread().fail("A kernel reads memory of the host that is not registered with the device, at " +
                                 std::string(site.file_name()) + ":" + std::to_string(site.line()) + ".");
  }
  return there;
}

}  // namespace gnn::device::emulation
