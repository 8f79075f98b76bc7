#pragma once
// Stored forms of feature values (float32, IEEE binary16, int8 with a scale and an offset per column) and the ways
// between them. Decoding gives the same bits on every instruction set: each value is one correctly rounded operation.
#include <cstdint>

namespace gnn {

enum class FeatureDtype { float32, float16, int8 };

inline int64_t bytes_of(FeatureDtype dtype) {
  return dtype == FeatureDtype::float32 ? 4 : dtype == FeatureDtype::float16 ? 2 : 1;
}

// float32 [dim] each; used by int8 alone: value = offset + scale · (code + 128), in float64, rounded once.
struct ColumnScale {
  const float* scale;
  const float* offset;
};

void decode_half(const uint16_t* codes, int64_t count, float* out);
// One row: code d belongs to column d.
void decode_int8(const int8_t* codes, int64_t dim, const ColumnScale& columns, float* out);
// Stored entries of a sparse row: code i belongs to column indices[i].
void decode_int8_at(const int8_t* codes, const int32_t* indices, int64_t count, const ColumnScale& columns, float* out);

// To nearest, ties to even. Returns the position of the first value whose rounding is not finite, or -1.
int64_t encode_half(const float* values, int64_t count, uint16_t* codes);
// To the nearest of the column's 256 steps, so that |value - decoded| <= scale / 2 up to float32 rounding.
void encode_int8(const float* values, int64_t rows, int64_t dim, const ColumnScale& columns, int8_t* codes);
void encode_int8_at(const float* values, const int32_t* indices, int64_t count, const ColumnScale& columns,
                    int8_t* codes);

// Lowers low[column] and raises high[column] to the values. Returns the position of the first that is not finite, or
// -1.
int64_t widen_ranges(const float* values, int64_t rows, int64_t dim, float* low, float* high);
int64_t widen_ranges_at(const float* values, const int32_t* indices, int64_t count, float* low, float* high);

}  // namespace gnn
