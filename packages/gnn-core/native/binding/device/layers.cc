// Dense and GraphSAGE layers of the device, put together from its kernels. Rows lie one after the other there.
#include "kernels.h"

#include "gnn/cuda/math/elementwise.h"

namespace hopwise::kernels {
namespace {

using gnn::device::Array;

// How many values they have is not known here.
gnn::CsrView first_rows(const gnn::CsrView& x, int64_t rows) { return {rows, x.dim, x.indptr, x.indices, x.values}; }

// d_weight [in, out] = transpose(x) g
void weight_grad(int64_t rows, int64_t in, int64_t out, const float* x, const float* g, float* d_weight) {
  kernels::sgemm({.trans_a = true, .m = in, .n = out, .k = rows, .a = x, .b = g, .c = d_weight});
}

// [2 in, out]: the weights of the rows themselves above those of the means of their neighbours
Array<float> stacked(const gnn::SageWeights& w) {
  const int64_t size = w.in_dim * w.out_dim;
  Array<float> both(stream(), 2 * size);
  gnn::device::copy(both.data(), w.self, size, stream());
  gnn::device::copy(both.data() + size, w.neigh, size, stream());
  return both;
}

// As weight_grad, of both halves of `aggregated` at once.
void weight_grads(const gnn::SageConvGrad& op, const float* g) {
  const auto& [in, out] = std::pair{op.weights.in_dim, op.weights.out_dim};
  const Array<float> both(stream(), 2 * in * out);
  weight_grad(op.block.num_dst, 2 * in, out, op.aggregated, g, both.data());
  gnn::device::copy(op.gradients.self, both.data(), in * out, stream());
  gnn::device::copy(op.gradients.neigh, both.data() + in * out, in * out, stream());
}

// dx [rows, in] = g transpose(weight) + beta dx
void input_grad(int64_t rows, const gnn::SageWeights& w, const float* weight, const float* g, float beta, float* dx) {
  kernels::sgemm(
      {.trans_b = true, .m = rows, .n = w.in_dim, .k = w.out_dim, .a = g, .b = weight, .beta = beta, .c = dx});
}

// dy behind the activation, and the gradient of the bias.
class OutputGradient {
 public:
  OutputGradient(int64_t rows, int64_t dim, const float* out, const float* dy, bool with_relu, float* d_bias)
      : masked_(stream(), with_relu ? rows * dim : 0), data_(with_relu ? masked_.data() : dy) {
    kernels::masked_bias_grad({.rows = rows,
                      .dim = dim,
                      .dy = dy,
                      .out = with_relu ? out : nullptr,
                      .masked = masked_.data(),
                      .d_bias = d_bias});
  }
  const float* data() const { return data_; }

