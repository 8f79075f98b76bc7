#pragma once
// Cuts delimited text into lines and fields, chunk by chunk; what becomes of a line is a scanner's own matter.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gnn {

struct ScanOptions {
  char delimiter;  // 0: fields stand between runs of blanks and tabs
  char comment;    // lines that begin with it are skipped; 0: none
  bool header;     // the first line is skipped
  int num_columns;
  std::vector<int> ids;      // columns of ids
  std::vector<int> numbers;  // columns of decimal numbers that fit float32
};

// Takes the file in chunks. It stops for good at the first line that is out of the ordinary (a quote, a wrong number
// of fields, what a scanner does not take): that line and all after it are another reader's, which also knows what to
// say of them.
class LineScanner {
 public:
  explicit LineScanner(ScanOptions options);
  virtual ~LineScanner() = default;

  bool stopped() const { return stopped_; }

 protected:
  // The lines that end in this chunk; `is_last`: also what follows the last line break.
  void take_chunk(const char* bytes, size_t count, bool is_last);

  // Whether a line may be split: it has no quote, and no byte that this scanner does not take.
  virtual bool is_plain(std::string_view line) const = 0;
  // Takes fields_; false: the line is not this scanner's, and nothing of it was kept.
  virtual bool take_fields() = 0;
  // A short way through one line, with its break; 0: the line takes a closer look.
  virtual size_t take_shortly(std::string_view) { return 0; }

  const ScanOptions options_;
  std::vector<std::string_view> fields_;

 private:
  void take_lines(std::string_view text, bool is_last);
  bool take_line(std::string_view line);
  bool split(std::string_view line);

  std::string carry_;  // the beginning of a line whose end has not come
  bool in_header_;
  bool stopped_ = false;
};

}  // namespace gnn
