// The kernels that walk edges, on one hop. Bytes are those of the rows that edges read and rows that are written.
#include "groups.h"

#include "gnn/cuda/nn/gat_conv.h"
#include "gnn/cuda/sampling/reverse_edges.h"
#include "gnn/cuda/sparse/spmm.h"
#include "gnn/cuda/sparse/weighted_spmm.h"
#include "hop.h"

namespace bench {
namespace {

constexpr int64_t kHeads = 4;

double bytes_of(int64_t floats) { return 4.0 * static_cast<double>(floats); }

}  // namespace

void report_edge_kernels(Stream& stream) {
  const Hop hop(stream);
  const gnn::BlockView& block = hop.view();
  const int64_t dim = sized(256, 8), edges = block.num_edges, rows = block.num_dst, src = block.num_src;
  const Array<float> x = random_floats(stream, src * dim), out(stream, src * dim);
  const Array<float> weights = random_floats(stream, edges), attention = random_floats(stream, dim);
  const Array<float> of_src(stream, src * kHeads), of_dst(stream, rows * kHeads),
      alpha(stream, (edges + rows) * kHeads);
  const Array<int32_t> ids = random_ids(stream, src, src);
  report(stream, {"spmmMean", Bound::kCopy, bytes_of((edges + rows) * dim),
                  [&] { gnn::cuda::spmm_mean(stream, block, dim, x.data(), out.data()); }});
  report(stream, {"spmmMeanGrad", Bound::kCopy, bytes_of((edges + src) * dim),
                  [&] { gnn::cuda::spmm_mean_grad(stream, block, dim, x.data(), 0, out.data()); }});
  report(stream, {"weightedSpmm", Bound::kCopy, bytes_of((edges + 2 * rows) * dim), [&] {
                    gnn::cuda::weighted_spmm(stream, block, dim, {weights.data(), x.data()}, x.data(), out.data());
                  }});
  report(stream, {"gatConv", Bound::kCopy, bytes_of((edges + src + 2 * rows) * dim), [&] {
                    gnn::cuda::gat_conv(stream,
                                        {.block = block,
                                         .shape = {kHeads, dim / kHeads, 0.2f, false, ids.data(), {1, 2, 3, 4}, 0},
                                         .attention = {attention.data(), attention.data()},
                                         .z = x.data(),
                                         .score_src = of_src.data(),
                                         .score_dst = of_dst.data(),
                                         .alpha = alpha.data(),
                                         .out = out.data()});
                  }});
  const Array<float> dz(stream, src * dim), d_src(stream, dim), d_dst(stream, dim);
  report(stream, {"gatConvGrad", Bound::kCopy, bytes_of((2 * edges + 2 * src + 4 * rows) * dim), [&] {
                    gnn::cuda::gat_conv_grad(
                        stream, {.block = block,
                                 .reverse_edges = hop.reverse_edges(),
                                 .shape = {kHeads, dim / kHeads, 0.2f, false, ids.data(), {1, 2, 3, 4}, 0},
                                 .attention = {attention.data(), attention.data()},
                                 .saved = {x.data(), of_src.data(), of_dst.data(), alpha.data()},
                                 .dy = out.data(),
                                 .gradients = {dz.data(), d_src.data(), d_dst.data()}});
                  }});
  const Array<int32_t> indptr(stream, src + 1), indices(stream, edges), positions(stream, edges);
  report(stream, {"reverseEdges", Bound::kNone, static_cast<double>(edges), [&] {
                    gnn::cuda::reverse_edges(stream, block, {indptr.data(), indices.data(), positions.data()});
                  }});
}

}  // namespace bench
