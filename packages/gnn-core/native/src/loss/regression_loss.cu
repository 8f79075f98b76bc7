#include "gnn/cuda/loss/regression_loss.h"

#include <cmath>

#include "gnn/device/total.h"

namespace gnn::cuda {
namespace {

constexpr int64_t kLossChunk = 1024;  // entries of one warp

__device__ inline double loss_of(const RegressionLoss& op, double error) {
  const double size = fabs(error), delta = op.delta;
  if (op.kind == RegressionKind::kAbsolute) return size;
  if (op.kind == RegressionKind::kSquared) return error * error;
  return size <= delta ? error * error / 2 : delta * (size - delta / 2);
}

__device__ inline float slope_at(const RegressionLoss& op, float error) {
  if (op.kind == RegressionKind::kSquared) return 2 * error;
  if (op.kind == RegressionKind::kHuber) return fminf(fmaxf(error, -op.delta), op.delta);
  return static_cast<float>((error > 0) - (error < 0));
}

struct LossOfChunk {
  RegressionLoss op;
  __device__ double operator()(int64_t chunk) const {
    const int64_t begin = chunk * kLossChunk, end = begin + kLossChunk < op.count ? begin + kLossChunk : op.count;
    double sum = 0;
    for (int64_t i = begin + lane_index(); i < end; i += 32) {
      if (!isnan(op.targets[i])) sum += loss_of(op, static_cast<double>(op.outputs[i]) - op.targets[i]);
    }
    return warp_sum(sum);
  }
};

// A thread per entry.
__global__ void regression_loss_grad_kernel(RegressionLoss op, float scale, float* d_outputs) {
  const int64_t i = thread_index();
  if (i < op.count) d_outputs[i] = isnan(op.targets[i]) ? 0.0f : scale * slope_at(op, op.outputs[i] - op.targets[i]);
}

}  // namespace

void regression_loss_sum(Stream& stream, const RegressionLoss& op, float* sum) {
  sum_items(stream, (op.count + kLossChunk - 1) / kLossChunk, LossOfChunk{op}, StoreRounded{sum});
}

void regression_loss_grad(Stream& stream, const RegressionLoss& op, float scale, float* d_outputs) {
  if (op.count > 0)
    device::launch(regression_loss_grad_kernel, device::grid_for(op.count), stream, op, scale, d_outputs);
}

}  // namespace gnn::cuda
