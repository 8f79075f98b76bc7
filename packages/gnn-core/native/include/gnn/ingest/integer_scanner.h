#pragma once
// Reads delimited text whose ids are plain integers, many times faster than a reader for any text could.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gnn/ingest/line_scanner.h"

namespace gnn {

struct ScannedRows {
  int64_t num_rows = 0;
  std::vector<std::vector<double>> ids;      // by position in ScanOptions.ids
  std::vector<std::vector<double>> numbers;  // likewise
};

// Ids are canonical decimals of at most 15 digits: it stops at one such as 007, at an empty number, and at a byte that
// is not ASCII.
class IntegerScanner final : public LineScanner {
 public:
  explicit IntegerScanner(ScanOptions options);

  // Rows of the lines that end in this chunk; `is_last`: also of what follows the last line break.
  ScannedRows push(const char* bytes, size_t count, bool is_last);

 private:
  bool is_plain(std::string_view line) const override;
  bool take_fields() override;
  size_t take_shortly(std::string_view text) override;

  ScannedRows rows_;
  bool only_ids_;  // every column is an id
};

}  // namespace gnn
