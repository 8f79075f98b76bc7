#pragma once
// The emulated device's memory: one range of addresses that faults whenever no device work runs.
#include <cstddef>
#include <map>

namespace gnn::device::emulation {

class Arena {
 public:
  static Arena& instance();

  // Null when there is no such piece left. With a gap behind that AddressSanitizer guards.
  void* allocate(size_t bytes);
  void release(void* memory);

  // Counts memory of the device that lies elsewhere. @returns false when there is not so much left
  bool reserve(size_t bytes);
  void unreserve(size_t bytes) { in_use_ -= bytes; }

  // Poisons what is taken, NaN or -1, and lets its first `bytes` be used; guards what is returned. While it is open.
  static void take(void* memory, size_t bytes);
  static void give(void* memory, size_t bytes);

  void open();
  void close();

  void set_limit(size_t bytes) { limit_ = bytes; }
  size_t limit() const { return limit_; }
  size_t in_use() const { return in_use_; }
  bool holds(const void* memory) const { return memory >= base_ && memory < base_ + bytes(); }

 private:
  Arena();
  static size_t bytes();
  void protect(int access);
  void join(std::map<size_t, size_t>::iterator piece);

  char* base_;
  size_t end_ = 0;  // of all that was ever allocated
  size_t limit_, in_use_ = 0;
  std::map<size_t, size_t> free_, used_;  // bytes by offset
};

}  // namespace gnn::device::emulation
