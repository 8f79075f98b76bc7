#include <cstring>

#include "gnn/features/value_codes.h"

#if !defined(GNN_PORTABLE) && defined(__x86_64__) && __GNUC__ >= 12 && !defined(__clang__) && defined(__gnu_linux__)
#define GNN_HALF_INSTRUCTIONS
#include <immintrin.h>
#endif

namespace gnn {
namespace {

// Every binary16 is a float32: shift exponent and fraction into place, then multiply by 2^112, which is exact for
// normal and subnormal codes alike.
inline float half_value(uint16_t code) {
  const uint32_t magnitude = static_cast<uint32_t>(code & 0x7fff) << 13;
  float value;
  std::memcpy(&value, &magnitude, sizeof value);
  value *= 0x1p112f;
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((code & 0x7c00) == 0x7c00) bits = 0x7f800000 | magnitude;
  bits |= static_cast<uint32_t>(code & 0x8000) << 16;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void decode_rest(const uint16_t* codes, int64_t begin, int64_t count, float* out) {
  for (int64_t i = begin; i < count; ++i) out[i] = half_value(codes[i]);
}

#ifdef GNN_HALF_INSTRUCTIONS
__attribute__((target("arch=x86-64-v4"))) void decode(const uint16_t* codes, int64_t count, float* out) {
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + i));
    _mm512_storeu_ps(out + i, _mm512_cvtph_ps(block));
  }
  decode_rest(codes, i, count, out);
}

__attribute__((target("arch=x86-64-v3"))) void decode(const uint16_t* codes, int64_t count, float* out) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + i));
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(block));
  }
  decode_rest(codes, i, count, out);
}

__attribute__((target("default")))
#endif
void decode(const uint16_t* codes, int64_t count, float* out) {
  decode_rest(codes, 0, count, out);
}

}  // namespace

void decode_half(const uint16_t* codes, int64_t count, float* out) { decode(codes, count, out); }

}  // namespace gnn
