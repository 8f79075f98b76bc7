#pragma once
// Memory of the host that the emulated device may read: what was pinned or registered, and nothing else. Kernels have
// other addresses of it than the host, at which nobody can read by accident.
#include <cstddef>
#include <map>
#include <mutex>

namespace gnn::device::emulation {

class HostMemory {
 public:
  static HostMemory& instance();

  // False where some of it is pinned already, as a GPU's driver says.
  bool add(const void* memory, size_t bytes);
  void remove(const void* memory);

  // What kernels are given in place of an address of the host.
  const void* address_of(const void* memory);
  // Where the bytes at an address of kernels lie; null unless all of them are pinned.
  const void* behind(const void* address, size_t bytes);

 private:
  bool holds(const char* memory, size_t bytes) const;

  std::mutex mutex_;
  std::map<const char*, size_t> ranges_;
};

}  // namespace gnn::device::emulation
