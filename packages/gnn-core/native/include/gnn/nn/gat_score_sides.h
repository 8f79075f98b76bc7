#pragma once
// The gradient of a dst row's half of its scores, for CPUs and GPUs.
#ifdef __CUDACC__
#define GNN_HOST_DEVICE __host__ __device__
#else
#define GNN_HOST_DEVICE
#endif

namespace gnn {

// It is the sum over the row's edges of t_e s_e: t_e behind the softmax, s_e the slope of the leaky ReLU, 1 or `slope`.
// As a softmax's gradients sum to 0, the t of positive scores are minus those of the others: the sum is (1 - slope)
// times either. The side with less attention is taken: where all scores have one sign, the gradient is 0 and not what
// rounding leaves of a sum of large terms.
struct ScoreSides {
  float positive = 0.0f;  // sum of t where the score is positive
  float negative = 0.0f;
  float positive_attention = 0.0f;

  GNN_HOST_DEVICE void add(bool is_positive, float attention, float t) {
    if (is_positive) {
      positive += t;
      positive_attention += attention;
    } else {
      negative += t;
    }
  }
  GNN_HOST_DEVICE float gradient(float slope) const {
    return (1.0f - slope) * (positive_attention > 0.5f ? -negative : positive);
  }
};

}  // namespace gnn
