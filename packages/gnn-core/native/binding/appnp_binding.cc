#include "export_kernel.h"
#include "kernels.h"
#include "reversible_block.h"

namespace hopwise {
namespace {

gnn::AppnpHop read_hop(Arguments& arguments, const gnn::BlockView& block) {
  gnn::AppnpHop hop{};
  hop.dim = arguments.count("dim");
  hop.alpha = static_cast<float>(arguments.number("alpha"));
  hop.edge_weights = arguments.floats("edgeWeights", block.num_edges);
  hop.self_weights = arguments.floats("selfWeights", block.num_dst);
  hop.src_ids = arguments.ints("srcIds", block.num_src);
  hop.key = arguments.dropout_key("key");
  hop.threshold = arguments.threshold("threshold");
  return hop;
}

Napi::Value appnp_hop(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const gnn::AppnpHop hop = read_hop(arguments, block);
  const int64_t rows = arguments.count("rowsOfH");
  if (rows < block.num_dst) arguments.fail("h has fewer rows than the block has dst rows.");
  const float *z = arguments.floats("z", block.num_src * hop.dim), *h = arguments.floats("h", rows * hop.dim);
  kernels::appnp_hop(block, hop, z, h, arguments.floats("out", block.num_dst * hop.dim));
  return arguments.env().Undefined();
}

Napi::Value appnp_hop_grad(Arguments& arguments) {
  const gnn::BlockView block = reversible_block(arguments);
  const gnn::AppnpHop hop = read_hop(arguments, block);
  const int64_t rows = arguments.count("rowsOfH");
  if (rows < block.num_dst) arguments.fail("h has fewer rows than the block has dst rows.");
  const int32_t* reverse_edges = arguments.ids("reverseEdges", block.num_edges, block.num_edges);
  const float* g = arguments.floats("dy", block.num_dst * hop.dim);
  float* dz = arguments.floats("dz", block.num_src * hop.dim);
  float* dh = arguments.floats("dh", rows * hop.dim);
  kernels::appnp_hop_grad({.block = block, .reverse_edges = reverse_edges, .hop = hop, .dy = g, .dz = dz, .dh = dh});
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<appnp_hop>(env, exports,
      "appnpHop(block: NativeBlock, dim: number, alpha: number, edgeWeights: Float32Array, "
      "selfWeights: Float32Array, srcIds: Int32Array, key: HostInts, threshold: number, "
      "rowsOfH: number, z: Float32Array, h: Float32Array, out: Float32Array)");
  export_kernel<appnp_hop_grad>(env, exports,
      "appnpHopGrad(block: ReversibleBlock, dim: number, alpha: number, edgeWeights: Float32Array, "
      "selfWeights: Float32Array, srcIds: Int32Array, key: HostInts, threshold: number, "
      "rowsOfH: number, reverseEdges: Int32Array, dy: Float32Array, dz: Float32Array, dh: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
