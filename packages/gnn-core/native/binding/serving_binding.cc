#include <memory>

#include "gnn/serving/nearest_rows.h"

#include "arrays.h"
#include "export_kernel.h"
#include "promise_worker.h"

namespace hopwise {
namespace {

constexpr int32_t kMostNeighbors = 1 << 20;

Napi::Value row_norms(const Napi::CallbackInfo& info) {
  const auto rows = info[0].As<Napi::Float32Array>();
  const int64_t dim = info[1].As<Napi::Number>().Int64Value();
  if (dim < 1 || rows.ElementLength() % static_cast<size_t>(dim) != 0) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "The rows are not a multiple of their width.");
  }
  const float* data = rows.Data();
  const int64_t num_rows = static_cast<int64_t>(rows.ElementLength()) / dim;
  return PromiseWorker<std::vector<float>>::start(
      info.Env(), {rows}, [=] { return gnn::row_norms(data, num_rows, dim); }, to_typed_array<float>);
}

// What a search reads beside its rows: copies of small arrays, and views of large ones that are kept alive.
struct NearestCall {
  std::vector<float> queries;
  std::vector<int32_t> wanted;
  gnn::NearestRows search{};

  gnn::FoundRows run() {
    search.queries = queries.data();
    search.wanted = search.group_of == nullptr ? nullptr : wanted.data();
    return gnn::nearest_rows(search);
  }
};

NearestCall read_call(const Napi::CallbackInfo& info) {
  const auto rows = info[0].As<Napi::Float32Array>(), norms = info[1].As<Napi::Float32Array>();
  const int64_t dim = info[2].As<Napi::Number>().Int64Value();
  const double k = info[5].As<Napi::Number>().DoubleValue(), metric = info[4].As<Napi::Number>().DoubleValue();
  NearestCall call{.queries = to_vector<float>(info[3]), .wanted = {}};
  const auto num_rows = static_cast<int64_t>(norms.ElementLength());
  const auto num_queries = dim < 1 ? 0 : static_cast<int64_t>(call.queries.size()) / dim;
  const bool fits = dim >= 1 && static_cast<int64_t>(rows.ElementLength()) == num_rows * dim &&
                    static_cast<int64_t>(call.queries.size()) == num_queries * dim && num_rows <= INT32_MAX && k >= 0 &&
                    k <= kMostNeighbors && (metric == 0 || metric == 1 || metric == 2);
  if (!fits) throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "Rows, norms and queries do not fit each other.");
  call.search = {.rows = rows.Data(),
                 .norms = norms.Data(),
                 .num_rows = num_rows,
                 .dim = dim,
                 .queries = nullptr,
                 .num_queries = num_queries,
                 .metric = static_cast<gnn::Metric>(static_cast<int>(metric)),
                 .k = static_cast<int32_t>(k)};
  if (info[6].IsNull()) return call;
  const auto groups = info[6].As<Napi::Int32Array>();
  call.wanted = to_vector<int32_t>(info[7]);
  if (static_cast<int64_t>(groups.ElementLength()) != num_rows ||
      static_cast<int64_t>(call.wanted.size()) != num_queries) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "There is not one group for each row and each query.");
  }
  call.search.group_of = groups.Data();
  return call;
}

Napi::Value nearest_rows(const Napi::CallbackInfo& info) {
  auto call = std::make_shared<NearestCall>(read_call(info));
  return PromiseWorker<gnn::FoundRows>::start(
      info.Env(), {info[0], info[1], info[6]}, [call] { return call->run(); },
      [](Napi::Env env, gnn::FoundRows&& found) -> Napi::Value {
        Napi::Object object = Napi::Object::New(env);
        object.Set("counts", to_typed_array(env, std::move(found.counts)));
        object.Set("rows", to_typed_array(env, std::move(found.rows)));
        object.Set("scores", to_typed_array(env, std::move(found.scores)));
        return object;
      });
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<row_norms>(env, exports, "rowNorms(rows: Float32Array, dim: number)");
  export_function<nearest_rows>(env, exports,
      "nearestRows(rows: Float32Array, norms: Float32Array, dim: number, queries: Float32Array, metric: number, "
      "k: number, groupOf: Int32Array | null, wanted: Int32Array | null)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
