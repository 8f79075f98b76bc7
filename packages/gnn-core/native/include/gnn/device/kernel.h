#pragma once
// The dialect that kernels (.cu) are written in: CUDA C++ with three differences, so that nvcc compiles it for a GPU
// and any C++20 compiler for the emulation (emulator.h). Shared memory is declared by DEVICE_SHARED(name, type,
// [extents]) or DEVICE_DYNAMIC_SHARED(name, type), kernels are started by launch(), and inline PTX is only behind
// #ifdef __CUDA_ARCH__, beside a plain path.
#include <cstdint>

#include "gnn/device/counters.h"
#include "gnn/device/stream.h"

#ifdef __CUDACC__

#include <cuda_runtime.h>

#include "gnn/device/cuda_failure.h"

#define DEVICE_SHARED(name, type, extents) __shared__ type name extents
#define DEVICE_DYNAMIC_SHARED(name, type)                                       \
  extern __shared__ __align__(16) unsigned char device_dynamic_shared_memory[]; \
  type* const name = reinterpret_cast<type*>(device_dynamic_shared_memory)

namespace gnn::device {

struct Grid {
  dim3 blocks;
  dim3 threads;
  unsigned shared_bytes = 0;
};

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), const Grid& grid, Stream& stream, Arguments... arguments) {
  note(Counted::kLaunch);
  note_start(reinterpret_cast<const void*>(kernel));
  kernel<<<grid.blocks, grid.threads, grid.shared_bytes, reinterpret_cast<cudaStream_t>(stream.state())>>>(
      static_cast<Parameters>(arguments)...);
  const cudaError_t result = cudaGetLastError();
  if (result != cudaSuccess) throw_failure(result, "A kernel did not start, or one before it failed");
}

}  // namespace gnn::device

#else
#include "gnn/device/emulator.h"
#endif

namespace gnn::device {

// How many blocks of `per_block` it takes for `count` items.
inline unsigned blocks_for(int64_t count, int64_t per_block) {
  return static_cast<unsigned>((count + per_block - 1) / per_block);
}

// A thread per item, 256 to a block. Kernels that are started so find theirs by thread_index().
inline Grid grid_for(int64_t count) { return {blocks_for(count, 256), 256}; }

}  // namespace gnn::device

namespace gnn::cuda {

// The item of the calling thread in a grid_for().
__device__ inline int64_t thread_index() { return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

}  // namespace gnn::cuda
