#include "gnn/ingest/integer_scanner.h"

#include <utility>

#include "scan_values.h"

namespace gnn {
namespace {

constexpr ptrdiff_t kMaxDigits = 15;
constexpr size_t kMaxPlainIds = 4;

// The shortest way through an id; null when it is not one, or ends with `end`.
const char* scan_id(const char* at, const char* end, double& out) {
  const bool negative = at != end && *at == '-';
  const char* const first = at + (negative ? 1 : 0);
  int64_t value = 0;
  for (at = first; at != end && is_digit(*at); ++at) {
    if (at - first == kMaxDigits) return nullptr;
    value = value * 10 + (*at - '0');
  }
  if (at == first || at == end || (*first == '0' && (negative || at - first > 1))) return nullptr;
  out = static_cast<double>(negative ? -value : value);
  return at;
}

}  // namespace

IntegerScanner::IntegerScanner(ScanOptions options)
    : LineScanner(std::move(options)),
      only_ids_(options_.numbers.empty() && options_.ids.size() == fields_.size() && fields_.size() <= kMaxPlainIds) {}

ScannedRows IntegerScanner::push(const char* bytes, size_t count, bool is_last) {
  rows_ = {};
  rows_.ids.resize(options_.ids.size());
  rows_.numbers.resize(options_.numbers.size());
  take_chunk(bytes, count, is_last);
  return std::move(rows_);
}

bool IntegerScanner::is_plain(std::string_view line) const {
  const auto [ascii, special] = bytes_of_line(line);
  return ascii && !special;
}

// A whole line of ids with one delimiter between them, as nearly all are.
size_t IntegerScanner::take_shortly(std::string_view text) {
  if (!only_ids_) return 0;
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
  for (size_t i = 0; i < count; ++i) rows_.ids[i].push_back(values[options_.ids[i]]);
  ++rows_.num_rows;
  return static_cast<size_t>(at + 1 - text.data());
}

bool IntegerScanner::take_fields() {
  double value;
  for (size_t i = 0; i < options_.ids.size(); ++i) {
    if (!parse_id(fields_[options_.ids[i]], value)) {
      for (size_t k = 0; k < i; ++k) rows_.ids[k].pop_back();
      return false;
    }
    rows_.ids[i].push_back(value);
  }
  for (size_t i = 0; i < options_.numbers.size(); ++i) {
    if (!parse_number(fields_[options_.numbers[i]], value)) {
      for (auto& column : rows_.ids) column.pop_back();
      for (size_t k = 0; k < i; ++k) rows_.numbers[k].pop_back();
      return false;
    }
    rows_.numbers[i].push_back(value);
  }
  ++rows_.num_rows;
  return true;
}

}  // namespace gnn
