#pragma once
// Reads delimited text whose ids are any text, without making a string of each.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gnn/ingest/line_scanner.h"

namespace gnn {

// Texts one behind the other: text i is the bytes from offsets[i] to offsets[i + 1].
struct PackedTexts {
  std::vector<char> bytes;
  std::vector<uint32_t> offsets{0};

  void push(std::string_view text);
};

struct TextRows {
  int64_t num_rows = 0;
  PackedTexts ids;                           // row by row, in the order of ScanOptions.ids
  std::vector<std::vector<double>> numbers;  // by position in ScanOptions.numbers
  // Rows whose first id begins as comments do, or that have an id such as 3.0: a report may tell of them.
  std::vector<int32_t> odd;
};

// Ids are what stands between delimiters, without the blanks around it. It stops at an empty id, at bytes that are not
// UTF-8, and at an id with a blank at its ends that is no ASCII.
class TextScanner final : public LineScanner {
 public:
  using LineScanner::LineScanner;

  // Rows of the lines that end in this chunk; `is_last`: also of what follows the last line break.
  TextRows push(const char* bytes, size_t count, bool is_last);

 private:
  bool is_plain(std::string_view line) const override;
  bool take_fields() override;

  TextRows rows_;
  std::vector<double> values_;  // the numbers of one row
};

}  // namespace gnn
