#pragma once
// CUDA C++ for a host compiler, exactly as written: every CUDA thread is a fiber, so that barriers, shuffles, votes,
// shared memory and atomics mean what they mean on a GPU. Made for tests, not for speed.
#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>
#include <tuple>
#include <type_traits>

#include "gnn/device/counters.h"
#include "gnn/device/stream.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __restrict__ __restrict

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct alignas(16) float4 {
  float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

namespace gnn::device {

struct Grid {
  dim3 blocks;
  dim3 threads;
  unsigned shared_bytes = 0;
};

namespace emulation {

using Site = std::source_location;

// The indices of the thread that has its turn.
struct Indices {
  uint3 thread, block;
  dim3 block_dim, grid_dim;
};
extern thread_local const Indices* current;

// Throws DEVICE_FAULT for a grid that a GPU would not start.
void check(const Grid& grid);
// Throws DEVICE_FAULT where an argument of a kernel points into memory of the host: a GPU could not read it.
void check_argument(const void* argument, size_t bytes, int number);
// Between members lies what was there before, such as halves of addresses: it is cleared, or not looked at.
template <typename T>
void check_padded(T& argument, int number) {
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&argument);
  check_argument(&argument, sizeof argument, number);
#else
  if constexpr (std::is_pointer_v<T>) check_argument(&argument, sizeof argument, number);
#endif
}
// Ends the kernel with a failure unless the host's memory was pinned or registered. @returns where it lies
const void* check_host_read(const void* memory, size_t bytes, Site site);
// Runs `thread` once for every thread of the grid. Throws DEVICE_FAULT with what a kernel did wrong, and where.
void run(const Grid& grid, const std::function<void()>& thread);
void enqueue(driver::StreamState* stream, std::function<void()> work);

// Memory of the running block, at each call with one tag the same; NaN before anybody writes it.
void* shared_memory(const void* tag, size_t bytes);
void* dynamic_shared_memory();
// All threads of the block meet. @returns how many of them gave true
int block_barrier(bool predicate, Site site);
// All lanes of the mask meet, give a value, and get everybody's by lane.
const uint64_t* warp_exchange(unsigned mask, uint64_t value, const char* what, Site site);
int lane();

template <typename T>
T& shared(const void* tag) {
  return *static_cast<T*>(shared_memory(tag, sizeof(T)));
}

}  // namespace emulation

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), const Grid& grid, Stream& stream, Arguments... arguments) {
  note(Counted::kLaunch);
  emulation::check(grid);
  std::tuple<Parameters...> given(static_cast<Parameters>(arguments)...);
  emulation::enqueue(stream.state(), [=] {
    int number = 0;
    std::apply([&](auto... each) { (emulation::check_padded(each, ++number), ...); }, given);
    emulation::run(grid, [&] { std::apply(kernel, given); });
  });
}

}  // namespace gnn::device

#define DEVICE_SHARED(name, type, extents) \
  static const char device_tag_##name = 0; \
  auto& name = gnn::device::emulation::shared<type extents>(&device_tag_##name)
#define DEVICE_DYNAMIC_SHARED(name, type) \
  type* const name = static_cast<type*>(gnn::device::emulation::dynamic_shared_memory())

#define threadIdx (gnn::device::emulation::current->thread)
#define blockIdx (gnn::device::emulation::current->block)
#define blockDim (gnn::device::emulation::current->block_dim)
#define gridDim (gnn::device::emulation::current->grid_dim)

#include "gnn/device/emulator_math.h"
#include "gnn/device/emulator_sync.h"
