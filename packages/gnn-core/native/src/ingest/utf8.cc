#include "utf8.h"

#include <cstdint>

namespace gnn {
namespace {

uint8_t byte_at(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }

// Bytes of the character that begins here; 0: none does.
size_t length_at(std::string_view bytes, size_t at) {
  const uint8_t first = byte_at(bytes, at);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (bytes.size() - at < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte_at(bytes, at + i) & 0xc0) != 0x80) return 0;
  }
  const uint8_t second = byte_at(bytes, at + 1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool beyond = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return overlong || beyond ? 0 : length;
}

bool is_wide_blank(std::string_view character) {
  if (character == "\xc2\xa0" || character == "\xe1\x9a\x80" || character == "\xe3\x80\x80" ||
      character == "\xef\xbb\xbf" || character == "\xe2\x81\x9f") {
    return true;
  }
  if (character.size() != 3 || character.substr(0, 2) != "\xe2\x80") return false;
  const uint8_t last = byte_at(character, 2);
  return last <= 0x8a || last == 0xa8 || last == 0xa9 || last == 0xaf;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = length_at(bytes, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

bool has_wide_blank_at_ends(std::string_view text) {
  if (text.empty()) return false;
  if (byte_at(text, 0) >= 0x80 && is_wide_blank(text.substr(0, length_at(text, 0)))) return true;
  if (byte_at(text, text.size() - 1) < 0x80) return false;
  size_t last = text.size() - 1;
  while (last > 0 && (byte_at(text, last) & 0xc0) == 0x80) --last;
  return is_wide_blank(text.substr(last));
}

}  // namespace gnn
