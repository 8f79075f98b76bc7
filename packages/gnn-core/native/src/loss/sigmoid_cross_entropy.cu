#include "gnn/cuda/loss/sigmoid_cross_entropy.h"

#include <cmath>

#include "gnn/device/total.h"

namespace gnn::cuda {
namespace {

__device__ inline float row_weight(const SigmoidCrossEntropy& op, int64_t row) {
  return op.weights == nullptr ? 1.0f : op.weights[row];
}

// The lanes of a warp stand side by side in the classes of a row. max(z, 0) + log(1 + e^-|z|) is softplus without
// overflow.
struct SigmoidLossOfRow {
  SigmoidCrossEntropy op;
  __device__ double operator()(int64_t row) const {
    double sum = 0;
    for (int64_t i = row * op.classes + lane_index(); i < (row + 1) * op.classes; i += 32) {
      const double z = op.logits[i];
      sum += fmax(z, 0.0) + log1p(exp(-fabs(z))) - op.targets[i] * z;
    }
    return row_weight(op, row) * warp_sum(sum);
  }
};

// What one row adds to hits, and to trials, in both of these.
struct HitsOfRow {
  LabelCounts op;
  __device__ double operator()(int64_t row) const {
    int both = 0;
    for (int64_t c = lane_index(); c < op.classes; c += 32) {
      const int64_t i = row * op.classes + c;
      both += op.outputs[i] >= op.cuts[c] && op.targets[i] == 1.0f;
    }
    return 2 * warp_sum(both);
  }
};

struct TrialsOfRow {
  LabelCounts op;
  __device__ double operator()(int64_t row) const {
    int either = 0;
    for (int64_t c = lane_index(); c < op.classes; c += 32) {
      const int64_t i = row * op.classes + c;
      either += (op.outputs[i] >= op.cuts[c] ? 1 : 0) + (op.targets[i] == 1.0f ? 1 : 0);
    }
    return warp_sum(either);
  }
};

// A thread per element.
__global__ void sigmoid_cross_entropy_grad_kernel(SigmoidCrossEntropy op, float scale, float* d_logits) {
  const int64_t i = thread_index();
  if (i >= op.rows * op.classes) return;
  d_logits[i] = scale * row_weight(op, i / op.classes) * (1.0f / (1.0f + expf(-op.logits[i])) - op.targets[i]);
}

}  // namespace

void sigmoid_cross_entropy_sum(Stream& stream, const SigmoidCrossEntropy& op, float* sum) {
  sum_items(stream, op.rows, SigmoidLossOfRow{op}, StoreRounded{sum});
}

void sigmoid_cross_entropy_grad(Stream& stream, const SigmoidCrossEntropy& op, float scale, float* d_logits) {
  const int64_t count = op.rows * op.classes;
  if (count > 0)
    device::launch(sigmoid_cross_entropy_grad_kernel, device::grid_for(count), stream, op, scale, d_logits);
}

void count_labels(Stream& stream, const LabelCounts& op) {
  sum_items(stream, op.rows, HitsOfRow{op}, StoreRounded{op.hits});
  sum_items(stream, op.rows, TrialsOfRow{op}, StoreRounded{op.trials});
}

}  // namespace gnn::cuda
