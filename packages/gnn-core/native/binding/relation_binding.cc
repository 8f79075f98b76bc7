#include "export_kernel.h"
#include "kernels.h"
#include "relation_arguments.h"
#include "undropped_rows.h"

namespace hopwise {
namespace {

Napi::Value relation_conv(Arguments& arguments) {
  const RelationSizes sizes = read_relation_sizes(arguments);
  const gnn::RelationSegments by_dst = read_by_dst(arguments, sizes);
  const bool mean = arguments.flag("mean");
  const int64_t in_dim = arguments.count("inDim"), out_dim = arguments.count("outDim");
  const gnn::RowSource x = undropped_rows(arguments, sizes.num_src, in_dim);
  const float* weights = arguments.floats("weights", sizes.num_relations * in_dim * out_dim);
  float* out = arguments.floats("out", sizes.num_dst * out_dim);
  kernels::relation_conv({.by_dst = by_dst,
                          .mean = mean,
                          .num_dst = sizes.num_dst,
                          .out_dim = out_dim,
                          .x = x,
                          .weights = weights,
                          .out = out});
  return arguments.env().Undefined();
}

Napi::Value relation_conv_grad(Arguments& arguments) {
  const RelationSizes sizes = read_relation_sizes(arguments);
  const gnn::RelationSegments by_dst = read_by_dst(arguments, sizes);
  const int64_t num_by_src = arguments.count("numBySrc");
  SegmentLengths of_src{};
  if (num_by_src > 0) of_src = {sizes.num_relations, num_by_src, sizes.num_edges};
  const gnn::RelationSegments by_src = read_segments(
      arguments, {"srcRelations", "srcRows", "srcIndptr", "srcEntries"}, of_src, sizes.num_src, sizes.by_dst);
  const bool mean = arguments.flag("mean");
  const int64_t in_dim = arguments.count("inDim"), out_dim = arguments.count("outDim");
  const gnn::RowSource x = undropped_rows(arguments, sizes.num_src, in_dim);
  const float* weights = arguments.floats("weights", sizes.num_relations * in_dim * out_dim);
  const float* dy = arguments.floats("dy", sizes.num_dst * out_dim);
  float* dx = arguments.optional_floats("dx", sizes.num_src * in_dim);
  float* d_weights = arguments.floats("dWeights", sizes.num_relations * in_dim * out_dim);
  if (dx != nullptr && num_by_src == 0 && sizes.num_edges > 0) arguments.fail("dx needs the edges by src.");
  kernels::relation_conv_grad({.by_dst = by_dst,
                               .by_src = &by_src,
                               .mean = mean,
                               .num_src = sizes.num_src,
                               .out_dim = out_dim,
                               .x = x,
                               .weights = weights,
                               .dy = dy,
                               .dx = dx,
                               .d_weights = d_weights});
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<relation_conv>(env, exports,
      "relationConv(numSrc: number, numDst: number, numEdges: number, numRelations: number, numByDst: number, "
      "relations: Int32Array, rows: Int32Array, indptr: Int32Array, entries: Int32Array, mean: boolean, "
      "inDim: number, outDim: number, x: Float32Array | NativeRows, weights: Float32Array, out: Float32Array)");
  export_kernel<relation_conv_grad>(env, exports,
      "relationConvGrad(numSrc: number, numDst: number, numEdges: number, numRelations: number, numByDst: number, "
      "relations: Int32Array, rows: Int32Array, indptr: Int32Array, entries: Int32Array, numBySrc: number, "
      "srcRelations: Int32Array, srcRows: Int32Array, srcIndptr: Int32Array, srcEntries: Int32Array, mean: boolean, "
      "inDim: number, outDim: number, x: Float32Array | NativeRows, weights: Float32Array, dy: Float32Array, "
      "dx: Float32Array | null, dWeights: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
