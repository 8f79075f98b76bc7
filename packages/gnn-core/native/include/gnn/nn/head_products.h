#pragma once
// Products of each head's columns with weights of its own, all heads at once: a matrix of blocks on its diagonal, of
// which only the blocks are there. The heads of a row lie side by side; a row may be several below each other.
#include <algorithm>
#include <cstdint>

namespace gnn {

// Rows of which each is `groups` rows of memory below each other, of heads * dim columns. Term t of a head is column
// t % dim of the head in group t / dim.
template <typename Float>
struct HeadRows {
  Float* data;
  int64_t groups;
  int64_t dim;

  int64_t terms() const { return groups * dim; }
};

// Every sum is made term by term in their order, by fused multiply-adds: the same bits wherever it is made.

// c_vh = a_vh op(W_h) for every row v and head h
struct HeadProduct {
  int64_t rows;
  int64_t heads;
  HeadRows<const float> a;
  const float* weights;  // [heads, terms of a, terms of c], or [heads, terms of c, terms of a] transposed
  bool transposed;
  HeadRows<float> c;
};
void multiply_heads(const HeadProduct& op);

// dW_h = sum over rows v of the transpose of a_vh times dc_vh
struct HeadWeightGrad {
  int64_t rows;
  int64_t heads;
  HeadRows<const float> a;
  HeadRows<const float> dc;
  float* d_weights;  // [heads, terms of a, terms of dc]
};
void head_weight_gradients(const HeadWeightGrad& op);

// Into how many parts the rows are cut, which are added up in their order: by the shape alone.
inline int64_t row_parts(const HeadWeightGrad& op) {
  constexpr int64_t kTile = 64, kPartRows = 512, kParts = 1024;
  const int64_t tiles = ((op.a.terms() + kTile - 1) / kTile) * ((op.dc.terms() + kTile - 1) / kTile) * op.heads;
  return std::max<int64_t>(1, std::min(kParts / std::max<int64_t>(1, tiles), op.rows / kPartRows));
}
inline int64_t rows_of_part(const HeadWeightGrad& op) { return (op.rows + row_parts(op) - 1) / row_parts(op); }

}  // namespace gnn
