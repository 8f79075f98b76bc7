#include <algorithm>

#include "gnn/nn/dropout.h"
#include "gnn/random/philox.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 128;
// Philox blocks computed side by side, one per vector lane; each covers kPerBlock columns.
constexpr int kLanes = 16;
constexpr int kPerBlock = 8;

// The random half-words of columns [first, first + kLanes * kPerBlock) of one row.
inline __attribute__((always_inline)) void random_lanes(uint32_t row_id, uint32_t first_block, const DropoutKey& key,
                                                        uint16_t* __restrict half) {
  uint32_t c0[kLanes], c1[kLanes], c2[kLanes], c3[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    c0[l] = row_id;
    c1[l] = first_block + static_cast<uint32_t>(l);
    c2[l] = key.epoch;
    c3[l] = key.step;
  }
  uint32_t key0 = key.seed, key1 = key.layer;
  for (int round = 0; round < 10; ++round) {
    for (int l = 0; l < kLanes; ++l) {
      const uint64_t p0 = static_cast<uint64_t>(kPhiloxM0) * c0[l];
      const uint64_t p1 = static_cast<uint64_t>(kPhiloxM1) * c2[l];
      c0[l] = static_cast<uint32_t>(p1 >> 32) ^ c1[l] ^ key0;
      c1[l] = static_cast<uint32_t>(p1);
      c2[l] = static_cast<uint32_t>(p0 >> 32) ^ c3[l] ^ key1;
      c3[l] = static_cast<uint32_t>(p0);
    }
    key0 += kPhiloxW0;
    key1 += kPhiloxW1;
  }
  for (int l = 0; l < kLanes; ++l) {
    const uint32_t words[4] = {c0[l], c1[l], c2[l], c3[l]};
    for (int w = 0; w < 4; ++w) {
      half[l * kPerBlock + 2 * w] = static_cast<uint16_t>(words[w]);
      half[l * kPerBlock + 2 * w + 1] = static_cast<uint16_t>(words[w] >> 16);
    }
  }
}

GNN_MULTIVERSION void dropout_one_row(int64_t dim, const float* x, uint32_t row_id, const DropoutKey& key,
                                      uint32_t threshold, float scale, float* out) {
  uint16_t half[kLanes * kPerBlock];
  for (int64_t first = 0; first < dim; first += kLanes * kPerBlock) {
    random_lanes(row_id, static_cast<uint32_t>(first / kPerBlock), key, half);
    const int64_t columns = std::min<int64_t>(dim - first, kLanes * kPerBlock);
    for (int64_t d = 0; d < columns; ++d) out[first + d] = half[d] < threshold ? 0.0f : x[first + d] * scale;
  }
}

float scale_of(uint32_t threshold) { return 65536.0f / static_cast<float>(65536u - threshold); }

uint32_t half_word(uint32_t row_id, uint32_t column, const DropoutKey& key) {
  uint32_t counter[4] = {row_id, column / kPerBlock, key.epoch, key.step};
  philox4x32(counter, key.seed, key.layer);
  const uint32_t word = counter[column % kPerBlock / 2];
  return column % 2 == 0 ? word & 0xffffu : word >> 16;
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
