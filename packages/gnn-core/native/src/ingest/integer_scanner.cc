#include "gnn/ingest/integer_scanner.h"

#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

namespace gnn {
namespace {

constexpr size_t kMaxDigits = 15;
constexpr size_t kMaxPlainIds = 4;
// No other reader takes a longer line either; more of it is not held.
constexpr size_t kMaxLineBytes = size_t{1} << 24;

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

// What is neither plain ASCII text nor free of quotes has rules of its own.
bool is_plain(std::string_view line) {
  unsigned char all = 0;
  bool special = false;
  for (const char byte : line) {
    all |= static_cast<unsigned char>(byte);
    special |= byte == '"' || byte == '\r' || byte == '\0';
  }
  return all < 0x80 && !special;
}

// `7` and `-3`, not `007`, `+7`, `-0` or ``: what prints as itself.
bool parse_id(std::string_view text, double& out) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || digits.size() > kMaxDigits) return false;
  if (digits[0] == '0' && text.size() > 1) return false;
  int64_t value = 0;
  for (const char byte : digits) {
    if (!is_digit(byte)) return false;
    value = value * 10 + (byte - '0');
  }
  out = static_cast<double>(negative ? -value : value);
  return true;
}

bool parse_number(std::string_view text, double& out) {
  const size_t first = !text.empty() && text[0] == '-' ? 1 : 0;
  if (text.size() <= first || !is_digit(text[first]) || !is_digit(text.back())) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(static_cast<float>(out));
}

// The shortest way through an id; null when it is not one, or ends with `end`.
const char* scan_id(const char* at, const char* end, double& out) {
  const bool negative = at != end && *at == '-';
  const char* const first = at + (negative ? 1 : 0);
  int64_t value = 0;
  for (at = first; at != end && is_digit(*at); ++at) {
    if (at - first == static_cast<ptrdiff_t>(kMaxDigits)) return nullptr;
    value = value * 10 + (*at - '0');
  }
  if (at == first || at == end || (*first == '0' && (negative || at - first > 1))) return nullptr;
  out = static_cast<double>(negative ? -value : value);
  return at;
}

bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

}  // namespace

IntegerScanner::IntegerScanner(ScanOptions options)
    : options_(std::move(options)),
      fields_(static_cast<size_t>(options_.num_columns)),
      in_header_(options_.header),
      only_ids_(options_.numbers.empty() && options_.ids.size() == fields_.size() && fields_.size() <= kMaxPlainIds) {}

ScannedRows IntegerScanner::push(const char* bytes, size_t count, bool is_last) {
  ScannedRows rows;
  rows.ids.resize(options_.ids.size());
  rows.numbers.resize(options_.numbers.size());
  std::string_view text(bytes, count);
  if (!carry_.empty() && !stopped_) {
    // The line that was cut is finished on its own, so that the chunk itself is never copied.
    const size_t end = text.find('\n');
    const size_t taken = end == std::string_view::npos ? text.size() : end + 1;
    if (carry_.size() + taken > kMaxLineBytes) {
      stopped_ = true;
      carry_ = {};
      return rows;
    }
    carry_.append(text.substr(0, taken));
    text.remove_prefix(taken);
    if (end != std::string_view::npos || is_last) {
      const std::string line = std::exchange(carry_, {});
      take_lines(line, is_last && text.empty(), rows);
    }
  }
  take_lines(text, is_last, rows);
  return rows;
}

void IntegerScanner::take_lines(std::string_view text, bool is_last, ScannedRows& rows) {
  while (!stopped_ && !text.empty()) {
    if (const size_t taken = only_ids_ && !in_header_ ? take_ids(text, rows) : 0; taken > 0) {
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
    stopped_ = !take_line(line, rows);
    text.remove_prefix(found == nullptr ? end : end + 1);
  }
}

// A whole line of ids with one delimiter between them, as nearly all are; 0 when it takes a closer look.
size_t IntegerScanner::take_ids(std::string_view text, ScannedRows& rows) {
  const char *at = text.data(), *const end = at + text.size();
  double values[kMaxPlainIds];
  const size_t count = fields_.size();
  for (size_t i = 0; i < count; ++i) {
    at = scan_id(at, end, values[i]);
    if (at == nullptr) return 0;
    if (i + 1 == count) break;
    if (options_.delimiter == 0 ? !is_blank(*at) : *at != options_.delimiter) return 0;
    ++at;
  }
  if (*at == '\r' && at + 1 != end) ++at;
  if (*at != '\n') return 0;
  for (size_t i = 0; i < count; ++i) rows.ids[i].push_back(values[options_.ids[i]]);
  ++rows.num_rows;
  return static_cast<size_t>(at + 1 - text.data());
}

bool IntegerScanner::take_line(std::string_view line, ScannedRows& rows) {
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
  if (!split(line)) return false;
  double value;
  for (size_t i = 0; i < options_.ids.size(); ++i) {
    if (!parse_id(fields_[options_.ids[i]], value)) {
      for (size_t k = 0; k < i; ++k) rows.ids[k].pop_back();
      return false;
    }
    rows.ids[i].push_back(value);
  }
  for (size_t i = 0; i < options_.numbers.size(); ++i) {
    if (!parse_number(fields_[options_.numbers[i]], value)) {
      for (auto& column : rows.ids) column.pop_back();
      for (size_t k = 0; k < i; ++k) rows.numbers[k].pop_back();
      return false;
    }
    rows.numbers[i].push_back(value);
  }
  ++rows.num_rows;
  return true;
}

// Fills fields_; false when their number is another.
bool IntegerScanner::split(std::string_view line) {
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
