#pragma once
// What tests set in the emulation, and nothing else: in which order threads take turns, how much memory there is,
// and when the device is lost.
#include <cstddef>
#include <cstdint>

namespace gnn::device::emulation {

// How threads, warps and blocks take turns. A kernel without races gives the same under all of them.
enum class Order { kForward, kBackward, kShuffled };
void set_order(Order order, uint64_t seed = 1);

// Bytes that the device has for allocations from now on.
void set_memory(size_t bytes);
// Bytes that are allocated.
size_t memory_in_use();

// The device is lost, DEVICE_LOST from then on, when so many further pieces of work have been done: kernels and copies.
void lose_device_after(uint64_t pieces);

// A device on which a kernel has failed refuses everything from then on, as a GPU does to the process. This makes it
// usable again, where a GPU needs a new process.
void reset_device();

}  // namespace gnn::device::emulation
