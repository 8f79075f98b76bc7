#pragma once
#include <cstdint>

#include "gnn/device/stream.h"

namespace gnn::cuda {

using device::Stream;

// out_s = scale_s * (sum over entries i of segment s of w_i x[indices[i]]) + self_s x[s], for the first ones + out_s,
// every sum entry by entry in their order. All pointers are of the device.
struct SegmentSums {
  int64_t count;                           // segments
  int64_t dim;
  const int32_t* indptr;                   // [count + 1]
  const int32_t* indices;                  // rows of x
  const float* x;                          // rows of `dim`
  bool mean = false;                       // scale_s is 1 / length, 0 for an empty segment; else 1
  const float* entry_weights = nullptr;    // null: 1
  const int32_t* entries = nullptr;        // where an entry's weight lies; null: at the entry's own position
  const int32_t* degree_indptr = nullptr;  // not null: row r of x is divided by degree_indptr[r + 1] - degree_indptr[r]
  int64_t num_selves = 0;                  // segments s below that have a term of their own
  const float* self_weights = nullptr;     // [num_selves] self_s
  const float* epsilon = nullptr;          // [1], not null: self_s = 1 + epsilon instead
  int64_t accumulate_until = 0;            // segments that are added to out instead of written
  float* out;                              // [count, dim]
  float out_scale = 1.0f;                  // what all that is written to it is multiplied with at last
  bool beside_own = false;                 // out [count, 2 dim]: row s of x, then its sum, which nothing is added to
};
void sum_segments(Stream& stream, const SegmentSums& op);

}  // namespace gnn::cuda
