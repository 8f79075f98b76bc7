#pragma once
// Memory of the emulated device that other processes read: a file without a name, which each of them maps. It faults
// whenever no device work runs, as the arena does.
#include <cstddef>
#include <map>
#include <mutex>

#include "gnn/device/driver.h"

namespace gnn::device::emulation {

class SharedMemory {
 public:
  static SharedMemory& instance();

  // NaN or -1, as all memory that was not written yet.
  void* make(size_t bytes);
  driver::MemoryHandle handle_of(void* memory);
  // What another process has made. A GPU's driver opens nothing that its own process has exported. Where
  // HOPWISE_TEST_NO_PEERS is set, devices do not reach each other.
  void* map(const driver::MemoryHandle& handle);
  // What was made is cut off as well: who still reads it, in whichever process, is ended by that. @returns its bytes
  size_t remove(void* memory);

  void open();
  void close();
  bool holds(const void* memory, size_t bytes);

 private:
  struct Piece {
    size_t bytes;
    int file;  // -1: another process has made it
  };
  void* map(int file, size_t bytes, bool is_own);
  void protect(bool is_open);

  std::mutex mutex_;
  std::map<const char*, Piece> pieces_;
};

}  // namespace gnn::device::emulation
