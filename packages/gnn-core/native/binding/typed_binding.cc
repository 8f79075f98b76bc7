// Layers on typed edges, on the processor alone: on a device they are composed of others.
#include "arrays.h"
#include "export_kernel.h"
#include "gnn/nn/typed_conv.h"
#include "gnn/sparse/alike_rows.h"
#include "relation_arguments.h"
#include "undropped_rows.h"

namespace hopwise {
namespace {

Napi::Value alike_rows(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const int64_t num_relations = arguments.count("numRelations");
  const int32_t* relations = arguments.ids("relations", block.num_edges, num_relations);
  const int64_t num_types = arguments.count("numTypes");
  if (num_types < 1 || num_types > 65536) arguments.fail("numTypes is not in [1, 65536].");
  const bool has_types = num_types > 1;
  const int32_t* types = arguments.ids("rowTypes", has_types ? block.num_dst : 0, num_types);
  gnn::AlikeRows rows = gnn::alike_rows(block, relations, num_relations, has_types ? types : nullptr, num_types);
  const Napi::Env env = arguments.env();
  Napi::Object object = Napi::Object::New(env);
  object.Set("order", to_recycled_array(env, std::move(rows.order)));
  object.Set("types", to_recycled_array(env, std::move(rows.types)));
  object.Set("relations", to_recycled_array(env, std::move(rows.by_dst.relations)));
  object.Set("rows", to_recycled_array(env, std::move(rows.by_dst.rows)));
  object.Set("indptr", to_recycled_array(env, std::move(rows.by_dst.indptr)));
  object.Set("entries", to_recycled_array(env, std::move(rows.by_dst.entries)));
  return object;
}

// What both passes read first. The lists come from alike_rows, and are borrowed.
struct TypedArguments {
  explicit TypedArguments(Arguments& arguments) : sizes(read_relation_sizes(arguments)) {
    by_dst = read_by_dst(arguments, sizes);
    order = arguments.ids("order", sizes.num_dst, sizes.num_dst);
    num_types = arguments.count("numTypes");
    types = arguments.offsets("types", num_types, sizes.num_dst);
    in_dim = arguments.count("inDim");
    out_dim = arguments.count("outDim");
    with_relu = arguments.flag("withRelu");
    if (sizes.num_dst > sizes.num_src) arguments.fail("There are more dst rows than src rows.");
  }

  int64_t weight_size() const { return in_dim * out_dim; }
  gnn::TypedRows rows() const { return {sizes.num_src, sizes.num_dst, order, types, by_dst}; }
  gnn::TypedWeights read_weights(Arguments& arguments) const {
    const float* relations = arguments.floats("weights", sizes.num_relations * weight_size());
    const float* own = arguments.floats("own", num_types * weight_size());
    const float* bias = arguments.floats("bias", num_types * out_dim);
    return {num_types, in_dim, out_dim, relations, own, bias, with_relu};
  }

  RelationSizes sizes;
  gnn::RelationSegments by_dst{};
  const int32_t *order, *types;
  int64_t num_types, in_dim, out_dim;
  bool with_relu;
};

Napi::Value typed_conv(Arguments& arguments) {
  const TypedArguments read(arguments);
  const gnn::RowSource x = undropped_rows(arguments, read.sizes.num_src, read.in_dim);
  const gnn::TypedWeights weights = read.read_weights(arguments);
  float* means = arguments.optional_floats("means", read.sizes.by_dst * read.in_dim);
  float* out = arguments.floats("out", read.sizes.num_dst * read.out_dim);
  const gnn::TypedRows rows = read.rows();
  gnn::typed_conv({rows, weights, x, means, out});
  return arguments.env().Undefined();
}

Napi::Value typed_conv_grad(Arguments& arguments) {
  const TypedArguments read(arguments);
  const gnn::RowSource x = undropped_rows(arguments, read.sizes.num_src, read.in_dim);
  const gnn::TypedWeights weights = read.read_weights(arguments);
  float* means = arguments.optional_floats("means", read.sizes.by_dst * read.in_dim);
  const float* out = arguments.floats("out", read.sizes.num_dst * read.out_dim);
  const float* dy = arguments.floats("dy", read.sizes.num_dst * read.out_dim);
  float* dx = arguments.optional_floats("dx", read.sizes.num_src * read.in_dim);
  float* d_relations = arguments.floats("dWeights", read.sizes.num_relations * read.weight_size());
  float* d_own = arguments.floats("dOwn", read.num_types * read.weight_size());
  float* d_bias = arguments.floats("dBias", read.num_types * read.out_dim);
  const uint32_t dropped = arguments.threshold("dropoutThreshold");
  const gnn::TypedRows rows = read.rows();
  gnn::typed_conv_grad({rows, weights, x, means, out, dy, dx, d_relations, d_own, d_bias, dropped});
  return arguments.env().Undefined();
}

#define TYPED_ARGUMENTS                                                                                  \
  "numSrc: number, numDst: number, numEdges: number, numRelations: number, numByDst: number, "           \
  "relations: Int32Array, rows: Int32Array, indptr: Int32Array, entries: Int32Array, order: Int32Array, " \
  "numTypes: number, types: Int32Array, inDim: number, outDim: number, withRelu: boolean, "              \
  "x: Float32Array | NativeRows, weights: Float32Array, own: Float32Array, bias: Float32Array, "         \
  "means: Float32Array | null, out: Float32Array"

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<alike_rows>(env, exports,
      "alikeRows(block: NativeBlock, numRelations: number, relations: Int32Array, numTypes: number, "
      "rowTypes: Int32Array)");
  export_kernel<typed_conv>(env, exports, "typedConv(" TYPED_ARGUMENTS ")");
  export_kernel<typed_conv_grad>(env, exports,
      "typedConvGrad(" TYPED_ARGUMENTS ", dy: Float32Array, dx: Float32Array | null, "
      "dWeights: Float32Array, dOwn: Float32Array, dBias: Float32Array, dropoutThreshold: number)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
