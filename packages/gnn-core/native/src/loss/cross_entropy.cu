#include "gnn/cuda/loss/cross_entropy.h"

#include <cmath>

#include "gnn/device/total.h"

namespace gnn::cuda {
namespace {

__device__ inline float weight_of(const CrossEntropy& op, int64_t row) {
  return op.weights == nullptr ? 1.0f : op.weights[row];
}

__device__ inline float largest_of(const CrossEntropy& op, int64_t row) {
  float highest = -INFINITY;
  for (int64_t c = lane_index(); c < op.classes; c += 32) highest = fmaxf(highest, op.logits[row * op.classes + c]);
  return warp_max(highest);
}

__device__ inline double exponential_sum(const CrossEntropy& op, int64_t row, float highest) {
  double sum = 0;
  for (int64_t c = lane_index(); c < op.classes; c += 32) sum += expf(op.logits[row * op.classes + c] - highest);
  return warp_sum(sum);
}

// The lanes of a warp stand side by side in the classes of a row, in all of these.
struct LossOfRow {
  CrossEntropy op;
  __device__ double operator()(int64_t row) const {
    const int32_t label = op.labels[row];
    if (label < 0) return 0;
    const float highest = largest_of(op, row);
    const double sum = exponential_sum(op, row, highest);
    return -weight_of(op, row) * (static_cast<double>(op.logits[row * op.classes + label]) - highest - log(sum));
  }
};

struct IsHit {
  CrossEntropy op;
  __device__ double operator()(int64_t row) const {
    const int32_t label = op.labels[row];
    if (label < 0) return 0;
    const float at_label = op.logits[row * op.classes + label];
    int is_beaten = 0;
    for (int64_t c = lane_index(); c < op.classes; c += 32) {
      const float other = op.logits[row * op.classes + c];
      if (other > at_label || (other == at_label && c < label)) is_beaten = 1;
    }
    return __ballot_sync(kAllLanes, is_beaten) == 0;
  }
};

// A warp per row.
__global__ void __launch_bounds__(kRowWarps * 32)
    cross_entropy_grad_kernel(CrossEntropy op, float scale, float* d_logits) {
  const int64_t row = warp_index();
  if (row >= op.rows) return;
  const int32_t label = op.labels[row];
  const float highest = largest_of(op, row), by = scale * weight_of(op, row);
  const float normalise = static_cast<float>(by / exponential_sum(op, row, highest));
  for (int64_t c = lane_index(); c < op.classes; c += 32) {
    const int64_t at = row * op.classes + c;
    const float g = expf(op.logits[at] - highest) * normalise - (c == label ? by : 0.0f);
    d_logits[at] = label < 0 ? 0.0f : g;
  }
}

}  // namespace

void cross_entropy_sum(Stream& stream, const CrossEntropy& op, float* sum) {
  sum_items(stream, op.rows, LossOfRow{op}, StoreRounded{sum});
}

void cross_entropy_grad(Stream& stream, const CrossEntropy& op, float scale, float* d_logits) {
  if (op.rows == 0) return;
  device::launch(cross_entropy_grad_kernel, grid_of_warps(op.rows), stream, op, scale, d_logits);
}

void count_hits(Stream& stream, const CrossEntropy& op, float* hits) {
  sum_items(stream, op.rows, IsHit{op}, StoreRounded{hits});
}

}  // namespace gnn::cuda
