#include "gnn/cuda/loss/cross_entropy.h"
#include "gnn/cuda/loss/regression_loss.h"
#include "gnn/cuda/loss/sigmoid_cross_entropy.h"
#include "gnn/cuda/train/step_sums.h"
#include "kernels.h"

namespace hopwise::kernels {
namespace {

// `kernel` leaves a sum in double; as float32 it goes to `to`.
template <typename Op>
void sum_into(void (*kernel)(gnn::device::Stream&, const Op&, double*), const Op& op, float* to) {
  const gnn::device::Array<double> sum(stream(), 1);
  kernel(stream(), op, sum.data());
  cuda::round_sum(stream(), sum.data(), to);
}

}  // namespace

void cross_entropy_sum(const gnn::CrossEntropy& op, float* to) { sum_into(cuda::cross_entropy_sum, op, to); }
void cross_entropy_grad(const gnn::CrossEntropy& op, float scale, float* d_logits) {
  cuda::cross_entropy_grad(stream(), op, scale, d_logits);
}
void sigmoid_cross_entropy_sum(const gnn::SigmoidCrossEntropy& op, float* to) {
  sum_into(cuda::sigmoid_cross_entropy_sum, op, to);
}
void sigmoid_cross_entropy_grad(const gnn::SigmoidCrossEntropy& op, float scale, float* d_logits) {
  cuda::sigmoid_cross_entropy_grad(stream(), op, scale, d_logits);
}
void regression_loss_sum(const gnn::RegressionLoss& op, float* to) { sum_into(cuda::regression_loss_sum, op, to); }
void regression_loss_grad(const gnn::RegressionLoss& op, float scale, float* d_outputs) {
  cuda::regression_loss_grad(stream(), op, scale, d_outputs);
}

}  // namespace hopwise::kernels
