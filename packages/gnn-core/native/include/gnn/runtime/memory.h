#pragma once
#include <cstddef>
#include <cstdint>

namespace gnn {

// 64-byte-aligned, zero-filled memory; large blocks ask for huge pages. Null when there is none left.
void* allocate_aligned(size_t bytes);
void free_aligned(void* memory);

// A float buffer of the calling thread that lives until the Scratch goes; its memory is kept for the next one.
class Scratch {
 public:
  explicit Scratch(int64_t count);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  float* data() { return data_; }

 private:
  float* data_;
  size_t bytes_;
};

}  // namespace gnn
