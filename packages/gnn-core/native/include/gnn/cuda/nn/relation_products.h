#pragma once
// Products of the rows of segments with the weights of their relations, of all relations in one kernel.
#include "gnn/device/stream.h"
#include "gnn/sparse/relation_segments.h"

namespace gnn::cuda {

using device::Stream;

// C_s = A_s op(W_r) for every segment s, of relation r
struct SegmentProduct {
  RelationSegments segments;
  const float* a;         // row s is that of segment s, or rows[s] is
  bool by_row;
  const float* weights;   // [num_relations, k, n], or [num_relations, n, k] transposed
  bool transposed;
  bool by_length;         // rows are divided by the lengths of their segments
  int64_t k, n;
  float* c;               // [num_segments, n]
};
void multiply_segments(Stream& stream, const SegmentProduct& op);

// dW_r = sum over the segments s of relation r of sums_s^T dy[rows[s]]
struct RelationWeightGrad {
  RelationSegments segments;
  const float* sums;  // [num_segments, m]
  const float* dy;    // rows of n
  int64_t m, n;
  float* d_weights;   // [num_relations, m, n]
};
// A long sum is cut into parts that are added in their order: always the same bits.
void relation_weight_gradients(Stream& stream, const RelationWeightGrad& op);

}  // namespace gnn::cuda
