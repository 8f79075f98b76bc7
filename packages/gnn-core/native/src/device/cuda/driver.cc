// The device driver of a GPU: CUDA's runtime, linked statically.
#include "gnn/device/driver.h"

#include <cuda_runtime_api.h>

#include <cstring>
#include <string>

#include "gnn/device/cuda_failure.h"
#include "gnn/error.h"

namespace gnn::device::driver {
namespace {

void check(cudaError_t result, const char* code = "DEVICE_FAULT") {
  if (result != cudaSuccess) throw_failure(result, "CUDA failed", code);
}

// The first call of a process to the driver.
void require_device(cudaError_t result) {
  if (result == cudaErrorInsufficientDriver || result == cudaErrorNoDevice) {
    cudaGetLastError();
    throw Error("DEVICE_NOT_AVAILABLE",
                std::string("CUDA finds no device (") + cudaGetErrorString(result) +
                    "). It needs a GPU that this process may see, and NVIDIA's driver 580 or newer.");
  }
  check(result, "DEVICE_NOT_AVAILABLE");
}

cudaStream_t stream_of(StreamState* stream) { return reinterpret_cast<cudaStream_t>(stream); }
cudaEvent_t event_of(EventState* event) { return reinterpret_cast<cudaEvent_t>(event); }

// Null when `result` says that there is no memory; other failures throw.
void* memory_or_null(cudaError_t result, void* memory) {
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // forgets it
    return nullptr;
  }
  check(result);
  return memory;
}

}  // namespace

const char* name() {
  static cudaDeviceProp properties;
  int device = 0;
  require_device(cudaGetDevice(&device));
  require_device(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

std::string bus_address() {
  char address[32] = "";
  int device = 0;
  require_device(cudaGetDevice(&device));
  check(cudaDeviceGetPCIBusId(address, sizeof address, device));
  return address;
}

StreamState* create_stream(bool is_urgent) {
  cudaStream_t stream = nullptr;
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "DEVICE_NOT_AVAILABLE");
  const int priority = is_urgent ? greatest : least;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority), "DEVICE_NOT_AVAILABLE");
  return reinterpret_cast<StreamState*>(stream);
}
void destroy(StreamState* stream) { cudaStreamDestroy(stream_of(stream)); }
void synchronize(StreamState* stream) { check(cudaStreamSynchronize(stream_of(stream))); }

EventState* create_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return reinterpret_cast<EventState*>(event);
}
void destroy(EventState* event) { cudaEventDestroy(event_of(event)); }
void record(EventState* event, StreamState* stream) { check(cudaEventRecord(event_of(event), stream_of(stream))); }
bool is_done(EventState* event) {
  const cudaError_t result = cudaEventQuery(event_of(event));
  if (result == cudaErrorNotReady) {
    cudaGetLastError();  // forgets it
    return false;
  }
  check(result);
  return true;
}
void synchronize(EventState* event) { check(cudaEventSynchronize(event_of(event))); }
void wait(StreamState* stream, EventState* event) { check(cudaStreamWaitEvent(stream_of(stream), event_of(event), 0)); }

void* allocate(size_t bytes) {
  void* memory = nullptr;
  const cudaError_t result = cudaMalloc(&memory, bytes);
  return memory_or_null(result, memory);
}
void release(void* memory) { check(cudaFree(memory)); }
void* allocate_pinned(size_t bytes) {
  void* memory = nullptr;
  const cudaError_t result = cudaMallocHost(&memory, bytes);
  return memory_or_null(result, memory);
}
void release_pinned(void* memory) { cudaFreeHost(memory); }

bool register_host(const void* memory, size_t bytes) {
  int reads_only = 0, device = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&reads_only, cudaDevAttrHostRegisterReadOnlySupported, device));
  // Mappings of files are not writable: without this they could not be pinned at all.
  const unsigned flags = cudaHostRegisterMapped | (reads_only != 0 ? cudaHostRegisterReadOnly : 0u);
  if (cudaHostRegister(const_cast<void*>(memory), bytes, flags) == cudaSuccess) return true;
  cudaGetLastError();  // forgets it
  return false;
}
void unregister_host(const void* memory) { check(cudaHostUnregister(const_cast<void*>(memory))); }
const void* device_address(const void* memory) {
  void* address = nullptr;
  check(cudaHostGetDevicePointer(&address, const_cast<void*>(memory), 0));
  return address;
}

namespace {

// The driver puts small allocations into pieces of this size, and a handle opens the whole piece.
constexpr size_t kShared = size_t{2} << 20;

void require_peer(cudaError_t result) { check(result, "DEVICE_PEER_REFUSED"); }

}  // namespace

void* allocate_shared(size_t bytes) { return allocate((bytes + kShared - 1) / kShared * kShared); }
void release_shared(void* memory) { release(memory); }
MemoryHandle export_memory(void* memory) {
  cudaIpcMemHandle_t handle;
  require_peer(cudaIpcGetMemHandle(&handle, memory));
  MemoryHandle bytes;
  static_assert(sizeof handle == sizeof bytes);
  std::memcpy(bytes.data(), &handle, sizeof handle);
  return bytes;
}
// Peer access is switched on as it is opened. cudaDeviceCanAccessPeer cannot be asked before: a rank's process sees no
// other device than its own.
void* open_memory(const MemoryHandle& bytes) {
  cudaIpcMemHandle_t handle;
  std::memcpy(&handle, bytes.data(), sizeof handle);
  void* memory = nullptr;
  require_peer(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess));
  return memory;
}
void close_memory(void* memory) { check(cudaIpcCloseMemHandle(memory)); }

MemoryState memory_state() {
  MemoryState state{};
  check(cudaMemGetInfo(&state.free, &state.total));
  return state;
}

void upload(void* to, const void* from, size_t bytes, StreamState* stream) {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_of(stream)));
}
void download(void* to, const void* from, size_t bytes, StreamState* stream) {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_of(stream)));
}
void copy(void* to, const void* from, size_t bytes, StreamState* stream) {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_of(stream)));
}
void fill(void* memory, int byte, size_t bytes, StreamState* stream) {
  if (bytes > 0) check(cudaMemsetAsync(memory, byte, bytes, stream_of(stream)));
}

std::string why_not_with(const SharedLibrary&) { return ""; }

void note_taken(void*, size_t, StreamState*) {}
void note_returned(void*, size_t, StreamState*) {}

}  // namespace gnn::device::driver
