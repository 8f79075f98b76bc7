#include "gnn/ingest/integer_scanner.h"
#include "gnn/ingest/integer_table.h"
#include "gnn/ingest/text_scanner.h"
#include "gnn/ingest/text_table.h"

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

gnn::ScanOptions options_of(const Napi::Value& value) {
  const auto options = value.As<Napi::Object>();
  return {char_of(options.Get("delimiter")), char_of(options.Get("comment")),
          options.Get("header").As<Napi::Boolean>(), options.Get("numColumns").As<Napi::Number>(),
          ints_of(options.Get("ids")), ints_of(options.Get("numbers"))};
}

// A value of C++ that JavaScript owns.
template <typename T>
Napi::Value handle_to(Napi::Env env, T* owned) {
  return Napi::External<T>::New(env, owned, [](Napi::Env, T* value) { delete value; });
}

template <typename T>
T& value_of(const Napi::Value& handle) {
  return *handle.As<Napi::External<T>>().Data();
}

Napi::Value create_integer_scanner(const Napi::CallbackInfo& info) {
  return handle_to(info.Env(), new gnn::IntegerScanner(options_of(info[0])));
}

Napi::Value create_text_scanner(const Napi::CallbackInfo& info) {
  return handle_to(info.Env(), new gnn::TextScanner(options_of(info[0])));
}

Napi::Array columns_of(Napi::Env env, std::vector<std::vector<double>>&& columns) {
  auto list = Napi::Array::New(env, columns.size());
  for (uint32_t i = 0; i < columns.size(); ++i) list.Set(i, to_typed_array(env, std::move(columns[i])));
  return list;
}

Napi::Value scan_integers(const Napi::CallbackInfo& info) {
  auto& scanner = value_of<gnn::IntegerScanner>(info[0]);
  const auto chunk = info[1].As<Napi::Uint8Array>();
  gnn::ScannedRows rows = scanner.push(reinterpret_cast<const char*>(chunk.Data()), chunk.ByteLength(),
                                       info[2].As<Napi::Boolean>());
  auto object = Napi::Object::New(info.Env());
  object.Set("numRows", static_cast<double>(rows.num_rows));
  object.Set("ids", columns_of(info.Env(), std::move(rows.ids)));
  object.Set("numbers", columns_of(info.Env(), std::move(rows.numbers)));
  object.Set("stopped", scanner.stopped());
  return object;
}

Napi::Value scan_texts(const Napi::CallbackInfo& info) {
  auto& scanner = value_of<gnn::TextScanner>(info[0]);
  const auto chunk = info[1].As<Napi::Uint8Array>();
  gnn::TextRows rows = scanner.push(reinterpret_cast<const char*>(chunk.Data()), chunk.ByteLength(),
                                    info[2].As<Napi::Boolean>());
  auto object = Napi::Object::New(info.Env());
  object.Set("numRows", static_cast<double>(rows.num_rows));
  object.Set("bytes", array_over<uint8_t>(info.Env(), std::move(rows.ids.bytes)));
  object.Set("offsets", to_typed_array(info.Env(), std::move(rows.ids.offsets)));
  object.Set("numbers", columns_of(info.Env(), std::move(rows.numbers)));
  object.Set("odd", to_typed_array(info.Env(), std::move(rows.odd)));
  object.Set("stopped", scanner.stopped());
  return object;
}

gnn::IntegerTable integer_table_of(const Napi::CallbackInfo& info) {
  auto direct = info[0].As<Napi::Int32Array>(), slots = info[2].As<Napi::Int32Array>();
  const auto salt = to_vector<int32_t>(info[3]);
  if (salt.size() != 2) throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "The salt of a table has two halves.");
  return {direct.Data(), static_cast<int64_t>(direct.ElementLength()), info[1].As<Napi::Float64Array>().Data(),
          slots.Data(), static_cast<int64_t>(slots.ElementLength()), {salt[0], salt[1]}};
}

Napi::Value relabel_pairs(const Napi::CallbackInfo& info) {
  const auto src = info[4].As<Napi::Float64Array>(), dst = info[5].As<Napi::Float64Array>();
  return to_typed_array(info.Env(), gnn::relabel_pairs({.table = integer_table_of(info),
                                                        .src = src.Data(),
                                                        .dst = dst.Data(),
                                                        .rows = static_cast<int64_t>(src.ElementLength()),
                                                        .add = info[6].As<Napi::Boolean>(),
                                                        .next = info[7].As<Napi::Number>(),
                                                        .src_out = info[8].As<Napi::Int32Array>().Data(),
                                                        .dst_out = info[9].As<Napi::Int32Array>().Data()}));
}

