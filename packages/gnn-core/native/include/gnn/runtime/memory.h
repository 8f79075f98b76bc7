#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace gnn {

// Bytes of a core's second-level cache; 1 MiB where the system does not say.
int64_t second_level_cache();

// 64-byte-aligned memory, contents undefined; large blocks ask for huge pages. Null when there is none left.
void* allocate_aligned(size_t bytes);
void free_aligned(void* memory);

// Memory of at least `bytes`, contents undefined, that is kept for the next taker when it is given back: a mini-batch
// needs the same sizes again and again, and fresh pages cost more than what is written to them. Any thread may do
// either. Null when there is none left.
void* take_recycled(size_t bytes);
void give_recycled(void* memory, size_t bytes);

// Allocates recycled memory and leaves new elements of arithmetic types uninitialised.
template <typename T>
struct RecyclingAllocator {
  using value_type = T;
  RecyclingAllocator() = default;
  template <typename U>
  RecyclingAllocator(const RecyclingAllocator<U>&) {}
  T* allocate(size_t count) {
    void* memory = take_recycled(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) { give_recycled(memory, count * sizeof(T)); }
  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const RecyclingAllocator&, const RecyclingAllocator&) { return true; }
};

// resize() leaves new numbers undefined.
template <typename T>
using Recycled = std::vector<T, RecyclingAllocator<T>>;

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
