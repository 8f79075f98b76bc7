#pragma once
// Columns of a row that one lane has: a single one, or four that are read and written at once.
#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "gnn/device/kernel.h"

namespace gnn::cuda {

template <int kWidth>
struct Columns;

template <>
struct Columns<1> {
  float v;
  __device__ static Columns load(const float* at) { return {*at}; }
  __device__ void store(float* at) const { *at = v; }
  __device__ void add(const Columns& o, float weight) { v += o.v * weight; }
  __device__ void scale(float by) { v *= by; }
  __device__ float dot(const Columns& o) const { return v * o.v; }
};

template <>
struct Columns<4> {
  float4 v;
  __device__ static Columns load(const float* at) { return {*reinterpret_cast<const float4*>(at)}; }
  __device__ void store(float* at) const { *reinterpret_cast<float4*>(at) = v; }
  __device__ void add(const Columns& o, float weight) {
    v.x += o.v.x * weight, v.y += o.v.y * weight, v.z += o.v.z * weight, v.w += o.v.w * weight;
  }
  __device__ void scale(float by) { v.x *= by, v.y *= by, v.z *= by, v.w *= by; }
  __device__ float dot(const Columns& o) const { return v.x * o.v.x + v.y * o.v.y + v.z * o.v.z + v.w * o.v.w; }
};

// Whether rows of `dim` columns that begin there can be read four columns at a time.
inline bool is_wide(int64_t dim, std::initializer_list<const float*> rows) {
  return dim % 4 == 0 && std::all_of(rows.begin(), rows.end(), [](const float* at) {
           return reinterpret_cast<uintptr_t>(at) % sizeof(float4) == 0;
         });
}

}  // namespace gnn::cuda