 private:
  const Array<float> masked_;
  const float* data_;
};

}  // namespace

void linear(const gnn::Linear& op) {
  cuda::sgemm(stream(),
              {.m = op.rows, .n = op.out_dim, .k = op.x.dim(), .a = op.x.contiguous(), .b = op.weight, .c = op.out},
              {op.bias, op.with_relu});
}

void linear_grad(const gnn::LinearGrad& op) {
  const OutputGradient g(op.rows, op.out_dim, op.out, op.dy, op.with_relu, op.d_bias);
  const int64_t in = op.x.dim();
  weight_grad(op.rows, in, op.out_dim, op.x.contiguous(), g.data(), op.d_weight);
  if (op.dx == nullptr) return;
  kernels::sgemm({.trans_b = true, .m = op.rows, .n = in, .k = op.out_dim, .a = g.data(), .b = op.weight, .c = op.dx});
}

void sage_conv(const gnn::SageConv& op) {
  const auto& [block, w, x, aggregated, out] = op;
  const float* rows = x.contiguous();
  gnn::Sgemm own{.m = block.num_dst, .n = w.out_dim, .k = w.in_dim, .a = rows, .b = w.self, .c = out};
  if (aggregated != nullptr) {
    cuda::spmm_mean_beside_own(stream(), block, w.in_dim, rows, aggregated);
    const Array<float> weights = stacked(w);
    own.k = 2 * w.in_dim, own.a = aggregated, own.b = weights.data();
    return cuda::sgemm(stream(), own, {w.bias, w.with_relu});
  }
  const Array<float> projected(stream(), block.num_src * w.out_dim);
  kernels::sgemm({.m = block.num_src, .n = w.out_dim, .k = w.in_dim, .a = rows, .b = w.neigh, .c = projected.data()});
  cuda::spmm_mean(stream(), block, w.out_dim, projected.data(), out);
  own.beta = 1.0f;
  cuda::sgemm(stream(), own, {w.bias, w.with_relu});
}

void sage_conv_grad(const gnn::SageConvGrad& op) {
  const auto& [block, w, x, aggregated, out, dy, dx, gradients, dropped] = op;
  const float scale = gnn::dropout_scale(dropped);
  const float* rows = x.contiguous();
  const OutputGradient g(block.num_dst, w.out_dim, out, dy, w.with_relu, gradients.bias);
  if (aggregated != nullptr) {
    weight_grads(op, g.data());
    if (dx == nullptr) return;
    // Nothing reads the rows and means any more: half of their place is that of the gradient of the means.
    const gnn::Sgemm own{.trans_b = true, .m = block.num_dst, .n = w.in_dim, .k = w.out_dim, .a = g.data(), .b = w.self,
                         .c = dx};
    cuda::sgemm_pair(stream(), own, {g.data(), w.neigh, aggregated});
    cuda::spmm_mean_grad(stream(), block, w.in_dim, aggregated, block.num_dst, dx, scale);
    return;
  }
  weight_grad(block.num_dst, w.in_dim, w.out_dim, rows, g.data(), gradients.self);
  const Array<float> d_projected(stream(), block.num_src * w.out_dim);
  cuda::spmm_mean_grad(stream(), block, w.out_dim, g.data(), 0, d_projected.data());
  weight_grad(block.num_src, w.in_dim, w.out_dim, rows, d_projected.data(), gradients.neigh);
  if (dx == nullptr) return;
  input_grad(block.num_src, w, w.neigh, d_projected.data(), 0.0f, dx);
  input_grad(block.num_dst, w, w.self, g.data(), 1.0f, dx);
  if (dropped == 0) return;
  cuda::apply_binary(stream(), {.op = cuda::Binary::kMultiply,
                                .rows = block.num_src,
                                .columns = w.in_dim,
                                .a = {dx, w.in_dim, 1, 0.0f},
                                .b = {nullptr, 0, 0, scale},
                                .out = dx});
}

void sage_conv_csr(const gnn::SageConvCsr& op) {
  const auto& [block, w, x, out] = op;
  const Array<float> projected(stream(), block.num_src * w.out_dim), own(stream(), block.num_dst * w.out_dim);
  kernels::csr_matmul({.x = x, .out_dim = w.out_dim, .weight = w.neigh, .out = projected.data()});
  cuda::spmm_mean(stream(), block, w.out_dim, projected.data(), out);
  kernels::csr_matmul(
      {.x = first_rows(x, block.num_dst), .out_dim = w.out_dim, .weight = w.self, .bias = w.bias, .out = own.data()});
  kernels::add_activate({.rows = block.num_dst,
                .dim = w.out_dim,
                .a = own.data(),
                .b = out,
                .activation = w.with_relu ? gnn::Activation::kRelu : gnn::Activation::kNone,
                .out = out});
}

void sage_conv_csr_grad(const gnn::SageConvCsrGrad& op) {
  const auto& [block, w, x, out, dy, gradients] = op;
  const OutputGradient g(block.num_dst, w.out_dim, out, dy, w.with_relu, gradients.bias);
  const cuda::ValuesByColumn columns(stream(), x);
  columns.add_up(stream(), block.num_dst, w.out_dim, g.data(), gradients.self);
  const Array<float> d_projected(stream(), block.num_src * w.out_dim);
  cuda::spmm_mean_grad(stream(), block, w.out_dim, g.data(), 0, d_projected.data());
  columns.add_up(stream(), x.rows, w.out_dim, d_projected.data(), gradients.neigh);
}

}  // namespace hopwise::kernels
