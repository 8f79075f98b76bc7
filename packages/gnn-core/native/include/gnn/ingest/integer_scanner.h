#pragma once
// Reads delimited text whose ids are plain integers, many times faster than a reader for any text could.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gnn {

struct ScanOptions {
  char delimiter;  // 0: fields stand between runs of blanks and tabs
  char comment;    // lines that begin with it are skipped; 0: none
  bool header;     // the first line is skipped
  int num_columns;
  std::vector<int> ids;      // columns of canonical decimals of at most 15 digits
  std::vector<int> numbers;  // columns of decimal numbers that fit float32
};

struct ScannedRows {
  int64_t num_rows = 0;
  std::vector<std::vector<double>> ids;      // by position in ScanOptions.ids
  std::vector<std::vector<double>> numbers;  // likewise
};

// Takes the file in chunks. It stops for good at the first line that is out of the ordinary (a quote, a byte that is
// not ASCII, a wrong number of fields, an id such as 007, an empty number): that line and all after it are another
// reader's, which also knows what to say of them.
class IntegerScanner {
 public:
  explicit IntegerScanner(ScanOptions options);

  // Rows of the lines that end in this chunk; `is_last`: also of what follows the last line break.
  ScannedRows push(const char* bytes, size_t count, bool is_last);
  bool stopped() const { return stopped_; }

 private:
  void take_lines(std::string_view text, bool is_last, ScannedRows& rows);
  size_t take_ids(std::string_view text, ScannedRows& rows);
  bool take_line(std::string_view line, ScannedRows& rows);
  bool split(std::string_view line);

  ScanOptions options_;
  std::string carry_;  // the beginning of a line whose end has not come
  std::vector<std::string_view> fields_;
  bool in_header_;
  bool only_ids_;  // every column is an id
  bool stopped_ = false;
};

}  // namespace gnn
