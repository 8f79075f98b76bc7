#include "arrays.h"
#include "blocks.h"
#include "check.h"
#include "gnn/cuda/nn/dropout.h"

namespace check {

DEVICE_TEST("dropout_rows drops what the CPU's does, bit by bit") {
  for (const int64_t dim : {1, 16, 100, 128, 300}) {
    Stream stream;
    const std::vector<float> x = random_floats(50 * dim, 1);
    const std::vector<int32_t> ids = random_ints(50, 1 << 30, 2);
    std::vector<float> expected(x.size());
    gnn::DropoutRows op{.rows = 50,
                        .dim = dim,
                        .x = x.data(),
                        .row_ids = ids.data(),
                        .key = {1, 2, 3, 4},
                        .threshold = 20000,
                        .out = expected.data()};
    gnn::dropout_rows(op);
    const OnDevice<float> rows(stream, x);
    const OnDevice<int32_t> row_ids(stream, ids);
    op.x = op.out = rows, op.row_ids = row_ids;
    gnn::cuda::dropout_rows(stream, op);
    expect_bits(rows.read(), expected, "dim " + std::to_string(dim) + ", in place");
  }
}

DEVICE_TEST("dropout_csr drops what the CPU's does, bit by bit") {
  for (const HostBlock& block : some_blocks()) {
    Stream stream;
    const DeviceBlock device(stream, block);
    const std::vector<float> values = random_floats(block.num_edges(), 1);
    const std::vector<int32_t> ids = random_ints(block.num_dst, 1 << 30, 2);
    std::vector<float> expected(values.size());
    const gnn::DropoutKey key{1, 2, 3, 4};
    gnn::dropout_csr({block.num_dst, block.num_src, block.indptr.data(), block.indices.data(), values.data()},
                     ids.data(), key, 20000, expected.data());
    const OnDevice<float> x(stream, values), out(stream, block.num_edges());
    gnn::cuda::dropout_csr(stream, {block.num_dst, block.num_src, device.view().indptr, device.view().indices, x},
                           OnDevice<int32_t>(stream, ids), key, 20000, out);
    expect_bits(out.read(), expected, std::to_string(values.size()) + " values");
  }
}

}  // namespace check
