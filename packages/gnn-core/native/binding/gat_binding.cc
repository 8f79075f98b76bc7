#include "export_kernel.h"
#include "kernels.h"
#include "reversible_block.h"

namespace hopwise {
namespace {

gnn::GatShape read_shape(Arguments& arguments, const gnn::BlockView& block) {
  gnn::GatShape shape{};
  shape.heads = arguments.count("heads");
  shape.dim = arguments.count("dim");
  shape.slope = static_cast<float>(arguments.number("slope"));
  shape.mean_heads = arguments.flag("meanHeads");
  shape.src_ids = arguments.ints("srcIds", block.num_src);
  shape.key = arguments.dropout_key("key");
  shape.threshold = arguments.threshold("threshold");
  return shape;
}

int64_t out_width(const gnn::GatShape& shape) { return shape.mean_heads ? shape.dim : shape.heads * shape.dim; }

Napi::Value gat_conv(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const gnn::GatShape shape = read_shape(arguments, block);
  const int64_t width = shape.heads * shape.dim;
  const float* z = arguments.floats("z", block.num_src * width);
  const float *attention_src = arguments.floats("attentionSrc", width),
              *attention_dst = arguments.floats("attentionDst", width);
  float *score_src = arguments.floats("scoreSrc", block.num_src * shape.heads),
        *score_dst = arguments.floats("scoreDst", block.num_dst * shape.heads);
  float* alpha = arguments.floats("alpha", (block.num_edges + block.num_dst) * shape.heads);
  float* out = arguments.floats("out", block.num_dst * out_width(shape));
  kernels::gat_conv({.block = block,
                 .shape = shape,
                 .attention = {attention_src, attention_dst},
                 .z = z,
                 .score_src = score_src,
                 .score_dst = score_dst,
                 .alpha = alpha,
                 .out = out});
  return arguments.env().Undefined();
}

Napi::Value gat_conv_grad(Arguments& arguments) {
  const gnn::BlockView block = reversible_block(arguments);
  const gnn::GatShape shape = read_shape(arguments, block);
  const int64_t width = shape.heads * shape.dim;
  const int32_t* reverse_edges = arguments.ids("reverseEdges", block.num_edges, block.num_edges);
  gnn::GatSaved saved{};
  saved.z = arguments.floats("z", block.num_src * width);
  const float *attention_src = arguments.floats("attentionSrc", width),
              *attention_dst = arguments.floats("attentionDst", width);
  saved.score_src = arguments.floats("scoreSrc", block.num_src * shape.heads);
  saved.score_dst = arguments.floats("scoreDst", block.num_dst * shape.heads);
  saved.alpha = arguments.floats("alpha", (block.num_edges + block.num_dst) * shape.heads);
  const float* dy = arguments.floats("dy", block.num_dst * out_width(shape));
  gnn::GatGradients gradients{};
  gradients.z = arguments.floats("dz", block.num_src * width);
  gradients.src = arguments.floats("dAttentionSrc", width);
  gradients.dst = arguments.floats("dAttentionDst", width);
  kernels::gat_conv_grad({.block = block,
                      .reverse_edges = reverse_edges,
                      .shape = shape,
                      .attention = {attention_src, attention_dst},
                      .saved = saved,
                      .dy = dy,
                      .gradients = gradients});
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<gat_conv>(env, exports,
      "gatConv(block: NativeBlock, heads: number, dim: number, slope: number, meanHeads: boolean, "
      "srcIds: Int32Array, key: HostInts, threshold: number, z: Float32Array, "
      "attentionSrc: Float32Array, attentionDst: Float32Array, scoreSrc: Float32Array, "
      "scoreDst: Float32Array, alpha: Float32Array, out: Float32Array)");
  export_kernel<gat_conv_grad>(env, exports,
      "gatConvGrad(block: ReversibleBlock, heads: number, dim: number, slope: number, meanHeads: boolean, "
      "srcIds: Int32Array, key: HostInts, threshold: number, reverseEdges: Int32Array, z: Float32Array, "
      "attentionSrc: Float32Array, attentionDst: Float32Array, scoreSrc: Float32Array, "
      "scoreDst: Float32Array, alpha: Float32Array, dy: Float32Array, dz: Float32Array, "
      "dAttentionSrc: Float32Array, dAttentionDst: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
