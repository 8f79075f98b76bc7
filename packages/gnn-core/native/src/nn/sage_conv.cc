#include "gnn/nn/sage_conv.h"

#include <cstring>

#include "gnn/dense/linear.h"
#include "gnn/dense/rows.h"
#include "gnn/dense/sgemm.h"
#include "gnn/nn/dropout.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sparse/csr_matmul.h"
#include "gnn/sparse/spmm.h"

namespace gnn {
namespace {

// Rows of one fused chunk: their aggregate stays in the second-level cache until the sgemm reads it.
constexpr int64_t kFusedRows = 2 * kBlockRows;

CsrView first_rows(const CsrView& x, int64_t rows) { return {rows, x.dim, x.indptr, x.indices, x.values}; }

void aggregate_first(const BlockView& block, const SageWeights& w, const RowSource& x, float* aggregated, float* out) {
  parallel_for(block.num_dst, kFusedRows, [&](int64_t begin, int64_t end) {
    const int64_t rows = end - begin;
    Scratch copied(x.contiguous() != nullptr ? 0 : rows * w.in_dim);
    const float* own = x.load(begin, end, copied.data());
    float* chunk = out + begin * w.out_dim;
    spmm_mean_rows(block, x, begin, end, false, aggregated);
    fill_rows(rows, w.out_dim, w.bias, chunk);
    Sgemm product{.m = rows, .n = w.out_dim, .k = w.in_dim, .a = own, .b = w.self, .beta = 1.0f, .c = chunk};
    sgemm_serial(product);
    product.a = aggregated + begin * w.in_dim;
    product.b = w.neigh;
    sgemm_serial(product);
    if (w.with_relu) relu(rows * w.out_dim, chunk);
  });
}

// out already holds x[:num_dst] W_self + b
void add_mean_then_activate(const BlockView& block, const SageWeights& w, const float* projected, float* out) {
  parallel_for(block.num_dst, kFusedRows, [&](int64_t begin, int64_t end) {
    spmm_mean_rows(block, RowSource(projected, w.out_dim), begin, end, true, out);
    if (w.with_relu) relu((end - begin) * w.out_dim, out + begin * w.out_dim);
  });
}

// dy behind the activation, and the bias gradient. The buffer is used only when there is an activation.
class OutputGradient {
 public:
  OutputGradient(const BlockView& block, const SageWeights& w, const float* out, const float* dy, float* d_bias)
      : masked_(w.with_relu ? block.num_dst * w.out_dim : 0), data_(w.with_relu ? masked_.data() : dy) {
    masked_bias_grad({.rows = block.num_dst,
                      .dim = w.out_dim,
                      .dy = dy,
                      .out = w.with_relu ? out : nullptr,
                      .masked = masked_.data(),
                      .d_bias = d_bias});
  }
  const float* data() const { return data_; }

