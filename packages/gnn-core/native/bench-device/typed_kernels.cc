// The kernels of relations, heads, sparse features and learned rows. Bytes are those of the rows that are read and
// written; where products dominate, the bound is theirs.
#include "groups.h"

#include "gnn/cuda/nn/head_products.h"
#include "gnn/cuda/nn/relation_conv.h"
#include "gnn/cuda/optim/sparse_update.h"
#include "gnn/cuda/sparse/csr_matmul.h"

namespace bench {
namespace {

double bytes_of(int64_t floats) { return 4.0 * static_cast<double>(floats); }

Array<int32_t> steps(Stream& stream, int64_t count, int64_t by) {
  std::vector<int32_t> values;
  for (int64_t i = 0; i <= count; ++i) values.push_back(static_cast<int32_t>(i * by));
  return uploaded(stream, values);
}

// Weights of their own for each head of rows, as HGT has them.
void report_head_products(Stream& stream) {
  const int64_t rows = sized(200'000, 40), heads = 8, dim = sized(32, 4), width = heads * dim;
  const Array<float> x = random_floats(stream, rows * width), out(stream, rows * width),
                     weights = random_floats(stream, heads * dim * dim);
  report(stream, {"multiplyHeads", Bound::kCopy, bytes_of(2 * rows * width), [&] {
                    gnn::cuda::multiply_heads(stream, {.rows = rows,
                                                       .heads = heads,
                                                       .a = {x.data(), 1, dim},
                                                       .weights = weights.data(),
                                                       .transposed = false,
                                                       .c = {out.data(), 1, dim}});
                  }});
  const Array<float> d_weights(stream, heads * dim * dim);
  report(stream, {"headWeightGradients", Bound::kCopy, bytes_of(2 * rows * width), [&] {
                    gnn::cuda::head_weight_gradients(
                        stream, {rows, heads, {x.data(), 1, dim}, {out.data(), 1, dim}, d_weights.data()});
                  }});
}

// Four relations, their edges in turn: sums of the relations' rows, which then meet the weights of their own.
void report_relation_conv(Stream& stream) {
  const int64_t num_dst = sized(50'000, 20), num_src = 4 * num_dst, relations = 4, of_relation = 4;
  const int64_t segments = relations * num_dst, edges = segments * of_relation, dim = sized(256, 8);
  std::vector<int32_t> first, rows;
  for (int64_t r = 0; r <= relations; ++r) first.push_back(static_cast<int32_t>(r * num_dst));
  for (int64_t s = 0; s < segments; ++s) rows.push_back(static_cast<int32_t>(s % num_dst));
  const Array<int32_t> relation_indptr = uploaded(stream, first), segment_rows = uploaded(stream, rows),
                       indptr = steps(stream, segments, of_relation), entries = random_ids(stream, edges, num_src);
  const gnn::RelationSegments by_dst{.num_relations = relations,
                                     .num_segments = segments,
                                     .relations = relation_indptr.data(),
                                     .rows = segment_rows.data(),
                                     .indptr = indptr.data(),
                                     .entries = entries.data()};
  const Array<float> x = random_floats(stream, num_src * dim), weights = random_floats(stream, relations * dim * dim),
                     out(stream, num_dst * dim), d_weights(stream, relations * dim * dim);
  const gnn::RowSource of_x(x.data(), dim);
  const double work = 2.0 * static_cast<double>(segments * dim * dim);
  report(stream, {"relationConv", Bound::kProducts, work, [&] {
                    gnn::cuda::relation_conv(stream,
                                             {by_dst, true, num_dst, dim, of_x, weights.data(), out.data()});
                  }});
  report(stream, {"relationWeightGradients", Bound::kProducts, work, [&] {
                    gnn::cuda::relation_conv_grad(stream, {by_dst, nullptr, true, num_src, dim, of_x, weights.data(),
                                                           out.data(), nullptr, d_weights.data()});
                  }});
}

// Half a percent of the columns of bags of words.
void report_sparse_features(Stream& stream) {
  const int64_t rows = sized(100'000, 30), columns = sized(10'000, 40), of_row = sized(50, 4), dim = sized(256, 8);
  const int64_t count = rows * of_row;
  const Array<int32_t> indptr = steps(stream, rows, of_row), indices = random_ids(stream, count, columns);
  const Array<float> values = random_floats(stream, count), weight = random_floats(stream, columns * dim),
                     out(stream, rows * dim), d_weight(stream, columns * dim);
  const gnn::CsrView x{rows, columns, indptr.data(), indices.data(), values.data(), count};
  report(stream, {"csrMatmul", Bound::kCopy, bytes_of((count + rows) * dim), [&] {
                    gnn::cuda::csr_matmul(stream, {.x = x, .out_dim = dim, .weight = weight.data(), .out = out.data()});
                  }});
  report(stream, {"csrMatmulGrad", Bound::kCopy, bytes_of((count + columns) * dim),
                  [&] { gnn::cuda::csr_matmul_grad(stream, x, dim, out.data(), d_weight.data()); }});
}

// Rows of a batch among those of all nodes: each and its state are read and written, its gradient is read.
void report_learned_rows(Stream& stream) {
  const int64_t nodes = sized(2'400'000, 100), count = sized(400'000, 50), dim = sized(128, 8);
  const Array<int32_t> ids = steps(stream, count - 1, nodes / count);
  const Array<float> rows = random_floats(stream, nodes * dim), gradient = random_floats(stream, count * dim),
                     squares(stream, nodes * dim);
  gnn::device::zero(squares.data(), squares.size(), stream);
  report(stream, {"sparseAdagrad", Bound::kRandomRows, bytes_of(5 * count * dim), [&] {
                    gnn::cuda::sparse_adagrad_update(stream, {ids.data(), count, dim, gradient.data()}, rows.data(),
                                                     squares.data(), {.lr = 1e-3f, .epsilon = 1e-8f});
                  }});
}

}  // namespace

void report_typed_kernels(Stream& stream) {
  report_relation_conv(stream);
  report_head_products(stream);
  report_sparse_features(stream);
  report_learned_rows(stream);
}

}  // namespace bench
