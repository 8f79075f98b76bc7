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
      const gnn::CsrView x{block.num_dst, block.num_src, device.view().indptr, device.view().indices, v};
      for (const bool is_plain : {true, false}) {
        std::vector<float> expected(dy.size());
        gnn::csr_matmul({host, out_dim, weight.data(), is_plain ? nullptr : bias.data(), !is_plain, expected.data()});
        gnn::cuda::csr_matmul(stream, {x, out_dim, w, is_plain ? nullptr : b.get(), !is_plain, out});
        expect_close(out.read(), expected, 1e-6, "out");
      }
      std::vector<float> d_expected(weight.size());
      gnn::csr_matmul_grad(host, out_dim, dy.data(), d_expected.data());
      gnn::cuda::csr_matmul_grad(stream, x, out_dim, g, d_weight);
      expect_close(d_weight.read(), d_expected, 1e-6, "d_weight");
    }
  }
}

}  // namespace check
