#pragma once
// Values of fields as both scanners of text read them.
#include <string_view>

namespace gnn {

inline bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

// Whether a line is ASCII alone, and whether it has a quote, a lone carriage return or a zero byte, which have rules of
// their own.
struct LineBytes {
  bool ascii;
  bool special;
};
LineBytes bytes_of_line(std::string_view line);

inline bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

// `7` and `-3` of at most 15 digits, not `007`, `+7`, `-0` or ``: what prints as itself.
bool parse_id(std::string_view text, double& out);

// A decimal number that is finite as float32.
bool parse_number(std::string_view text, double& out);

}  // namespace gnn
