#pragma once
// Hands std::vectors to JavaScript as typed arrays without copying them.
#include <napi.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "gnn/runtime/memory.h"

namespace hopwise {

template <typename T>
struct TypedArrayOf;
template <>
struct TypedArrayOf<int32_t> { using Type = Napi::Int32Array; };
template <>
struct TypedArrayOf<uint32_t> { using Type = Napi::Uint32Array; };
template <>
struct TypedArrayOf<float> { using Type = Napi::Float32Array; };
template <>
struct TypedArrayOf<double> { using Type = Napi::Float64Array; };
template <>
struct TypedArrayOf<uint8_t> { using Type = Napi::Uint8Array; };
template <>
struct TypedArrayOf<int8_t> { using Type = Napi::Int8Array; };
template <>
struct TypedArrayOf<int64_t> { using Type = Napi::BigInt64Array; };

// The vector moves to the heap and is freed when the array is collected.
template <typename T, typename Vector>
Napi::Value array_over(Napi::Env env, Vector&& values) {
  using Array = typename TypedArrayOf<T>::Type;
  if (values.empty()) return Array::New(env, 0);
  auto* owned = new Vector(std::move(values));
  auto buffer = Napi::ArrayBuffer::New(
      env, owned->data(), owned->size() * sizeof(T), [](Napi::Env, void*, Vector* vector) { delete vector; }, owned);
  return Array::New(env, owned->size(), buffer, 0);
}

template <typename T>
Napi::Value to_typed_array(Napi::Env env, std::vector<T>&& values) {
  return array_over<T>(env, std::move(values));
}

template <typename T>
Napi::Value to_recycled_array(Napi::Env env, gnn::Recycled<T>&& values) {
  return array_over<T>(env, std::move(values));
}

// A copy of a typed array, for small inputs of asynchronous work: the caller may change its array meanwhile.
template <typename T>
std::vector<T> to_vector(const Napi::Value& value) {
  const auto array = value.As<typename TypedArrayOf<T>::Type>();
  return std::vector<T>(array.Data(), array.Data() + array.ElementLength());
}

}  // namespace hopwise
