#include "gnn/export/float_texts.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace gnn {
namespace {

constexpr size_t kLongest = 16;  // `-1.17549435e-38`

char* write_word(char* out, const char* word) {
  const size_t length = std::strlen(word);
  std::memcpy(out, word, length);
  return out + length;
}

char* write_float(char* out, float value) {
  if (std::isfinite(value)) return std::to_chars(out, out + kLongest, value).ptr;
  return write_word(out, std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
}

}  // namespace

FloatTexts float_texts(const float* values, int64_t rows, int64_t width, char between) {
  FloatTexts texts;
  texts.bytes.resize(static_cast<size_t>(rows * width) * (kLongest + 1));
  texts.offsets.reserve(static_cast<size_t>(rows) + 1);
  char *const begin = texts.bytes.data(), *at = begin;
  texts.offsets.push_back(0);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < width; ++i) {
      const float value = values[row * width + i];
      texts.all_finite = texts.all_finite && std::isfinite(value);
      if (i > 0) *at++ = between;
      at = write_float(at, value);
    }
    texts.offsets.push_back(static_cast<uint32_t>(at - begin));
  }
  texts.bytes.resize(static_cast<size_t>(at - begin));
  return texts;
}

}  // namespace gnn
