#include "gnn/nn/relation_conv.h"

#include <algorithm>

#include "arrays.h"
#include "export_kernel.h"
#include "undropped_rows.h"

namespace hopwise {
namespace {

Napi::Value to_object(Napi::Env env, gnn::RelationLists&& lists) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("relations", to_recycled_array(env, std::move(lists.relations)));
  object.Set("rows", to_recycled_array(env, std::move(lists.rows)));
  object.Set("indptr", to_recycled_array(env, std::move(lists.indptr)));
  object.Set("entries", to_recycled_array(env, std::move(lists.entries)));
  return object;
}

// Offsets of lists that an earlier call has made; what they lead to is checked.
const int32_t* read_offsets(Arguments& arguments, const char* name, int64_t count, int64_t last) {
  const int32_t* offsets = arguments.ids(name, count + 1, last + 1);
  bool ascending = offsets[0] == 0 && offsets[count] == last;
  for (int64_t i = 0; i < count; ++i) ascending &= offsets[i] <= offsets[i + 1];
  if (!ascending) arguments.fail(std::string(name) + " are not ascending offsets up to " + std::to_string(last) + ".");
  return offsets;
}

struct Names {
  const char *relations, *rows, *indptr, *entries;
};

struct Lengths {
  int64_t relations, segments, edges;
};

gnn::RelationSegments read_segments(Arguments& arguments, const Names& names, const Lengths& lengths, int64_t num_rows,
                                    int64_t num_entries) {
  gnn::RelationSegments segments{};
  segments.num_relations = lengths.relations;
  segments.relations = read_offsets(arguments, names.relations, lengths.relations, lengths.segments);
  segments.rows = arguments.ids(names.rows, lengths.segments, num_rows);
  segments.indptr = read_offsets(arguments, names.indptr, lengths.segments, lengths.edges);
  segments.entries = arguments.ids(names.entries, lengths.edges, num_entries);
  return segments;
}

Napi::Value relations_by_dst(Arguments& arguments) {
  const gnn::BlockView block = arguments.block(true);
  const int64_t num_relations = arguments.count("numRelations");
  const int32_t* types = arguments.ids("types", block.num_edges, num_relations);
  return to_object(arguments.env(), gnn::relations_by_dst(block, types, num_relations));
}

struct Sizes {
  int64_t num_src, num_dst, num_edges, num_relations, by_dst;
};

Sizes read_sizes(Arguments& arguments) {
  Sizes sizes{};
  sizes.num_src = arguments.count("numSrc");
  sizes.num_dst = arguments.count("numDst");
  sizes.num_edges = arguments.count("numEdges");
  sizes.num_relations = arguments.count("numRelations");
  sizes.by_dst = arguments.count("numByDst");
  return sizes;
}

gnn::RelationSegments read_by_dst(Arguments& arguments, const Sizes& sizes) {
  return read_segments(arguments, {"relations", "rows", "indptr", "entries"},
                       {sizes.num_relations, sizes.by_dst, sizes.num_edges}, sizes.num_dst, sizes.num_src);
}

Napi::Value relations_by_src(Arguments& arguments) {
  const Sizes sizes = read_sizes(arguments);
  return to_object(arguments.env(), gnn::relations_by_src(read_by_dst(arguments, sizes), sizes.num_src));
}

Napi::Value relation_conv(Arguments& arguments) {
  const Sizes sizes = read_sizes(arguments);
  const gnn::RelationSegments by_dst = read_by_dst(arguments, sizes);
  const bool mean = arguments.flag("mean");
  const int64_t in_dim = arguments.count("inDim"), out_dim = arguments.count("outDim");
  const gnn::RowSource x = undropped_rows(arguments, sizes.num_src, in_dim);
  const float* weights = arguments.floats("weights", sizes.num_relations * in_dim * out_dim);
  float* out = arguments.floats("out", sizes.num_dst * out_dim);
  gnn::relation_conv({.by_dst = by_dst, .mean = mean, .num_dst = sizes.num_dst, .out_dim = out_dim, .x = x,
                      .weights = weights, .out = out});
  return arguments.env().Undefined();
}

Napi::Value relation_conv_grad(Arguments& arguments) {
  const Sizes sizes = read_sizes(arguments);
  const gnn::RelationSegments by_dst = read_by_dst(arguments, sizes);
  const int64_t num_by_src = arguments.count("numBySrc");
  const Lengths of_src = num_by_src == 0 ? Lengths{} : Lengths{sizes.num_relations, num_by_src, sizes.num_edges};
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
  // Without edges there is no gradient to follow.
  if (dx != nullptr && num_by_src == 0) std::fill_n(dx, sizes.num_src * in_dim, 0.0f);
  gnn::relation_conv_grad({.by_dst = by_dst, .by_src = &by_src, .mean = mean, .num_src = sizes.num_src,
                           .out_dim = out_dim, .x = x, .weights = weights, .dy = dy,
                           .dx = num_by_src == 0 ? nullptr : dx, .d_weights = d_weights});
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<relations_by_dst>(env, exports,
      "relationsByDst(block: NativeBlock, numRelations: number, types: Int32Array)");
  export_kernel<relations_by_src>(env, exports,
      "relationsBySrc(numSrc: number, numDst: number, numEdges: number, numRelations: number, numByDst: number, "
      "relations: Int32Array, rows: Int32Array, indptr: Int32Array, entries: Int32Array)");
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