Napi::Value relabel_texts(const Napi::CallbackInfo& info) {
  auto src_out = info[9].As<Napi::Int32Array>();
  return to_typed_array(
      info.Env(),
      gnn::relabel_texts({.integers = integer_table_of(info),
                          .texts = value_of<gnn::TextTable>(info[4]),
                          .bytes = reinterpret_cast<const char*>(info[5].As<Napi::Uint8Array>().Data()),
                          .offsets = info[6].As<Napi::Uint32Array>().Data(),
                          .rows = static_cast<int64_t>(src_out.ElementLength()),
                          .add = info[7].As<Napi::Boolean>(),
                          .next = info[8].As<Napi::Number>(),
                          .src_out = src_out.Data(),
                          .dst_out = info[10].As<Napi::Int32Array>().Data()}));
}

Napi::Value create_text_table(const Napi::CallbackInfo& info) { return handle_to(info.Env(), new gnn::TextTable()); }

Napi::Value find_text(const Napi::CallbackInfo& info) {
  const std::string text = info[1].As<Napi::String>();
  return Napi::Number::New(info.Env(), value_of<gnn::TextTable>(info[0]).find(text));
}

// Whether the text was not there.
Napi::Value add_text(const Napi::CallbackInfo& info) {
  auto& table = value_of<gnn::TextTable>(info[0]);
  const std::string text = info[1].As<Napi::String>();
  const uint64_t hash = table.hash_of(text);
  const bool is_new = table.find(text, hash) < 0;
  if (is_new) table.add(text, info[2].As<Napi::Number>(), hash);
  return Napi::Boolean::New(info.Env(), is_new);
}

// The texts from `first` on, `count` of them or as many as there are.
Napi::Value texts_of(const Napi::CallbackInfo& info) {
  const auto& table = value_of<gnn::TextTable>(info[0]);
  const int64_t first = info[1].As<Napi::Number>(), count = info[2].As<Napi::Number>();
  gnn::PackedTexts packed;
  for (int64_t i = first; i < table.size() && i < first + count; ++i) packed.push(table.text(i));
  auto object = Napi::Object::New(info.Env());
  object.Set("bytes", array_over<uint8_t>(info.Env(), std::move(packed.bytes)));
  object.Set("offsets", to_typed_array(info.Env(), std::move(packed.offsets)));
  return object;
}

Napi::Value is_int64(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), value_of<gnn::TextTable>(info[0]).is_int64());
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<create_integer_scanner>(env, exports, "createIntegerScanner(options: ScanOptions)");
  export_function<scan_integers>(env, exports,
      "scanIntegers(scanner: IntegerScannerHandle, chunk: Uint8Array, isLast: boolean)");
  export_function<create_text_scanner>(env, exports, "createTextScanner(options: ScanOptions)");
  export_function<scan_texts>(env, exports,
      "scanTexts(scanner: TextScannerHandle, chunk: Uint8Array, isLast: boolean)");
  export_function<relabel_pairs>(env, exports,
      "relabelPairs(direct: Int32Array, keys: Float64Array, slots: Int32Array, salt: Int32Array, src: Float64Array, "
      "dst: Float64Array, add: boolean, next: number, srcOut: Int32Array, dstOut: Int32Array)");
  export_function<create_text_table>(env, exports, "createTextTable()");
  export_function<find_text>(env, exports, "findText(table: TextTableHandle, text: string)");
  export_function<add_text>(env, exports, "addText(table: TextTableHandle, text: string, position: number)");
  export_function<texts_of>(env, exports, "textsOf(table: TextTableHandle, first: number, count: number)");
  export_function<is_int64>(env, exports, "isInt64(table: TextTableHandle)");
  export_function<relabel_texts>(env, exports,
      "relabelTexts(direct: Int32Array, keys: Float64Array, slots: Int32Array, salt: Int32Array, "
      "texts: TextTableHandle, bytes: Uint8Array, offsets: Uint32Array, add: boolean, next: number, "
      "srcOut: Int32Array, dstOut: Int32Array)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
