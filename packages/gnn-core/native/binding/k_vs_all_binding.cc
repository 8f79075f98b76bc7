#include "export_kernel.h"
#include "kernels.h"

namespace hopwise {
namespace {

// The host looks at arrays that it can read; on a device a query without targets reads nothing that is not there.
void require_targets([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const gnn::KvsAll& op) {
#ifndef HOPWISE_DEVICE
  for (int64_t i = 0; i < op.num_queries; ++i) {
    if (op.starts[i] == op.starts[i + 1]) arguments.fail("query " + std::to_string(i) + " has no targets.");
  }
#endif
}

Napi::Value k_vs_all(Arguments& arguments) {
  gnn::KvsAll op{};
  op.kind = arguments.flag("isBinary") ? gnn::KvsAllKind::binary : gnn::KvsAllKind::softmax;
  op.smoothing = static_cast<float>(arguments.number("smoothing"));
  op.num_queries = arguments.count("queries");
  op.num_candidates = arguments.count("candidates");
  op.dim = arguments.count("dim");
  op.queries = arguments.floats("queryRows", op.num_queries * op.dim);
  op.candidates = arguments.floats("candidateRows", op.num_candidates * op.dim);
  const int64_t num_targets = arguments.count("numTargets");
  op.starts = arguments.offsets("starts", op.num_queries, num_targets);
  require_targets(arguments, op);
  op.targets = arguments.ids("targets", num_targets, op.num_candidates);
  op.num_groups = static_cast<int32_t>(arguments.count("groups"));
  const bool is_grouped = op.num_groups > 1;
  const int32_t* const groups = arguments.ids("groupOf", is_grouped ? op.num_candidates : 0, op.num_groups);
  if (is_grouped) op.group_of = groups;
  float* const loss = arguments.floats("loss", 1);
  op.d_queries = arguments.floats("dQueries", op.num_queries * op.dim);
  op.d_candidates = arguments.floats("dCandidates", op.num_candidates * op.dim);
  kernels::k_vs_all(op, loss);
  return arguments.env().Undefined();
}

Napi::Value shared_softmax(Arguments& arguments) {
  gnn::KvsAll op{};
  op.num_queries = arguments.count("queries");
  op.num_candidates = arguments.count("candidates");
  op.dim = arguments.count("dim");
  op.queries = arguments.floats("queryRows", op.num_queries * op.dim);
  op.own = arguments.floats("ownRows", op.num_queries * op.dim);
  op.candidates = arguments.floats("candidateRows", op.num_candidates * op.dim);
  const int64_t num_left = arguments.count("numLeft");
  op.left_starts = arguments.offsets("leftStarts", op.num_queries, num_left);
  op.left = arguments.ids("left", num_left, op.num_candidates);
  float* const loss = arguments.floats("loss", 1);
  op.d_queries = arguments.floats("dQueries", op.num_queries * op.dim);
  op.d_own = arguments.floats("dOwn", op.num_queries * op.dim);
  op.d_candidates = arguments.floats("dCandidates", op.num_candidates * op.dim);
  kernels::k_vs_all(op, loss);
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<shared_softmax>(env, exports,
      "sharedSoftmax(queries: number, candidates: number, dim: number, queryRows: Float32Array, "
      "ownRows: Float32Array, candidateRows: Float32Array, numLeft: number, leftStarts: Int32Array, "
      "left: Int32Array, loss: Float32Array, dQueries: Float32Array, dOwn: Float32Array, "
      "dCandidates: Float32Array)");
  export_kernel<k_vs_all>(env, exports,
      "kVsAll(isBinary: boolean, smoothing: number, queries: number, candidates: number, dim: number, "
      "queryRows: Float32Array, candidateRows: Float32Array, numTargets: number, starts: Int32Array, "
      "targets: Int32Array, groups: number, groupOf: Int32Array, loss: Float32Array, dQueries: Float32Array, "
      "dCandidates: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
