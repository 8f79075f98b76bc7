#include "gnn/sparse/weighted_spmm.h"

#include <algorithm>
#include <cstring>

#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sparse/row_sum.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 256;

void add_scaled(const float* row, int64_t dim, float weight, float* out) {
  const int32_t first = 0;
  weighted_sum_rows(row, dim, &first, &weight, 1, out);
}

GNN_MULTIVERSION float dot(const float* __restrict a, const float* __restrict b, int64_t dim) {
  // Sixteen running sums: a fixed order that vectors can follow.
  float sums[16] = {};
  int64_t d = 0;
  for (; d + 16 <= dim; d += 16) {
    for (int64_t lane = 0; lane < 16; ++lane) sums[lane] += a[d + lane] * b[d + lane];
  }
  float total = 0.0f;
  for (; d < dim; ++d) total += a[d] * b[d];
  for (const float sum : sums) total += sum;
  return total;
}

GNN_MULTIVERSION void raise_row(const float* __restrict x, int64_t dim, float* __restrict highest) {
  for (int64_t d = 0; d < dim; ++d) highest[d] = x[d] > highest[d] ? x[d] : highest[d];
}

GNN_MULTIVERSION void count_ties(const float* __restrict x, const float* __restrict highest, int64_t dim,
                                 float* __restrict ties) {
  for (int64_t d = 0; d < dim; ++d) ties[d] += x[d] == highest[d] ? 1.0f : 0.0f;
}

GNN_MULTIVERSION void add_where_equal(const float* __restrict x, const float* __restrict out,
                                      const float* __restrict share, const float* __restrict dy, int64_t dim,
                                      float* __restrict dx) {
  for (int64_t d = 0; d < dim; ++d) dx[d] += x[d] == out[d] ? share[d] * dy[d] : 0.0f;
}

}  // namespace

void weighted_spmm(const BlockView& block, const WeightedSum& sum, const RowSource& x, float* out) {
  const int64_t dim = x.dim();
  const SegmentSums sums{.indptr = block.indptr, .indices = block.indices, .entry_weights = sum.edge_weights};
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    sum_segments(x, sums, begin, end, out + begin * dim);
    if (sum.self_weights == nullptr) return;
    const RowPlaces places = x.places();
    for (int64_t dst = begin; dst < end; ++dst)
      add_scaled(places.row(dst), dim, sum.self_weights[dst], out + dst * dim);
  });
}

void weighted_spmm(const BlockView& block, int64_t dim, const WeightedSum& sum, const float* x, float* out) {
  weighted_spmm(block, sum, RowSource(x, dim), out);
}

void weighted_spmm_grad(const WeightedSpmmGrad& op) {
  const BlockView& block = op.block;
  const WeightedSum& sum = op.sum;
  const int64_t dim = op.dim;
  const RowSource from(op.dy, dim);
  parallel_for(block.num_src, kRows, [&](int64_t begin, int64_t end) {
    const int32_t first = block.reverse_indptr[begin];
    const bool is_weighted = sum.edge_weights != nullptr;
    Scratch weights(is_weighted ? block.reverse_indptr[end] - first : 0);
    for (int32_t i = first; is_weighted && i < block.reverse_indptr[end]; ++i) {
      weights.data()[i - first] = sum.edge_weights[op.reverse_edges[i]];
    }
    const SegmentSums sums{.indptr = block.reverse_indptr,
                           .indices = block.reverse_indices,
                           .entry_weights = is_weighted ? weights.data() - first : nullptr};
    sum_segments(from, sums, begin, end, op.dx + begin * dim);
    if (sum.self_weights == nullptr) return;
    for (int64_t src = begin; src < std::min(end, block.num_dst); ++src) {
      add_scaled(op.dy + src * dim, dim, sum.self_weights[src], op.dx + src * dim);
    }
  });
}

void sddmm_dot(const BlockView& block, int64_t dim, const float* x, const float* y, float* out) {
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t dst = begin; dst < end; ++dst) {
      for (int32_t e = block.indptr[dst]; e < block.indptr[dst + 1]; ++e) {
        out[e] = dot(x + block.indices[e] * dim, y + dst * dim, dim);
      }
    }
  });
}

void spmm_max(const BlockView& block, int64_t dim, const float* x, float* out, float* share) {
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    std::memset(share + begin * dim, 0, static_cast<size_t>((end - begin) * dim) * sizeof(float));
    for (int64_t dst = begin; dst < end; ++dst) {
      const int32_t *first = block.indices + block.indptr[dst], *last = block.indices + block.indptr[dst + 1];
      float *highest = out + dst * dim, *ties = share + dst * dim;
      if (first == last) {
        std::memset(highest, 0, static_cast<size_t>(dim) * sizeof(float));
        continue;
      }
      std::copy_n(x + *first * dim, dim, highest);
      for (const int32_t* src = first + 1; src < last; ++src) raise_row(x + *src * dim, dim, highest);
      for (const int32_t* src = first; src < last; ++src) count_ties(x + *src * dim, highest, dim, ties);
      for (int64_t d = 0; d < dim; ++d) ties[d] = ties[d] > 0.0f ? 1.0f / ties[d] : 0.0f;
    }
  });
}

void spmm_max_grad(const SpmmMaxGrad& op) {
  const auto& [block, dim, x, out, share, dy, dx] = op;
  parallel_for(block.num_src, kRows, [&](int64_t begin, int64_t end) {
    std::memset(dx + begin * dim, 0, static_cast<size_t>((end - begin) * dim) * sizeof(float));
    for (int64_t src = begin; src < end; ++src) {
      for (int32_t i = block.reverse_indptr[src]; i < block.reverse_indptr[src + 1]; ++i) {
        const int64_t dst = block.reverse_indices[i];
        add_where_equal(x + src * dim, out + dst * dim, share + dst * dim, dy + dst * dim, dim, dx + src * dim);
      }
    }
  });
}

}  // namespace gnn
