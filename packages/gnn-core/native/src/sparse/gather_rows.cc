#include "gnn/sparse/gather_rows.h"

#include <algorithm>
#include <cstring>

#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 1024;
constexpr int64_t kColumns = 64;

}  // namespace

void gather_rows(int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out) {
  parallel_for(num_rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::memcpy(out + i * dim, x + rows[i] * dim, static_cast<size_t>(dim) * sizeof(float));
    }
  });
}

void put_rows(int64_t num_rows, int64_t dim, const float* x, const int32_t* rows, float* out) {
  parallel_for(num_rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::memcpy(out + rows[i] * dim, x + i * dim, static_cast<size_t>(dim) * sizeof(float));
    }
  });
}

void scatter_add_rows(const ScatterAddRows& op) {
  const int64_t dim = op.dim;
  std::memset(op.out, 0, static_cast<size_t>(op.num_out * dim) * sizeof(float));
  parallel_for(dim, kColumns, [&](int64_t begin, int64_t end) {
    for (int64_t i = 0; i < op.num_rows; ++i) {
      float* to = op.out + op.rows[i] * dim;
      const float* from = op.dy + i * dim;
      for (int64_t d = begin; d < end; ++d) to[d] += from[d];
    }
  });
}

}  // namespace gnn
