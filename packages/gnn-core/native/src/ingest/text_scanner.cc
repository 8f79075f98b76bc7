#include "gnn/ingest/text_scanner.h"

#include <utility>

#include "scan_values.h"
#include "utf8.h"

namespace gnn {
namespace {

// Blanks of ASCII, as ECMAScript's trim has them.
bool is_ascii_blank(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_ascii_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_ascii_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool begins_like_comment(std::string_view text) {
  return text.front() == '#' || text.front() == '%' || text.substr(0, 2) == "//";
}

bool ends_like_decimal(std::string_view text) { return text.size() > 2 && text.substr(text.size() - 2) == ".0"; }

}  // namespace

void PackedTexts::push(std::string_view text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
  offsets.push_back(static_cast<uint32_t>(bytes.size()));
}

TextRows TextScanner::push(const char* bytes, size_t count, bool is_last) {
  rows_ = {};
  rows_.numbers.resize(options_.numbers.size());
  take_chunk(bytes, count, is_last);
  return std::move(rows_);
}

bool TextScanner::is_plain(std::string_view line) const {
  const auto [ascii, special] = bytes_of_line(line);
  return !special && (ascii || is_utf8(line));
}

bool TextScanner::take_fields() {
  for (const int column : options_.ids) {
    std::string_view& id = fields_[column];
    id = trimmed(id);
    if (id.empty() || has_wide_blank_at_ends(id)) return false;
  }
  values_.resize(options_.numbers.size());
  for (size_t i = 0; i < values_.size(); ++i) {
    if (!parse_number(fields_[options_.numbers[i]], values_[i])) return false;
  }
  bool odd = !options_.ids.empty() && begins_like_comment(fields_[options_.ids.front()]);
  for (const int column : options_.ids) {
    rows_.ids.push(fields_[column]);
    odd |= ends_like_decimal(fields_[column]);
  }
  for (size_t i = 0; i < values_.size(); ++i) rows_.numbers[i].push_back(values_[i]);
  if (odd) rows_.odd.push_back(static_cast<int32_t>(rows_.num_rows));
  ++rows_.num_rows;
  return true;
}

}  // namespace gnn
