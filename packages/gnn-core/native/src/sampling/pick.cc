#include "gnn/sampling/pick.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_set>

namespace gnn {
namespace {

constexpr int64_t kLinearSearchLimit = 64;
constexpr int64_t kMaskWords = 4;  // columns of up to 256 in-neighbours, most of them in most graphs

// Floyd's algorithm (Bentley, Floyd 1987): `count` of `degree` without replacement in `count` draws.
void floyd_small(int64_t degree, int64_t count, NodeRng& rng, int64_t* out) {
  int64_t* end = out;
  for (int64_t j = degree - count; j < degree; ++j) {
    const int64_t drawn = rng.below(j + 1);
    const bool taken = std::find(out, end, drawn) != end;
    *end++ = taken ? j : drawn;
  }
}

// Makes the same draws with taken positions kept as bits: neither search nor sort. Writes the positions in ascending
// order.
void floyd_bits(int64_t degree, int64_t count, NodeRng& rng, int64_t* out) {
  uint64_t taken[kMaskWords] = {};
  for (int64_t j = degree - count; j < degree; ++j) {
    const int64_t drawn = rng.below(j + 1);
    const int64_t at = (taken[drawn >> 6] >> (drawn & 63)) & 1 ? j : drawn;
    taken[at >> 6] |= uint64_t{1} << (at & 63);
  }
  for (int64_t word = 0; word << 6 < degree; ++word) {
    for (uint64_t bits = taken[word]; bits != 0; bits &= bits - 1) *out++ = (word << 6) + std::countr_zero(bits);
  }
}

// Keeps the bits in one word.
void floyd_word(int64_t degree, int64_t count, NodeRng& rng, int64_t* out) {
  uint64_t taken = 0;
  for (int64_t j = degree - count; j < degree; ++j) {
    const uint64_t drawn = uint64_t{1} << rng.below(j + 1);
    taken |= (taken & drawn) != 0 ? uint64_t{1} << j : drawn;
  }
  for (; taken != 0; taken &= taken - 1) *out++ = std::countr_zero(taken);
}

void floyd_large(int64_t degree, int64_t count, NodeRng& rng, int64_t* out) {
  std::unordered_set<int64_t> taken(static_cast<size_t>(count) * 2);
  for (int64_t j = degree - count; j < degree; ++j) {
    const int64_t drawn = rng.below(j + 1);
    *out++ = taken.insert(drawn).second ? drawn : (taken.insert(j), j);
  }
}

void insertion_sort(int64_t* values, int64_t count) {
  for (int64_t i = 1; i < count; ++i) {
    const int64_t value = values[i];
    int64_t at = i;
    for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
    values[at] = value;
  }
}

}  // namespace

void pick_positions(int64_t degree, int64_t count, bool all, bool replace, NodeRng rng, int64_t* out) {
  if (all || (!replace && count == degree)) {
    std::iota(out, out + degree, int64_t{0});
    return;
  }
  if (!replace && degree <= 64) return floyd_word(degree, count, rng, out);
  if (!replace && degree <= kMaskWords * 64) return floyd_bits(degree, count, rng, out);
  if (replace) {
    for (int64_t i = 0; i < count; ++i) out[i] = rng.below(degree);
  } else if (count <= kLinearSearchLimit) {
    floyd_small(degree, count, rng, out);
  } else {
    floyd_large(degree, count, rng, out);
  }
  if (count <= kLinearSearchLimit) {
    insertion_sort(out, count);
  } else {
    std::sort(out, out + count);
  }
}

}  // namespace gnn
