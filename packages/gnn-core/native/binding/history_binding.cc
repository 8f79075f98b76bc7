#include "arrays.h"
#include "export_kernel.h"
#include "gnn/history/csr_row_sums.h"
#include "gnn/history/neighbor_sum.h"
#include "gnn/history/row_claims.h"
#include "graph_handle.h"

namespace hopwise {
namespace {

// The graph is the last argument of both sums: the reader of arguments knows no handles.
Napi::Value sum_neighbors(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[5]);
  Arguments arguments(info);
  const float* roots = arguments.optional_floats("inverseRoots", graph.num_nodes());
  const int64_t count = info[1].IsTypedArray() ? info[1].As<Napi::TypedArray>().ElementLength() : 0;
  const int32_t* nodes = arguments.ids("nodes", count, graph.num_nodes());
  const int64_t dim = arguments.count("dim");
  const float* x = arguments.floats("x", graph.num_nodes() * dim);
  gnn::sum_neighbors({.graph = graph,
                      .sum = {roots},
                      .nodes = nodes,
                      .count = count,
                      .dim = dim,
                      .x = x,
                      .out = arguments.floats("out", count * dim)});
  return info.Env().Undefined();
}

Napi::Value control_variate_sum(const Napi::CallbackInfo& info) {
  const gnn::GraphView& graph = graph_of(info[9]);
  Arguments arguments(info);
  const float* roots = arguments.optional_floats("inverseRoots", graph.num_nodes());
  const gnn::BlockView block = arguments.block();
  const int32_t* src_ids = arguments.ids("srcIds", block.num_src, graph.num_nodes());
  const float* edge_weights = arguments.floats("edgeWeights", block.num_edges);
  const float* self_weights = arguments.optional_floats("selfWeights", block.num_dst);
  const int64_t dim = arguments.count("dim");
  const float* h = arguments.floats("h", block.num_src * dim);
  const float* history = arguments.floats("history", graph.num_nodes() * dim);
  gnn::control_variate_sum({.graph = graph,
                            .sum = {roots},
                            .block = block,
                            .src_ids = src_ids,
                            .drawn = {edge_weights, self_weights},
                            .dim = dim,
                            .h = h,
                            .history = history,
                            .out = arguments.floats("out", block.num_dst * dim)});
  return info.Env().Undefined();
}

// Claims are 64 bits each, in memory that is shared as pairs of float32.
uint64_t* read_claims(Arguments& arguments, int64_t num_rows) {
  return reinterpret_cast<uint64_t*>(arguments.optional_floats("claims", 2 * num_rows));
}

uint64_t read_claim(Arguments& arguments) {
  const auto step = static_cast<uint64_t>(arguments.count("step"));
  const int64_t rank = arguments.count("rank");
  if (rank > 65535) arguments.fail("rank is above 65535.");
  return gnn::claim_of(step, static_cast<uint64_t>(rank));
}

Napi::Value claim_rows(Arguments& arguments) {
  const int64_t num_rows = arguments.count("numRows"), count = arguments.count("count");
  const int32_t* rows = arguments.ids("rows", count, num_rows);
  const uint64_t claim = read_claim(arguments);
  uint64_t* claims = read_claims(arguments, num_rows);
  if (claims == nullptr) arguments.fail("claims is null.");
  gnn::claim_rows(rows, count, claim, claims);
  return arguments.env().Undefined();
}

Napi::Value write_claimed_rows(Arguments& arguments) {
  const int64_t num_rows = arguments.count("numRows"), count = arguments.count("count");
  const int32_t* rows = arguments.ids("rows", count, num_rows);
  const uint64_t claim = read_claim(arguments);
  const uint64_t* claims = read_claims(arguments, num_rows);
  const int64_t dim = arguments.count("dim");
  const float* values = arguments.floats("values", count * dim);
  gnn::write_claimed_rows({.rows = rows,
                           .count = count,
                           .claim = claim,
                           .claims = claims,
                           .dim = dim,
                           .values = values,
                           .out = arguments.floats("out", num_rows * dim)});
  return arguments.env().Undefined();
}

Napi::Value sum_csr_rows(Arguments& arguments) {
  const gnn::BlockView block = arguments.block();
  const int64_t dim = arguments.count("dim");
  const float* edge_weights = arguments.optional_floats("edgeWeights", block.num_edges);
  const float* self_weights = arguments.optional_floats("selfWeights", block.num_dst);
  const gnn::CsrView x = arguments.csr(block.num_src, dim).first;
  gnn::CsrRows rows = gnn::sum_csr_rows(block, {edge_weights, self_weights}, x);
  Napi::Object object = Napi::Object::New(arguments.env());
  object.Set("indptr", to_recycled_array(arguments.env(), std::move(rows.indptr)));
  object.Set("indices", to_recycled_array(arguments.env(), std::move(rows.indices)));
  object.Set("values", to_recycled_array(arguments.env(), std::move(rows.values)));
  return object;
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<sum_neighbors>(env, exports,
      "sumNeighbors(inverseRoots: Float32Array | null, nodes: Int32Array, dim: number, x: Float32Array, "
      "out: Float32Array, graph: GraphHandle)");
  export_function<control_variate_sum>(env, exports,
      "controlVariateSum(inverseRoots: Float32Array | null, block: NativeBlock, srcIds: Int32Array, "
      "edgeWeights: Float32Array, selfWeights: Float32Array | null, dim: number, h: Float32Array, "
      "history: Float32Array, out: Float32Array, graph: GraphHandle)");
  export_kernel<claim_rows>(env, exports,
      "claimRows(numRows: number, count: number, rows: Int32Array, step: number, rank: number, "
      "claims: Float32Array | null)");
  export_kernel<write_claimed_rows>(env, exports,
      "writeClaimedRows(numRows: number, count: number, rows: Int32Array, step: number, rank: number, "
      "claims: Float32Array | null, dim: number, values: Float32Array, out: Float32Array)");
  export_kernel<sum_csr_rows>(env, exports,
      "sumCsrRows(block: NativeBlock, dim: number, edgeWeights: Float32Array | null, "
      "selfWeights: Float32Array | null, indptr: Int32Array, indices: Int32Array, values: Float32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
