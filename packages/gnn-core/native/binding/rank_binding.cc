#include "export_kernel.h"
#include "gnn/serving/rank_targets.h"

namespace hopwise {
namespace {

Napi::Value rank_targets(Arguments& arguments) {
  gnn::RankTargets op{};
  op.num_queries = arguments.count("queries");
  op.num_candidates = arguments.count("candidates");
  op.dim = arguments.count("dim");
  op.rows_at_once = arguments.count("rowsAtOnce");
  op.queries = arguments.floats("queryRows", op.num_queries * op.dim);
  op.candidates = arguments.floats("candidateRows", op.num_candidates * op.dim);
  const int64_t num_targets = arguments.count("numTargets"), num_left = arguments.count("numLeftOut");
  op.starts = arguments.offsets("starts", op.num_queries, num_targets);
  op.targets = arguments.ids("targets", num_targets, op.num_candidates);
  op.left_starts = arguments.offsets("leftStarts", op.num_queries, num_left);
  op.left_out = arguments.ids("leftOut", num_left, op.num_candidates);
  op.ranks = arguments.floats("ranks", num_targets);
  gnn::rank_targets(op);
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<rank_targets>(env, exports,
      "rankTargets(queries: number, candidates: number, dim: number, rowsAtOnce: number, queryRows: Float32Array, "
      "candidateRows: Float32Array, numTargets: number, numLeftOut: number, starts: Int32Array, targets: Int32Array, "
      "leftStarts: Int32Array, leftOut: Int32Array, ranks: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
