#pragma once
#include <string_view>

namespace gnn {

// Whether the bytes are well-formed UTF-8 (Unicode 15, table 3-7: no surrogates, no overlong forms).
bool is_utf8(std::string_view bytes);

// Whether the text begins or ends with a blank beyond ASCII, or the mark of byte order: U+00A0, U+1680, U+2000 to
// U+200A, U+2028, U+2029, U+202F, U+205F, U+3000, U+FEFF, as ECMAScript's trim has them. The text is UTF-8.
bool has_wide_blank_at_ends(std::string_view text);

}  // namespace gnn
