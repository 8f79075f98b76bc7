#include <cmath>

#include "blocks.h"
#include "check.h"
#include "gnn/cuda/sparse/csr_matmul.h"

namespace check {

DEVICE_TEST("csr_matmul and its gradient are the CPU's, with a bias and ReLU and without") {
  for (const HostBlock& block : some_blocks()) {
    for (const int64_t out_dim : {3, 47}) {
      Stream stream;
      const DeviceBlock device(stream, block);
      // The block's indptr and indices serve as those of rows: num_dst rows of num_src columns.
      const std::vector<float> values = random_floats(block.num_edges(), 1),
                               weight = random_floats(block.num_src * out_dim, 2), bias = random_floats(out_dim, 3),
                               dy = random_floats(block.num_dst * out_dim, 4);
      const OnDevice<float> v(stream, values), w(stream, weight), b(stream, bias), g(stream, dy),
          out(stream, block.num_dst * out_dim), d_weight(stream, block.num_src * out_dim);
      const gnn::CsrView host{block.num_dst, block.num_src, block.indptr.data(), block.indices.data(), values.data()};
      const gnn::BlockView& view = device.view();
      const gnn::CsrView x{view.num_dst, view.num_src, view.indptr, view.indices, v, view.num_edges};
      for (const bool is_plain : {true, false}) {
        std::vector<float> expected(dy.size());
        gnn::csr_matmul({host, out_dim, weight.data(), is_plain ? nullptr : bias.data(), !is_plain, expected.data()});
        gnn::cuda::csr_matmul(stream, {x, out_dim, w, is_plain ? nullptr : b.get(), !is_plain, out});
        expect_close(out.read(), expected, 1e-6, "out");
      }
      std::vector<float> d_expected(weight.size());
      gnn::csr_matmul_grad(host, out_dim, dy.data(), d_expected.data());
      gnn::cuda::csr_matmul_grad(stream, x, out_dim, g, d_weight);
      expect_bits(d_weight.read(), d_expected, "d_weight");
    }
  }
}

namespace {

constexpr int64_t kRows = 700, kColumns = 300, kDim = 35, kFirstRows = 400;

// A matrix of which each row has some columns and, in all rows but every seventh, the one in the middle
struct SparseRows {
  std::vector<int32_t> indptr{0}, indices;
  std::vector<float> values;

  SparseRows() {
    const std::vector<int32_t> drawn = random_ints(kRows * 3, kColumns, 1);
    for (int64_t row = 0; row < kRows; ++row) {
      if (row % 10 != 0) indices.insert(indices.end(), &drawn[row * 3], &drawn[row * 3] + row % 4);
      if (row % 7 != 0) indices.push_back(kColumns / 2);
      indptr.push_back(static_cast<int32_t>(indices.size()));
    }
    values = random_floats(static_cast<int64_t>(indices.size()), 2);
  }
  gnn::CsrView view(int64_t rows) const { return {rows, kColumns, indptr.data(), indices.data(), values.data()}; }
};

// The gradient of the column in the middle by its definition: parts of its values, and their sums one after the other
void add_middle_by_parts(const SparseRows& x, int64_t rows, const std::vector<float>& dy, std::vector<float>& out) {
  std::vector<std::pair<float, int64_t>> terms;
  for (int64_t row = 0; row < rows; ++row) {
    for (int32_t i = x.indptr[row]; i < x.indptr[row + 1]; ++i) {
      if (x.indices[i] == kColumns / 2) terms.push_back({x.values[i], row});
    }
  }
  const size_t part = (terms.size() + 7) / 8;
  for (int64_t d = 0; d < kDim; ++d) {
    float sum = 0.0f;
    for (size_t first = 0; first < terms.size(); first += part) {
      float of_part = 0.0f;
      for (size_t i = first; i < std::min(first + part, terms.size()); ++i) {
        of_part = std::fmaf(terms[i].first, dy[terms[i].second * kDim + d], of_part);
      }
      sum += of_part;
    }
    out[kColumns / 2 * kDim + d] = sum;
  }
}

}  // namespace

DEVICE_TEST("the gradient of a sparse matrix's weights has one order of sums, by all rows and by the first of them") {
  Stream stream;
  const SparseRows x;
  const std::vector<float> dy = random_floats(kRows * kDim, 3);
  const OnDevice<int32_t> indptr(stream, x.indptr), indices(stream, x.indices);
  const OnDevice<float> values(stream, x.values), g(stream, dy), d_weight(stream, kColumns * kDim);
  const gnn::CsrView view{kRows, kColumns, indptr, indices, values, static_cast<int64_t>(x.values.size())};
  const gnn::cuda::ValuesByColumn columns(stream, view);
  for (const int64_t rows : {kRows, kFirstRows, int64_t{0}}) {
    columns.add_up(stream, rows, kDim, g, d_weight);
    const std::vector<float> found = d_weight.read();
    std::vector<float> expected(found.size());
    gnn::csr_matmul_grad(x.view(rows), kDim, dy.data(), expected.data());
    const std::string name = "by " + std::to_string(rows) + " rows";
    expect_close(found, expected, 1e-6, name);
    add_middle_by_parts(x, rows, dy, expected);
    expect_bits(found, expected, name);
  }
}

}  // namespace check
