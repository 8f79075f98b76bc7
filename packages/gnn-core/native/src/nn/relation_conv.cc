#include "gnn/nn/relation_conv.h"

#include <algorithm>
#include <cstring>

#include "gnn/dense/linear.h"
#include "gnn/dense/rows.h"
#include "gnn/dense/sgemm.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sparse/row_sum.h"

namespace gnn {
namespace {

// Rows of one fused chunk: their sums stay in the second-level cache until the sgemm reads them.
constexpr int64_t kFusedRows = 2 * kBlockRows;

void clear(float* values, int64_t count) { std::memset(values, 0, static_cast<size_t>(count) * sizeof(float)); }

// out[rows[i]] += values[i]. No row is there twice.
void add_to_rows(const float* values, const int32_t* rows, int64_t count, int64_t dim, float* out) {
  for (int64_t i = 0; i < count; ++i) add_column_sums(1, dim, values + i * dim, out + rows[i] * dim);
}

SegmentSums sums_of(const RelationSegments& segments, bool mean) {
  return {.indptr = segments.indptr, .indices = segments.entries, .mean = mean};
}

// One relation's part of the gradients. The buffers have a row for each of its segments.
struct RelationGrad {
  const RelationConvGrad& op;
  int32_t first;     // segment
  int64_t rows;      // segments
  int64_t relation;

  int64_t weight_size() const { return op.x.dim() * op.out_dim; }

  void load(float* sums, float* g) const {
    const RelationSegments& by_dst = op.by_dst;
    parallel_for(rows, kFusedRows, [&](int64_t begin, int64_t end) {
      sum_segments(op.x, sums_of(by_dst, op.mean), first + begin, first + end, sums + begin * op.x.dim());
      for (int64_t s = begin; s < end; ++s) {
        std::memcpy(g + s * op.out_dim, op.dy + by_dst.rows[first + s] * op.out_dim,
                    static_cast<size_t>(op.out_dim) * sizeof(float));
      }
    });
  }

  // dx[u] += the sum over u's edges of this relation of g W^T at their segments, by their length for means
  void add_input_grad(const float* g, float* d_sums) const {
    const int64_t dim = op.x.dim();
    sgemm({.trans_b = true, .m = rows, .n = dim, .k = op.out_dim, .a = g,
           .b = op.weights + relation * weight_size(), .c = d_sums});
    Scratch shares(op.mean ? rows : 0);
    for (int64_t s = 0; op.mean && s < rows; ++s) {
      const int32_t* offsets = op.by_dst.indptr + first + s;
      shares.data()[s] = 1.0f / static_cast<float>(offsets[1] - offsets[0]);
    }
    const RelationSegments& by_src = *op.by_src;
    const SegmentSums sums{.indptr = by_src.indptr, .indices = by_src.entries,
                           .row_weights = op.mean ? shares.data() : nullptr};
    const int32_t begin_src = by_src.relations[relation];
    const RowSource from(d_sums, dim);
    parallel_for(by_src.relations[relation + 1] - begin_src, kFusedRows, [&](int64_t begin, int64_t end) {
      Scratch chunk((end - begin) * dim);
      sum_segments(from, sums, begin_src + begin, begin_src + end, chunk.data());
      add_to_rows(chunk.data(), by_src.rows + begin_src + begin, end - begin, dim, op.dx);
    });
  }
};

int64_t most_segments(const RelationSegments& segments) {
  int64_t most = 0;
  for (int64_t r = 0; r < segments.num_relations; ++r) {
    most = std::max<int64_t>(most, segments.relations[r + 1] - segments.relations[r]);
  }
  return most;
}

}  // namespace

void relation_conv(const RelationConv& op) {
  const RelationSegments& by_dst = op.by_dst;
  const int64_t in_dim = op.x.dim(), out_dim = op.out_dim;
  clear(op.out, op.num_dst * out_dim);
  for (int64_t r = 0; r < by_dst.num_relations; ++r) {
    const int32_t first = by_dst.relations[r];
    parallel_for(by_dst.relations[r + 1] - first, kFusedRows, [&](int64_t begin, int64_t end) {
      const int64_t rows = end - begin;
      Scratch sums(rows * in_dim), products(rows * out_dim);
      sum_segments(op.x, sums_of(by_dst, op.mean), first + begin, first + end, sums.data());
      sgemm_serial({.m = rows, .n = out_dim, .k = in_dim, .a = sums.data(),
                    .b = op.weights + r * in_dim * out_dim, .c = products.data()});
      add_to_rows(products.data(), by_dst.rows + first + begin, rows, out_dim, op.out);
    });
  }
}

void relation_conv_grad(const RelationConvGrad& op) {
  const RelationSegments& by_dst = op.by_dst;
  const int64_t most = most_segments(by_dst);
  Scratch sums(most * op.x.dim()), g(most * op.out_dim);
  if (op.dx != nullptr) clear(op.dx, op.num_src * op.x.dim());
  for (int64_t r = 0; r < by_dst.num_relations; ++r) {
    const int32_t first = by_dst.relations[r];
    const RelationGrad relation{op, first, by_dst.relations[r + 1] - first, r};
    float* d_weight = op.d_weights + r * relation.weight_size();
    if (relation.rows == 0) {
      clear(d_weight, relation.weight_size());
      continue;
    }
    relation.load(sums.data(), g.data());
    const RowSource summed(sums.data(), op.x.dim());
    weight_gradients({.rows = relation.rows, .out_dim = op.out_dim, .dy = g.data(), .weights = {{summed, d_weight}}});
    if (op.dx != nullptr) relation.add_input_grad(g.data(), sums.data());
  }
}

}  // namespace gnn
