#include "gnn/ingest/integer_scanner.h"
#include "gnn/ingest/integer_table.h"

#include "arrays.h"
#include "export_kernel.h"
#include "registry.h"

namespace hopwise {

namespace {

std::vector<int> ints_of(const Napi::Value& value) {
  const auto list = value.As<Napi::Array>();
  std::vector<int> ints;
  for (uint32_t i = 0; i < list.Length(); ++i) ints.push_back(list.Get(i).As<Napi::Number>());
  return ints;
}

char char_of(const Napi::Value& value) {
  const std::string text = value.As<Napi::String>();
  return text.empty() ? '\0' : text[0];
}

Napi::Value create_scanner(const Napi::CallbackInfo& info) {
  const auto options = info[0].As<Napi::Object>();
  auto* scanner = new gnn::IntegerScanner({char_of(options.Get("delimiter")), char_of(options.Get("comment")),
                                           options.Get("header").As<Napi::Boolean>(),
                                           options.Get("numColumns").As<Napi::Number>(), ints_of(options.Get("ids")),
                                           ints_of(options.Get("numbers"))});
  return Napi::External<gnn::IntegerScanner>::New(info.Env(), scanner,
                                                  [](Napi::Env, gnn::IntegerScanner* owned) { delete owned; });
}

Napi::Array columns_of(Napi::Env env, std::vector<std::vector<double>>&& columns) {
  auto list = Napi::Array::New(env, columns.size());
  for (uint32_t i = 0; i < columns.size(); ++i) list.Set(i, to_typed_array(env, std::move(columns[i])));
  return list;
}

Napi::Value scan_integers(const Napi::CallbackInfo& info) {
  auto* scanner = info[0].As<Napi::External<gnn::IntegerScanner>>().Data();
  const auto chunk = info[1].As<Napi::Uint8Array>();
  gnn::ScannedRows rows = scanner->push(reinterpret_cast<const char*>(chunk.Data()), chunk.ByteLength(),
                                        info[2].As<Napi::Boolean>());
  auto object = Napi::Object::New(info.Env());
  object.Set("numRows", static_cast<double>(rows.num_rows));
  object.Set("ids", columns_of(info.Env(), std::move(rows.ids)));
  object.Set("numbers", columns_of(info.Env(), std::move(rows.numbers)));
  object.Set("stopped", scanner->stopped());
  return object;
}

Napi::Value relabel_pairs(const Napi::CallbackInfo& info) {
  auto direct = info[0].As<Napi::Int32Array>(), slots = info[2].As<Napi::Int32Array>();
  const gnn::IntegerTable table{direct.Data(), static_cast<int64_t>(direct.ElementLength()),
                                info[1].As<Napi::Float64Array>().Data(), slots.Data(),
                                static_cast<int64_t>(slots.ElementLength())};
  const auto src = info[3].As<Napi::Float64Array>(), dst = info[4].As<Napi::Float64Array>();
  return to_typed_array(info.Env(), gnn::relabel_pairs({.table = table,
                                                        .src = src.Data(),
                                                        .dst = dst.Data(),
                                                        .rows = static_cast<int64_t>(src.ElementLength()),
                                                        .add = info[5].As<Napi::Boolean>(),
                                                        .next = info[6].As<Napi::Number>(),
                                                        .src_out = info[7].As<Napi::Int32Array>().Data(),
                                                        .dst_out = info[8].As<Napi::Int32Array>().Data()}));
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<create_scanner>(env, exports, "createIntegerScanner(options: IntegerScanOptions)");
  export_function<scan_integers>(env, exports,
      "scanIntegers(scanner: IntegerScannerHandle, chunk: Uint8Array, isLast: boolean)");
  export_function<relabel_pairs>(env, exports,
      "relabelPairs(direct: Int32Array, keys: Float64Array, slots: Int32Array, src: Float64Array, "
      "dst: Float64Array, add: boolean, next: number, srcOut: Int32Array, dstOut: Int32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
