#pragma once
// What is asked of a device, implemented twice: by CUDA's runtime (src/device/cuda) and by the emulation
// (src/device/emulated). A program links one of the two; nothing that includes this header needs CUDA's headers.
#include <array>
#include <cstddef>
#include <string>

namespace gnn::device {
class SharedLibrary;
}

namespace gnn::device::driver {

struct StreamState;
struct EventState;

// The name of the device; "emulation" of the emulated one.
const char* name();
// Where it sits on the bus, such as "0000:65:00.0"; "emulation" of the emulated one, which sits nowhere.
std::string bus_address();

// With `is_urgent` its kernels begin before those of other streams that wait, too.
StreamState* create_stream(bool is_urgent = false);
void destroy(StreamState* stream);
// Returns when all work of the stream is done. Throws DEVICE_FAULT when a kernel failed, DEVICE_LOST when the device
// did; so does everything that is asked of it afterwards.
void synchronize(StreamState* stream);

EventState* create_event();
void destroy(EventState* event);
void record(EventState* event, StreamState* stream);
bool is_done(EventState* event);
void synchronize(EventState* event);
// What is enqueued on the stream from now on waits for the event, the host does not.
void wait(StreamState* stream, EventState* event);

// Null when the device has no such piece left. Contents undefined, aligned to 256 bytes.
void* allocate(size_t bytes);
void release(void* memory);
// Memory of the host that the device reads and writes by itself. Null when there is none left.
void* allocate_pinned(size_t bytes);
void release_pinned(void* memory);
// Pins memory of the host where it lies, for the device to read. @returns false where the driver does not: mappings of
// files are not pinned on every system, and nothing is pinned twice
bool register_host(const void* memory, size_t bytes);
// Nothing that was enqueued may still read it.
void unregister_host(const void* memory);
// What kernels read pinned or registered memory by, through host_memory.h.
const void* device_address(const void* memory);

// Memory that devices of other processes on this host may read. It is an allocation of its own, not of a pool: peers
// know nothing of the stream in whose order a pool takes a piece again, and a handle opens all that was allocated
// together. Null when the device has no such piece left.
void* allocate_shared(size_t bytes);
// After every other process has closed it: what it still read would be anybody's.
void release_shared(void* memory);
// What another process opens it by, as long as this one lives.
using MemoryHandle = std::array<char, 64>;
// Throws DEVICE_PEER_REFUSED where the driver gives no handles.
MemoryHandle export_memory(void* memory);
// Memory of another process, for kernels of this one's device to read. Throws DEVICE_PEER_REFUSED where the devices do
// not reach each other, the processes see different hosts, or the other one is gone.
void* open_memory(const MemoryHandle& handle);
// Nothing that was enqueued may still read it.
void close_memory(void* memory);

struct MemoryState {
  size_t free;
  size_t total;
};
MemoryState memory_state();

// In stream order; the host's memory must live, and stay as it is, until the stream has done it.
void upload(void* to, const void* from, size_t bytes, StreamState* stream);
void download(void* to, const void* from, size_t bytes, StreamState* stream);
void copy(void* to, const void* from, size_t bytes, StreamState* stream);
void fill(void* memory, int byte, size_t bytes, StreamState* stream);

// Why functions of this library, which is open, cannot be called with streams and memory of this device; empty when
// they can. A library of NVIDIA's knows GPUs alone; the emulation takes a test's double, which it connects with its
// streams.
std::string why_not_with(const SharedLibrary& library);

// What the pool does with its memory, in stream order: the emulation poisons what is taken and guards what is not.
// Nothing on a GPU.
void note_taken(void* memory, size_t bytes, StreamState* stream);
void note_returned(void* memory, size_t bytes, StreamState* stream);

}  // namespace gnn::device::driver
