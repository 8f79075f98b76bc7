#include "gnn/ingest/line_scanner.h"

#include <cstring>
#include <utility>

#include "scan_values.h"

namespace gnn {
namespace {

// No other reader takes a longer line either; more of it is not held.
constexpr size_t kMaxLineBytes = size_t{1} << 24;

}  // namespace

LineScanner::LineScanner(ScanOptions options)
    : options_(std::move(options)),
      fields_(static_cast<size_t>(options_.num_columns)),
      in_header_(options_.header) {}

void LineScanner::take_chunk(const char* bytes, size_t count, bool is_last) {
  std::string_view text(bytes, count);
  if (!carry_.empty() && !stopped_) {
    // The line that was cut is finished on its own, so that the chunk itself is never copied.
    const size_t end = text.find('\n');
    const size_t taken = end == std::string_view::npos ? text.size() : end + 1;
    if (carry_.size() + taken > kMaxLineBytes) {
      stopped_ = true;
      carry_ = {};
      return;
    }
    carry_.append(text.substr(0, taken));
    text.remove_prefix(taken);
    if (end != std::string_view::npos || is_last) {
      const std::string line = std::exchange(carry_, {});
      take_lines(line, is_last && text.empty());
    }
  }
  take_lines(text, is_last);
}

void LineScanner::take_lines(std::string_view text, bool is_last) {
  while (!stopped_ && !text.empty()) {
    if (const size_t taken = in_header_ ? 0 : take_shortly(text); taken > 0) {
      text.remove_prefix(taken);
      continue;
    }
    const void* found = std::memchr(text.data(), '\n', text.size());
    if (found == nullptr && !is_last) {
      carry_ = text;
      return;
    }
    const size_t end =
        found == nullptr ? text.size() : static_cast<size_t>(static_cast<const char*>(found) - text.data());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    stopped_ = !take_line(line);
    text.remove_prefix(found == nullptr ? end : end + 1);
  }
}

bool LineScanner::take_line(std::string_view line) {
  if (in_header_) {
    in_header_ = false;
    // A quoted name may hold a line break.
    return line.find('"') == std::string_view::npos && line.find('\r') == std::string_view::npos && !line.empty();
  }
  if (options_.comment != 0 && !line.empty() && line[0] == options_.comment) return true;
  if (!is_plain(line)) return false;
  if (options_.delimiter == 0) {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  }
  if (line.empty()) return options_.num_columns > 1;
  return split(line) && take_fields();
}

// Fills fields_; false when their number is another.
bool LineScanner::split(std::string_view line) {
  size_t count = 0, start = 0;
  for (size_t at = 0; at <= line.size(); ++at) {
    const bool ends =
        at == line.size() || (options_.delimiter == 0 ? is_blank(line[at]) : line[at] == options_.delimiter);
    if (!ends) continue;
    if (count == fields_.size()) return false;
    fields_[count++] = line.substr(start, at - start);
    if (options_.delimiter == 0) {
      while (at + 1 < line.size() && is_blank(line[at + 1])) ++at;
    }
    start = at + 1;
  }
  return count == fields_.size();
}

}  // namespace gnn
