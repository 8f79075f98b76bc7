#pragma once
// Barriers, shuffles and votes of the emulation. Each notes the line that calls it, so that threads which meet at
// different ones are told.
#include "gnn/device/emulator.h"

#define DEVICE_SITE std::source_location::current()

inline void __syncthreads(gnn::device::emulation::Site site = DEVICE_SITE) {
  gnn::device::emulation::block_barrier(false, site);
}
inline int __syncthreads_or(int predicate, gnn::device::emulation::Site site = DEVICE_SITE) {
  return gnn::device::emulation::block_barrier(predicate != 0, site) > 0;
}
inline int __syncthreads_count(int predicate, gnn::device::emulation::Site site = DEVICE_SITE) {
  return gnn::device::emulation::block_barrier(predicate != 0, site);
}
inline void __syncwarp(unsigned mask = 0xffffffffu, gnn::device::emulation::Site site = DEVICE_SITE) {
  gnn::device::emulation::warp_exchange(mask, 0, "__syncwarp", site);
}

namespace gnn::device::emulation {

template <typename T>
uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <typename T>
T from_bits(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// The value of lane `from`, or the own one where that lies outside the part of `width` lanes.
template <typename T>
T shuffled(unsigned mask, T value, int from, int width, const char* what, Site site) {
  const uint64_t* const all = warp_exchange(mask, to_bits(value), what, site);
  return from >= 0 && from / width == lane() / width ? from_bits<T>(all[from]) : value;
}

}  // namespace gnn::device::emulation

template <typename T>
T __shfl_sync(unsigned mask, T value, int from, int width = 32, gnn::device::emulation::Site site = DEVICE_SITE) {
  using namespace gnn::device::emulation;
  return shuffled(mask, value, (lane() & ~(width - 1)) + (from & (width - 1)), width, "__shfl_sync", site);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32, gnn::device::emulation::Site site = DEVICE_SITE) {
  using namespace gnn::device::emulation;
  return shuffled(mask, value, lane() ^ with, width, "__shfl_xor_sync", site);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32,
                   gnn::device::emulation::Site site = DEVICE_SITE) {
  using namespace gnn::device::emulation;
  return shuffled(mask, value, lane() + static_cast<int>(by), width, "__shfl_down_sync", site);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32, gnn::device::emulation::Site site = DEVICE_SITE) {
  using namespace gnn::device::emulation;
  return shuffled(mask, value, lane() - static_cast<int>(by), width, "__shfl_up_sync", site);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, gnn::device::emulation::Site site = DEVICE_SITE) {
  const uint64_t* const all = gnn::device::emulation::warp_exchange(mask, predicate != 0, "__ballot_sync", site);
  unsigned votes = 0;
  for (int i = 0; i < 32; ++i) votes |= (mask >> i & 1u) != 0 && all[i] != 0 ? 1u << i : 0u;
  return votes;
}
