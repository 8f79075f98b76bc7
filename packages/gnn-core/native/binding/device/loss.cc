#include "gnn/cuda/loss/cross_entropy.h"
#include "gnn/cuda/loss/k_vs_all.h"
#include "gnn/cuda/loss/regression_loss.h"
#include "gnn/cuda/loss/sigmoid_cross_entropy.h"
#include "kernels.h"

namespace hopwise::kernels {
void cross_entropy_sum(const gnn::CrossEntropy& op, float* to) { cuda::cross_entropy_sum(stream(), op, to); }
void cross_entropy_grad(const gnn::CrossEntropy& op, float scale, float* d_logits) {
  cuda::cross_entropy_grad(stream(), op, scale, d_logits);
}
void sigmoid_cross_entropy_sum(const gnn::SigmoidCrossEntropy& op, float* to) {
  cuda::sigmoid_cross_entropy_sum(stream(), op, to);
}
void sigmoid_cross_entropy_grad(const gnn::SigmoidCrossEntropy& op, float scale, float* d_logits) {
  cuda::sigmoid_cross_entropy_grad(stream(), op, scale, d_logits);
}
void regression_loss_sum(const gnn::RegressionLoss& op, float* to) { cuda::regression_loss_sum(stream(), op, to); }
void regression_loss_grad(const gnn::RegressionLoss& op, float scale, float* d_outputs) {
  cuda::regression_loss_grad(stream(), op, scale, d_outputs);
}
void k_vs_all(const gnn::KvsAll& op, float* loss) { cuda::k_vs_all(stream(), op, loss); }

}  // namespace hopwise::kernels
