#pragma once
#include <cstdint>

namespace gnn {

// scores [num_queries, num_rows] = queries rows^T in single precision, on the calling thread. A few queries read the
// rows as fast as memory gives them; many are a product of matrices.
void block_scores(const float* queries, int64_t num_queries, const float* rows, int64_t num_rows, int64_t dim,
                  float* scores);

// Numbers i with scores[i] >= a + b norms[i] + c norms[i]^2; none where either is NaN. Returns how many.
struct ScoreLimit {
  float a;
  float b;
  float c;
};
int64_t rows_above(const float* scores, const float* norms, int64_t count, const ScoreLimit& limit, int32_t* above);

}  // namespace gnn
