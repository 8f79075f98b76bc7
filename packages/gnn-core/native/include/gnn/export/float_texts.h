#pragma once
// Decimal texts of float32 values, for files that hold numbers as text.
#include <cstdint>
#include <vector>

namespace gnn {

// Texts one behind the other: text i is the bytes from offsets[i] to offsets[i + 1].
struct FloatTexts {
  std::vector<char> bytes;
  std::vector<uint32_t> offsets;  // [rows + 1]
  bool all_finite = true;
};

// One text for each row of [rows, width], with `between` between its numbers. Each is the shortest decimal that reads
// as the same float32 (`0.1`, `1e-05`); what is not finite is NaN, Infinity or -Infinity.
FloatTexts float_texts(const float* values, int64_t rows, int64_t width, char between);

}  // namespace gnn
