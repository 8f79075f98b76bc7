#include <algorithm>
#include <cstring>

#include "gnn/nn/dropout.h"
#include "gnn/random/philox.h"
#include "gnn/random/philox_lanes.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 128;
// One Philox block per lane; the 8 half-words of each serve one group of columns.
constexpr int kGroup = 8 * kLanes;

// The random words of columns [group * kGroup, (group + 1) * kGroup) of one row: words[w][lane].
inline void random_words(uint32_t row_id, uint32_t group, const DropoutKey& key, Words* words) {
  constexpr Words kSteps = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  words[0] = Words{} + row_id;
  words[1] = kSteps + group * kLanes;
  words[2] = Words{} + key.epoch;
  words[3] = Words{} + key.step;
  philox_lanes(words, key.seed, key.layer);
}

GNN_INLINE void drop_lanes(const float* x, const Words& bits, uint32_t threshold, float scale,
                                                      float* out) {
  const Floats values = load_lanes(x) * scale;
  // A comparison of vectors gives all ones where it holds.
  const Words kept = (Words)values & (Words)(bits >= threshold);
  std::memcpy(out, &kept, sizeof kept);
}

// Columns of one group from its words: the low halves of a word serve 16 columns, its high halves the next 16.
GNN_INLINE void drop_group(const float* x, const Words* words, uint32_t threshold,
                                                      float scale, float* out) {
  for (int w = 0; w < 4; ++w) {
    drop_lanes(x + 2 * w * kLanes, words[w] & 0xffffu, threshold, scale, out + 2 * w * kLanes);
    drop_lanes(x + (2 * w + 1) * kLanes, words[w] >> 16, threshold, scale, out + (2 * w + 1) * kLanes);
  }
}

GNN_MULTIVERSION void dropout_one_row(int64_t dim, const float* x, uint32_t row_id, const DropoutKey& key,
                                      uint32_t threshold, float scale, float* out) {
  Words words[4];
  int64_t first = 0;
  for (; first + kGroup <= dim; first += kGroup) {
    random_words(row_id, static_cast<uint32_t>(first / kGroup), key, words);
    drop_group(x + first, words, threshold, scale, out + first);
  }
  if (first == dim) return;
  float rest[kGroup] = {};
  std::copy(x + first, x + dim, rest);
  random_words(row_id, static_cast<uint32_t>(first / kGroup), key, words);
  drop_group(rest, words, threshold, scale, rest);
  std::copy(rest, rest + (dim - first), out + first);
}

uint32_t half_word(uint32_t row_id, uint32_t column, const DropoutKey& key) {
  const uint32_t lane = column % kLanes, half = column % kGroup / kLanes;
  uint32_t counter[4] = {row_id, column / kGroup * kLanes + lane, key.epoch, key.step};
  philox4x32(counter, key.seed, key.layer);
  const uint32_t word = counter[half / 2];
  return half % 2 == 0 ? word & 0xffffu : word >> 16;
}

}  // namespace

void dropout_rows(const DropoutRows& op) {
  const auto& [rows, dim, x, row_ids, key, threshold, out] = op;
  const float scale = dropout_scale(threshold);
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      dropout_one_row(dim, x + row * dim, static_cast<uint32_t>(row_ids[row]), key, threshold, scale, out + row * dim);
    }
  });
}

void dropout_csr(const CsrView& x, const int32_t* row_ids, const DropoutKey& key, uint32_t threshold, float* out) {
  const float scale = dropout_scale(threshold);
  parallel_for(x.rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const uint32_t row_id = static_cast<uint32_t>(row_ids[row]);
      for (int32_t i = x.indptr[row]; i < x.indptr[row + 1]; ++i) {
        const bool drop = half_word(row_id, static_cast<uint32_t>(x.indices[i]), key) < threshold;
        out[i] = drop ? 0.0f : x.values[i] * scale;
      }
    }
  });
}

}  // namespace gnn
