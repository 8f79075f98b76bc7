#include "scan_values.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace gnn {
namespace {

constexpr size_t kMaxDigits = 15;

}  // namespace

LineBytes bytes_of_line(std::string_view line) {
  unsigned char all = 0;
  bool special = false;
  for (const char byte : line) {
    all |= static_cast<unsigned char>(byte);
    special |= byte == '"' || byte == '\r' || byte == '\0';
  }
  return {all < 0x80, special};
}

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

}  // namespace gnn