 private:
  Scratch masked_;
  const float* data_;
};

// dx = g W_selfᵀ on the dst rows, the others are left as they are, and d_aggregated = g W_neighᵀ, g = dy behind the
// activation. g is made again chunk by chunk: as a whole it would be among the largest arrays of a step.
void aggregated_input_grads(const BlockView& block, const SageWeights& w, const float* dy, const float* relu_out,
                            float* dx, float* d_aggregated) {
  parallel_for(block.num_dst, row_chunk(block.num_dst), [&](int64_t begin, int64_t end) {
    const int64_t rows = end - begin;
    Scratch masked(relu_out != nullptr ? rows * w.out_dim : 0);
    const float* g = dy + begin * w.out_dim;
    if (relu_out != nullptr) {
      relu_grad(rows * w.out_dim, g, relu_out + begin * w.out_dim, masked.data());
      g = masked.data();
    }
    Sgemm product{.trans_b = true, .m = rows, .n = w.in_dim, .k = w.out_dim, .a = g, .b = w.self, .c = nullptr};
    product.c = dx + begin * w.in_dim;
    sgemm_serial(product);
    product.b = w.neigh;
    product.c = d_aggregated + begin * w.in_dim;
    sgemm_serial(product);
  });
}

// dx = g Wᵀ + beta dx on the first rows; the others are left as they are
void input_grad(int64_t rows, const SageWeights& w, const float* weight, const float* g, float beta, float* dx) {
  sgemm({.trans_b = true, .m = rows, .n = w.in_dim, .k = w.out_dim, .a = g, .b = weight, .beta = beta, .c = dx});
}

GNN_MULTIVERSION void scale(int64_t count, float by, float* x) {
  for (int64_t i = 0; i < count; ++i) x[i] *= by;
}

void scale_rows(int64_t rows, int64_t dim, float by, float* x) {
  parallel_for(rows, 512, [&](int64_t begin, int64_t end) { scale((end - begin) * dim, by, x + begin * dim); });
}

void aggregated_grad(const SageConvGrad& op, const float* relu_out) {
  const auto& [block, w, x, aggregated, out, dy, dx, gradients, dropped] = op;
  const RowSource mean(aggregated, w.in_dim);
  weight_gradients({.rows = block.num_dst,
                    .out_dim = w.out_dim,
                    .dy = dy,
                    .out = relu_out,
                    .weights = {{x, gradients.self}, {mean, gradients.neigh}},
                    .d_bias = gradients.bias});
  if (dx == nullptr) return;
  float* d_aggregated = aggregated;  // nothing reads the means any more
  aggregated_input_grads(block, w, dy, relu_out, dx, d_aggregated);
  spmm_mean_grad(block, w.in_dim, d_aggregated, block.num_dst, dx);
}

void projected_grad(const SageConvGrad& op, const float* relu_out) {
  const auto& [block, w, x, aggregated, out, dy, dx, gradients, dropped] = op;
  Scratch masked(w.with_relu ? block.num_dst * w.out_dim : 0);
  float* kept = w.with_relu ? masked.data() : nullptr;
  const float* g = w.with_relu ? kept : dy;
  weight_gradients({.rows = block.num_dst,
                    .out_dim = w.out_dim,
                    .dy = dy,
                    .out = relu_out,
                    .masked = kept,
                    .weights = {{x, gradients.self}},
                    .d_bias = gradients.bias});
  Scratch d_projected(block.num_src * w.out_dim);
  spmm_mean_grad(block, w.out_dim, g, 0, d_projected.data());
  weight_gradients({.rows = block.num_src,
                    .out_dim = w.out_dim,
                    .dy = d_projected.data(),
                    .weights = {{x, gradients.neigh}}});
  if (dx == nullptr) return;
  input_grad(block.num_dst, w, w.self, g, 0.0f, dx);
  const int64_t rest = (block.num_src - block.num_dst) * w.in_dim;
  std::memset(dx + block.num_dst * w.in_dim, 0, static_cast<size_t>(rest) * sizeof(float));
  input_grad(block.num_src, w, w.neigh, d_projected.data(), 1.0f, dx);
}

}  // namespace

void sage_conv(const SageConv& op) {
  const auto& [block, w, x, aggregated, out] = op;
  if (aggregated != nullptr) return aggregate_first(block, w, x, aggregated, out);
  Scratch projected(block.num_src * w.out_dim);
  linear({.rows = block.num_src, .out_dim = w.out_dim, .x = x, .weight = w.neigh, .out = projected.data()});
  linear({.rows = block.num_dst, .out_dim = w.out_dim, .x = x, .weight = w.self, .bias = w.bias, .out = out});
  add_mean_then_activate(block, w, projected.data(), out);
}

void sage_conv_grad(const SageConvGrad& op) {
  const float* relu_out = op.weights.with_relu ? op.out : nullptr;
  if (op.aggregated != nullptr) aggregated_grad(op, relu_out);
  else projected_grad(op, relu_out);
  if (op.dx == nullptr || op.dropped == 0) return;
  scale_rows(op.block.num_src, op.weights.in_dim, dropout_scale(op.dropped), op.dx);
}

void sage_conv_csr(const SageConvCsr& op) {
  const auto& [block, w, x, out] = op;
  Scratch projected(block.num_src * w.out_dim);
  csr_matmul({.x = x, .out_dim = w.out_dim, .weight = w.neigh, .out = projected.data()});
  csr_matmul({.x = first_rows(x, block.num_dst), .out_dim = w.out_dim, .weight = w.self, .bias = w.bias, .out = out});
  add_mean_then_activate(block, w, projected.data(), out);
}

void sage_conv_csr_grad(const SageConvCsrGrad& op) {
  const auto& [block, w, x, out, dy, gradients] = op;
  const OutputGradient g(block, w, out, dy, gradients.bias);
  csr_matmul_grad(first_rows(x, block.num_dst), w.out_dim, g.data(), gradients.self);
  Scratch d_projected(block.num_src * w.out_dim);
  spmm_mean_grad(block, w.out_dim, g.data(), 0, d_projected.data());
  csr_matmul_grad(x, w.out_dim, d_projected.data(), gradients.neigh);
}

}  // namespace gnn
