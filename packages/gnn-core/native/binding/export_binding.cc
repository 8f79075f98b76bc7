#include "gnn/export/float_texts.h"

#include "arrays.h"
#include "export_kernel.h"
#include "registry.h"

namespace hopwise {
namespace {

Napi::Value float_texts(const Napi::CallbackInfo& info) {
  const auto values = info[0].As<Napi::Float32Array>();
  const int64_t width = info[1].As<Napi::Number>();
  const std::string between = info[2].As<Napi::String>();
  const auto count = static_cast<int64_t>(values.ElementLength());
  if (width < 1 || count % width != 0 || between.size() != 1) {
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH", "Rows of one width are made texts of, with one character between.");
  }
  gnn::FloatTexts texts = gnn::float_texts(values.Data(), count / width, width, between[0]);
  auto object = Napi::Object::New(info.Env());
  object.Set("bytes", array_over<uint8_t>(info.Env(), std::move(texts.bytes)));
  object.Set("offsets", to_typed_array(info.Env(), std::move(texts.offsets)));
  object.Set("allFinite", texts.all_finite);
  return object;
}

void init(Napi::Env env, Napi::Object exports) {
  export_function<float_texts>(env, exports, "floatTexts(values: Float32Array, width: number, between: string)");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
