#include <memory>

#include "gnn/generate/block_model.h"
#include "gnn/generate/distinct_pairs.h"
#include "gnn/generate/rmat.h"
#include "arrays.h"
#include "export_kernel.h"
#include "promise_worker.h"

namespace hopwise {

namespace {

using Source = std::shared_ptr<const gnn::PairSource>;

double number_of(const Napi::Object& object, const char* name) { return object.Get(name).As<Napi::Number>(); }
int32_t int_of(const Napi::Object& object, const char* name) { return object.Get(name).As<Napi::Number>(); }
int32_t int_of(const Napi::Value& value) { return value.As<Napi::Number>(); }
int64_t long_of(const Napi::Value& value) { return value.As<Napi::Number>().Int64Value(); }

gnn::BlockShape shape_of(const Napi::Object& object) {
  gnn::BlockShape shape{};
  shape.num_nodes = int_of(object, "numNodes");
  shape.num_pairs = long_of(object.Get("numPairs"));
  shape.feature_dim = int_of(object, "featureDim");
  const auto prior = object.Get("classPrior").As<Napi::Array>();
  for (uint32_t i = 0; i < prior.Length(); ++i) shape.class_prior.push_back(prior.Get(i).As<Napi::Number>());
  shape.blocks_per_class = int_of(object, "blocksPerClass");
  shape.degree_spread = number_of(object, "degreeSpread");
  shape.max_degree = number_of(object, "maxDegree");
  const auto homophily = object.Get("homophily").As<Napi::Array>();
  shape.homophily_a = homophily.Get(uint32_t{0}).As<Napi::Number>();
  shape.homophily_b = homophily.Get(uint32_t{1}).As<Napi::Number>();
  shape.signal = number_of(object, "signal");
  shape.label_noise = number_of(object, "labelNoise");
  shape.train_share = number_of(object, "trainShare");
  shape.val_share = number_of(object, "valShare");
  shape.test_share = number_of(object, "testShare");
  shape.split_by_degree = object.Get("split").As<Napi::String>().Utf8Value() == "byDegree";
  return shape;
}

Napi::Value to_external(Napi::Env env, Source&& source) {
  return Napi::External<Source>::New(env, new Source(std::move(source)),
                                     [](Napi::Env, Source* owned) { delete owned; });
}

Source source_of(const Napi::Value& value) { return *value.As<Napi::External<Source>>().Data(); }

std::shared_ptr<const gnn::BlockModel> block_model_of(const Napi::Value& value) {
  auto model = std::dynamic_pointer_cast<const gnn::BlockModel>(source_of(value));
  if (!model) throw_gnn_error(value.Env(), "SHAPE_MISMATCH", "This generator has no labels or features.");
  return model;
}

Napi::Value create_block_model(const Napi::CallbackInfo& info) {
  const gnn::BlockShape shape = shape_of(info[0].As<Napi::Object>());
  const auto seed = static_cast<uint64_t>(long_of(info[1]));
  return PromiseWorker<Source>::start(
      info.Env(), {}, [=]() -> Source { return std::make_shared<gnn::BlockModel>(shape, seed); }, to_external);
}

Napi::Value create_rmat(const Napi::CallbackInfo& info) {
  const int scale = int_of(info[0]);
  const double a = info[1].As<Napi::Number>(), b = info[2].As<Napi::Number>(), c = info[3].As<Napi::Number>();
  return to_external(info.Env(), std::make_shared<gnn::Rmat>(scale, a, b, c, static_cast<uint64_t>(long_of(info[4]))));
}

Napi::Value draw_pairs(const Napi::CallbackInfo& info) {
  const Source source = source_of(info[0]);
  const auto first = static_cast<uint64_t>(long_of(info[1]));
  const int64_t count = long_of(info[2]);
  const int32_t bucket_nodes = int_of(info[3]);
  return PromiseWorker<gnn::BucketedKeys>::start(
      info.Env(), {}, [=] { return gnn::draw_pairs(*source, first, count, bucket_nodes); },
      [](Napi::Env env, gnn::BucketedKeys&& grouped) -> Napi::Value {
        Napi::Object object = Napi::Object::New(env);
        object.Set("keys", to_typed_array(env, std::move(grouped.keys)));
        object.Set("ends", to_typed_array(env, std::move(grouped.ends)));
        return object;
      });
}

// The worker keeps the keys alive.
gnn::Bucket bucket_of(const Napi::CallbackInfo& info) {
  const auto keys = info[0].As<Napi::BigInt64Array>();
  return {keys.Data(), static_cast<int64_t>(keys.ElementLength()), int_of(info[1]), int_of(info[2]),
          static_cast<uint64_t>(long_of(info[3]))};
}

Napi::Value distinct_keys(const Napi::CallbackInfo& info) {
  const gnn::Bucket bucket = bucket_of(info);
  return PromiseWorker<gnn::DistinctKeys>::start(
      info.Env(), {info[0]},
      [=] { return gnn::distinct_keys(bucket); },
      [](Napi::Env env, gnn::DistinctKeys&& distinct) -> Napi::Value {
        Napi::Object object = Napi::Object::New(env);
        object.Set("keys", to_typed_array(env, std::move(distinct.keys)));
        object.Set("bins", to_typed_array(env, std::move(distinct.bins)));
        return object;
      });
}

Napi::Value ranks_in_bin(const Napi::CallbackInfo& info) {
  const gnn::Bucket bucket = bucket_of(info);
  const int bin = int_of(info[4]);
  return PromiseWorker<std::vector<double>>::start(
      info.Env(), {info[0]}, [=] { return gnn::ranks_in_bin(bucket, bin); },
      [](Napi::Env env, std::vector<double>&& ranks) { return to_typed_array(env, std::move(ranks)); });
}

Napi::Value columns_of(const Napi::CallbackInfo& info) {
  const gnn::Bucket bucket = bucket_of(info);
  const double last_rank = info[4].As<Napi::Number>();
  const int64_t first_edge = long_of(info[5]);
  return PromiseWorker<gnn::Columns>::start(
      info.Env(), {info[0]},
      [=] { return gnn::columns_of(bucket, last_rank, first_edge); },
      [](Napi::Env env, gnn::Columns&& columns) -> Napi::Value {
        Napi::Object object = Napi::Object::New(env);
        object.Set("indptr", to_typed_array(env, std::move(columns.indptr)));
        object.Set("indices", to_typed_array(env, std::move(columns.indices)));
        return object;
      });
}

Napi::Value generated_split(const Napi::CallbackInfo& info) {
  const auto model = block_model_of(info[0]);
  return PromiseWorker<std::vector<int8_t>>::start(
      info.Env(), {}, [=] { return model->split(); },
      [](Napi::Env env, std::vector<int8_t>&& split) { return to_typed_array(env, std::move(split)); });
}

Napi::Value generated_labels(const Napi::CallbackInfo& info) {
  const auto model = block_model_of(info[0]);
  const int32_t first = int_of(info[1]), count = int_of(info[2]);
  const auto split = info[3].As<Napi::Int8Array>();
  const int8_t* codes = split.Data();
  return PromiseWorker<std::vector<int32_t>>::start(
      info.Env(), {split}, [=] { return model->labels(first, count, codes); },
      [](Napi::Env env, std::vector<int32_t>&& labels) { return to_typed_array(env, std::move(labels)); });
}

Napi::Value generated_features(const Napi::CallbackInfo& info) {
  const auto model = block_model_of(info[0]);
  const int32_t first = int_of(info[1]), count = int_of(info[2]);
  return PromiseWorker<std::vector<float>>::start(
      info.Env(), {}, [=] { return model->features(first, count); },
      [](Napi::Env env, std::vector<float>&& features) { return to_typed_array(env, std::move(features)); });
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<create_block_model>(env, exports, "createBlockModel(shape: Required<GraphShape>, seed: number)");
  export_function<create_rmat>(env, exports,
      "createRmat(scale: number, a: number, b: number, c: number, seed: number)");
  export_function<draw_pairs>(env, exports,
      "drawPairs(source: PairSourceHandle, first: number, count: number, bucketNodes: number)");
  export_function<distinct_keys>(env, exports,
      "distinctKeys(keys: BigInt64Array, firstNode: number, numNodes: number, seed: number)");
  export_function<ranks_in_bin>(env, exports,
      "ranksInBin(keys: BigInt64Array, firstNode: number, numNodes: number, seed: number, bin: number)");
  export_function<columns_of>(env, exports,
      "columnsOf(keys: BigInt64Array, firstNode: number, numNodes: number, seed: number, "
      "lastRank: number, firstEdge: number)");
  export_function<generated_split>(env, exports, "generatedSplit(model: BlockModelHandle)");
  export_function<generated_labels>(env, exports,
      "generatedLabels(model: BlockModelHandle, first: number, count: number, split: Int8Array)");
  export_function<generated_features>(env, exports,
      "generatedFeatures(model: BlockModelHandle, first: number, count: number)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
