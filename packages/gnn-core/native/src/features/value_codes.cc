#include "gnn/features/value_codes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gnn/runtime/isa.h"

namespace gnn {
namespace {

// float64 holds scale · step exactly (24 + 8 bits), so that a fused multiply-add gives the same sum.
inline float int8_value(int8_t code, float scale, float offset) {
  return static_cast<float>(static_cast<double>(offset) + static_cast<double>(scale) * (code + 128));
}

inline int8_t int8_code(float value, float scale, float offset) {
  if (scale == 0) return -128;
  const double step = std::nearbyint((static_cast<double>(value) - offset) / scale);
  return static_cast<int8_t>(std::clamp(step, 0.0, 255.0) - 128);
}

inline uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

constexpr uint32_t kHalfOverflow = 0x477ff000;  // 65520: halfway from the largest binary16 to the next step
constexpr uint32_t kHalfNormal = 0x38800000;    // 2^-14, the smallest normal binary16

inline uint16_t half_code(float value) {
  const uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude < kHalfNormal) {
    // Steps of 2^-24; nearbyint rounds ties to even.
    float size;
    std::memcpy(&size, &magnitude, sizeof size);
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::nearbyint(size * 16777216.0f)));
  }
  const uint32_t odd = magnitude >> 13 & 1;
  return static_cast<uint16_t>(sign | (magnitude - (112u << 23) + 0xfff + odd) >> 13);
}

}  // namespace

int64_t encode_half(const float* values, int64_t count, uint16_t* codes) {
  for (int64_t i = 0; i < count; ++i) {
    if ((bits_of(values[i]) & 0x7fffffff) >= kHalfOverflow) return i;
    codes[i] = half_code(values[i]);
  }
  return -1;
}

GNN_MULTIVERSION void decode_int8(const int8_t* __restrict codes, int64_t dim, const ColumnScale& columns,
                                  float* __restrict out) {
  const float *__restrict scale = columns.scale, *__restrict offset = columns.offset;
  for (int64_t d = 0; d < dim; ++d) out[d] = int8_value(codes[d], scale[d], offset[d]);
}

void decode_int8_at(const int8_t* codes, const int32_t* indices, int64_t count, const ColumnScale& columns,
                    float* out) {
  for (int64_t i = 0; i < count; ++i) {
    out[i] = int8_value(codes[i], columns.scale[indices[i]], columns.offset[indices[i]]);
  }
}

void encode_int8(const float* values, int64_t rows, int64_t dim, const ColumnScale& columns, int8_t* codes) {
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t d = 0; d < dim; ++d, ++values) *codes++ = int8_code(*values, columns.scale[d], columns.offset[d]);
  }
}

void encode_int8_at(const float* values, const int32_t* indices, int64_t count, const ColumnScale& columns,
                    int8_t* codes) {
  for (int64_t i = 0; i < count; ++i) {
    codes[i] = int8_code(values[i], columns.scale[indices[i]], columns.offset[indices[i]]);
  }
}

int64_t widen_ranges(const float* values, int64_t rows, int64_t dim, float* low, float* high) {
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t d = 0; d < dim; ++d) {
      const float value = values[row * dim + d];
      if (!std::isfinite(value)) return row * dim + d;
      low[d] = std::min(low[d], value);
      high[d] = std::max(high[d], value);
    }
  }
  return -1;
}

int64_t widen_ranges_at(const float* values, const int32_t* indices, int64_t count, float* low, float* high) {
  for (int64_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) return i;
    low[indices[i]] = std::min(low[indices[i]], values[i]);
    high[indices[i]] = std::max(high[indices[i]], values[i]);
  }
  return -1;
}

}  // namespace gnn
