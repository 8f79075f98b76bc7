#include "gnn/history/row_claims.h"

#include <atomic>
#include <cstring>

#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 256;

}  // namespace

void claim_rows(const int32_t* rows, int64_t count, uint64_t claim, uint64_t* claims) {
  for (int64_t i = 0; i < count; ++i) {
    std::atomic_ref<uint64_t> slot(claims[rows[i]]);
    uint64_t held = slot.load(std::memory_order_relaxed);
    while (held < claim && !slot.compare_exchange_weak(held, claim, std::memory_order_relaxed)) {
    }
  }
}

void write_claimed_rows(const WriteClaimedRows& op) {
  const auto& [rows, count, claim, claims, dim, values, out] = op;
  parallel_for(count, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (claims != nullptr && claims[rows[i]] != claim) continue;
      std::memcpy(out + int64_t{rows[i]} * dim, values + i * dim, static_cast<size_t>(dim) * sizeof(float));
    }
  });
}

}  // namespace gnn
