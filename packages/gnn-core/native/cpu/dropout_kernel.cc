#include <algorithm>
#include <cstring>

#include "gnn/nn/dropout.h"
#include "gnn/random/philox.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 128;
// Philox blocks computed side by side, one per vector lane; their 8 half-words each serve one group of columns.
constexpr int kLanes = 16;
constexpr int kGroup = 8 * kLanes;

// Vectors are spelt out, as the compiler unrolls such short loops before it looks for vectors in them; it splits them
// where the instruction set has narrower ones. Philox words sit in 64-bit lanes to have their whole products.
typedef uint64_t Wide __attribute__((vector_size(64)));
typedef uint32_t Narrow __attribute__((vector_size(32)));
typedef uint32_t Words __attribute__((vector_size(64)));
typedef float Floats __attribute__((vector_size(64)));
static_assert(sizeof(Words) == kLanes * sizeof(uint32_t) && sizeof(Wide) * 2 == kLanes * sizeof(uint64_t));

// The random words of columns [group * kGroup, (group + 1) * kGroup) of one row: words[w][lane].
inline __attribute__((always_inline)) void random_words(uint32_t row_id, uint32_t group, const DropoutKey& key,
                                                        Words* words) {
  constexpr uint64_t kLow = 0xffffffffu;
  constexpr Wide kSteps = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int part = 0; part < 2; ++part) {
    Wide c0 = Wide{} + row_id;
    Wide c1 = kSteps + (group * kLanes + static_cast<uint32_t>(part) * 8);
    Wide c2 = Wide{} + key.epoch;
    Wide c3 = Wide{} + key.step;
    uint32_t key0 = key.seed, key1 = key.layer;
    for (int round = 0; round < 10; ++round) {
      const Wide p0 = c0 * kPhiloxM0, p1 = c2 * kPhiloxM1;
      c0 = (p1 >> 32) ^ c1 ^ key0;
      c1 = p1 & kLow;
      c2 = (p0 >> 32) ^ c3 ^ key1;
      c3 = p0 & kLow;
      key0 += kPhiloxW0;
      key1 += kPhiloxW1;
    }
    const Wide state[4] = {c0, c1, c2, c3};
    for (int w = 0; w < 4; ++w) {
      const Narrow half = __builtin_convertvector(state[w], Narrow);
      std::memcpy(reinterpret_cast<char*>(words + w) + part * sizeof(Narrow), &half, sizeof(Narrow));
    }
  }
}

inline __attribute__((always_inline)) void drop_lanes(const float* x, Words bits, uint32_t threshold, float scale,
                                                      float* out) {
  Floats values;
  std::memcpy(&values, x, sizeof values);
  values *= scale;
  // A comparison of vectors gives all ones where it holds.
  const Words kept = (Words)values & (Words)(bits >= threshold);
  std::memcpy(out, &kept, sizeof kept);
}

// Columns of one group from its words: the low halves of a word serve 16 columns, its high halves the next 16.
inline __attribute__((always_inline)) void drop_group(const float* x, const Words* words, uint32_t threshold,
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

float scale_of(uint32_t threshold) { return 65536.0f / static_cast<float>(65536u - threshold); }

uint32_t half_word(uint32_t row_id, uint32_t column, const DropoutKey& key) {
  const uint32_t lane = column % kLanes, half = column % kGroup / kLanes;
  uint32_t counter[4] = {row_id, column / kGroup * kLanes + lane, key.epoch, key.step};
  philox4x32(counter, key.seed, key.layer);
  const uint32_t word = counter[half / 2];
  return half % 2 == 0 ? word & 0xffffu : word >> 16;
}

}  // namespace

void dropout_rows(int64_t rows, int64_t dim, const float* x, const int32_t* row_ids, const DropoutKey& key,
                  uint32_t threshold, float* out) {
  const float scale = scale_of(threshold);
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      dropout_one_row(dim, x + row * dim, static_cast<uint32_t>(row_ids[row]), key, threshold, scale, out + row * dim);
    }
  });
}

void dropout_csr(const CsrView& x, const int32_t* row_ids, const DropoutKey& key, uint32_t threshold, float* out) {
  const float scale = scale_of(threshold);
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
