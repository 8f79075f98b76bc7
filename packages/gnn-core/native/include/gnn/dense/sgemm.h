#pragma once
#include <cstdint>

namespace gnn {

// Rows multiplied at once where there are enough of them: a chunk of whole blocks needs no smaller product at its end.
constexpr int64_t kBlockRows = 192;

// C [m, n] = op(A) op(B) + beta C, row-major float32; op(A) is [m, k] and op(B) [k, n].
struct Sgemm {
  bool trans_a = false;
  bool trans_b = false;
  int64_t m;
  int64_t n;
  int64_t k;
  const float* a;  // [m, k], transposed [k, m]
  const float* b;  // [k, n], transposed [n, k]
  float beta = 0.0f;
  float* c;
};

// On the calling thread (oneDNN). Unless A is transposed, the bits of a row of C depend on that row of A, on B and on
// beta: not on m, nor on where the row stands.
void sgemm_serial(const Sgemm& op);

// Multiplies as above, split over the pool by rows of C, or by k when A is transposed. The chunks depend on the shape
// only.
void sgemm(const Sgemm& op);

// Rows per chunk for row-split dense work on `rows` rows: whole blocks.
int64_t row_chunk(int64_t rows);

// A reduction over rows into several outputs at once, cut into a bounded number of chunks.
struct ReductionPlan {
  int64_t chunk;
  int64_t num_chunks;
};
ReductionPlan plan_reduction(int64_t rows);

// out[i] = sum over c of parts[c * size + i], in the order of c.
void sum_parts(const float* parts, int64_t num_parts, int64_t size, float* out);

}  // namespace gnn
