#include "export_kernel.h"
#include "kernels.h"
#include "reversible_block.h"

namespace hopwise {
namespace {

// With the number of heads and the width of each, which follow the block.
gnn::HeadShape read_shape(Arguments& arguments, const gnn::BlockView& block) {
  const int64_t heads = arguments.count("heads");
  return {block, heads, arguments.count("dim")};
}

Napi::Value head_sum(Arguments& arguments) {
  const gnn::HeadShape shape = read_shape(arguments, arguments.block(true));
  const float* weights = arguments.floats("weights", shape.block.num_edges * shape.heads);
  const float* x = arguments.floats("x", shape.block.num_src * shape.width());
  kernels::head_sum(shape, weights, x, arguments.floats("out", shape.block.num_dst * shape.width()));
  return arguments.env().Undefined();
}

Napi::Value head_sum_grad(Arguments& arguments) {
  const gnn::BlockView block = reversible_block(arguments, true);
  const int32_t* reverse_edges = arguments.ids("reverseEdges", block.num_edges, block.num_edges);
  const gnn::HeadShape shape = read_shape(arguments, block);
  const float* weights = arguments.floats("weights", block.num_edges * shape.heads);
  const float* dy = arguments.floats("dy", block.num_dst * shape.width());
  kernels::head_sum_grad(shape, reverse_edges, weights, dy, arguments.floats("dx", block.num_src * shape.width()));
  return arguments.env().Undefined();
}

Napi::Value head_dot(Arguments& arguments) {
  const gnn::HeadShape shape = read_shape(arguments, arguments.block(true));
  const float* x = arguments.floats("x", shape.block.num_src * shape.width());
  const float* y = arguments.floats("y", shape.block.num_dst * shape.width());
  kernels::head_dot(shape, x, y, arguments.floats("out", shape.block.num_edges * shape.heads));
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<head_sum>(env, exports,
      "headSum(block: NativeBlock, heads: number, dim: number, weights: Float32Array, x: Float32Array, "
      "out: Float32Array)");
  export_kernel<head_sum_grad>(env, exports,
      "headSumGrad(block: ReversibleBlock, reverseEdges: Int32Array, heads: number, dim: number, "
      "weights: Float32Array, dy: Float32Array, dx: Float32Array)");
  export_kernel<head_dot>(env, exports,
      "headDot(block: NativeBlock, heads: number, dim: number, x: Float32Array, y: Float32Array, "
      "out: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
