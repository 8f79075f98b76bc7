#include "signature.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "registry.h"

namespace hopwise {
namespace {

constexpr uint32_t typed(napi_typedarray_type type) { return 1u << (uint32_t{kFirstTyped} + type); }

const std::pair<const char*, uint32_t> kTypes[] = {
    {"number", kNumber},
    {"RowOpCode", kNumber},
    {"boolean", kBoolean},
    {"string", kString},
    {"null", kNull},
    {"Float32Array", kFloatArray},
    {"HostFloats", kFloats},
    {"Float64Array", typed(napi_float64_array)},
    {"Int32Array", kIntArray},
    {"HostInts", kInts},
    {"BigInt64Array", typed(napi_bigint64_array)},
    {"Uint8Array", typed(napi_uint8_array)},
    {"Int8Array", typed(napi_int8_array)},
    {"Uint16Array", typed(napi_uint16_array)},
    {"Uint32Array", typed(napi_uint32_array)},
    {"ArrayBufferView", kAnyTyped},
    {"NodeJS.TypedArray", kAnyTyped},
    {"NativeBlock", kBlock},
    {"ReversibleBlock", kBlock},
    {"NativeRows", kRows},
    {"StoreRequest", kFunction},
    {"Required<GraphShape>", kObject},
};

bool ends_with(const std::string& text, const char* end) {
  const size_t length = std::strlen(end);
  return text.size() >= length && text.compare(text.size() - length, length, end) == 0;
}

uint32_t kinds_of_one(const std::string& type) {
  for (const auto& [name, kinds] : kTypes) {
    if (type == name) return kinds;
  }
  if (ends_with(type, "Handle")) return kExternal;
  if (ends_with(type, "Options")) return kObject;
  if (type.rfind("readonly ", 0) == 0 && ends_with(type, "[]")) return kArray;
  std::fprintf(stderr, "hopwise: binding/signature.cc has no check for parameters of type %s.\n", type.c_str());
  std::abort();
}

// Calls take(part) for each part between separators; none for an empty text.
template <typename Take>
void split(const std::string& text, const std::string& separator, Take take) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    take(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
}

uint32_t kinds_of(const std::string& type) {
  uint32_t kinds = 0;
  split(type, " | ", [&](const std::string& one) { kinds |= kinds_of_one(one); });
  return kinds;
}

Parameter parameter_of(const std::string& text) {
  const size_t colon = text.find(": ");
  const bool optional = text[colon - 1] == '?';
  const std::string type = text.substr(colon + 2);
  return {text.substr(0, colon - (optional ? 1 : 0)), type, kinds_of(type), optional};
}

uint32_t kind_of(const Napi::CallbackInfo& info, const Napi::Value& value) {
  switch (value.Type()) {
    case napi_number: return kNumber;
    case napi_boolean: return kBoolean;
    case napi_string: return kString;
    case napi_null: return kNull;
    case napi_function: return kFunction;
    case napi_external: return kExternal;
    case napi_object: break;
    default: return 0;
  }
  if (value.IsArray()) return kArray;
  if (!value.IsTypedArray()) return kObject;
  napi_typedarray_type type = napi_int8_array;
  napi_get_typedarray_info(info.Env(), value, &type, nullptr, nullptr, nullptr, nullptr);
  return typed(type);
}

}  // namespace

Signature::Signature(const char* text) : text_(text), name_(text_.substr(0, text_.find('('))) {
  const std::string list = text_.substr(name_.size() + 1, text_.size() - name_.size() - 2);
  split(list, ", ", [&](const std::string& one) { parameters_.push_back(parameter_of(one)); });
  for (const Parameter& parameter : parameters_) required_ += parameter.optional ? 0 : 1;
}

void Signature::check_count(const Napi::CallbackInfo& info) const {
  if (info.Length() >= required_ && info.Length() <= parameters_.size()) return;
  throw_gnn_error(info.Env(), "SHAPE_MISMATCH",
                  name_ + " got " + std::to_string(info.Length()) + " arguments; expected " + text_ + ".");
}

void Signature::check_types(const Napi::CallbackInfo& info) const {
  for (size_t i = 0; i < info.Length(); ++i) {
    const Parameter& parameter = parameters_[i];
    const Napi::Value value = info[i];
    if ((kind_of(info, value) & parameter.kinds) != 0 || (parameter.optional && value.IsUndefined())) continue;
    throw_gnn_error(info.Env(), "SHAPE_MISMATCH", name_ + ": " + parameter.name + " is not a " + parameter.type + ".");
  }
}

void Signature::check_read(const Napi::CallbackInfo& info, size_t position, const char* name, uint32_t kinds) const {
  if (position < parameters_.size()) {
    const Parameter& parameter = parameters_[position];
    if ((parameter.kinds & kinds) == parameter.kinds && parameter.name == name) return;
  }
  throw Napi::Error::New(info.Env(), "The native function reads " + std::string(name) + " as argument " +
                                         std::to_string(position + 1) + ", and declares " + text_ + ".");
}

void Signature::check_all_read(const Napi::CallbackInfo& info, size_t count) const {
  if (count == parameters_.size()) return;
  throw Napi::Error::New(
      info.Env(), "The native function reads " + std::to_string(count) + " arguments, and declares " + text_ + ".");
}

}  // namespace hopwise
