#include "gnn/dense/sgemm.h"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "gnn/error.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

// oneDNN's own OpenMP threads would fight ours (and collapse on a busy host), so each call sees one thread.
class OneOmpThread {
 public:
  OneOmpThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneOmpThread() { omp_set_num_threads(before_); }

 private:
  int before_;
};

// oneDNN's sgemm does not survive a signal handler on its thread: with `node --cpu-prof` (SIGPROF each millisecond) the
// heap was damaged within a second on AVX-512. Signals that come meanwhile are handled when the product is done.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, fault);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

void scale_rows(float beta, int64_t count, float* c) {
  if (beta == 0.0f) {
    std::memset(c, 0, static_cast<size_t>(count) * sizeof(float));
  } else if (beta != 1.0f) {
    for (int64_t i = 0; i < count; ++i) c[i] *= beta;
  }
}

// oneDNN adds a row's terms in an order that depends on how many rows come with it: its tiles have 6 rows on AVX2 and
// 8 on AVX-512, narrower ones at the end go another way, and some counts are halved first. So that a row has the same
// bits in any batch, rows are multiplied in two sizes only, which are whole tiles on every instruction set.
constexpr int64_t kTileRows = 24;
static_assert(kBlockRows % kTileRows == 0);

GNN_MULTIVERSION void add_into(const float* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; ++i) to[i] += from[i];
}

// C = op(A) op(B) + beta C; C has n columns, and so has B unless it is transposed. On the calling thread.
class Product {
 public:
  Product(bool trans_a, bool trans_b, int64_t n, int64_t k, const float* b, float beta)
      : trans_a_(trans_a), trans_b_(trans_b), n_(n), k_(k), b_(b), beta_(beta) {}

  void rows(int64_t m, const float* a, float* c) const {
    const dnnl_status_t status = dnnl_sgemm(trans_a_ ? 'T' : 'N', trans_b_ ? 'T' : 'N', m, n_, k_, 1.0f, a,
                                            trans_a_ ? m : k_, b_, trans_b_ ? k_ : n_, beta_, c, n_);
    if (status == dnnl_success) return;
    throw Error("DEVICE_NOT_AVAILABLE", "oneDNN sgemm failed with status " + std::to_string(status) + ".");
  }

  // Fewer rows than a tile: as the first rows of one.
  void padded_rows(int64_t m, const float* a, float* c) const {
    Scratch tile(kTileRows * (k_ + n_));
    float* const tile_c = tile.data() + kTileRows * k_;
    std::memset(tile.data(), 0, static_cast<size_t>(kTileRows * (k_ + n_)) * sizeof(float));
    std::memcpy(tile.data(), a, static_cast<size_t>(m * k_) * sizeof(float));
    if (beta_ != 0.0f) std::memcpy(tile_c, c, static_cast<size_t>(m * n_) * sizeof(float));
    rows(kTileRows, tile.data(), tile_c);
    std::memcpy(c, tile_c, static_cast<size_t>(m * n_) * sizeof(float));
  }

 private:
  bool trans_a_, trans_b_;
  int64_t n_, k_;
  const float* b_;
  float beta_;
};

}  // namespace

void sgemm_serial(const Sgemm& op) {
  const auto [trans_a, trans_b, m, n, k, a, b, beta, c] = op;
  if (m == 0 || n == 0) return;
  if (k == 0) return scale_rows(beta, m * n, c);
  OneOmpThread one;
  NoSignals quiet;
  const Product product(trans_a, trans_b, n, k, b, beta);
  if (trans_a) return product.rows(m, a, c);
  int64_t done = 0;
  for (; m - done >= kBlockRows; done += kBlockRows) product.rows(kBlockRows, a + done * k, c + done * n);
  for (; m - done >= kTileRows; done += kTileRows) product.rows(kTileRows, a + done * k, c + done * n);
  if (done < m) product.padded_rows(m - done, a + done * k, c + done * n);
}

int64_t row_chunk(int64_t rows) {
  const int64_t blocks = (rows / 8 + kBlockRows - 1) / kBlockRows;
  return std::clamp<int64_t>(blocks, 1, 10) * kBlockRows;
}

ReductionPlan plan_reduction(int64_t rows) {
  const int64_t chunk = std::max<int64_t>(1024, (rows / 16 + 63) / 64 * 64);
  return {chunk, std::max<int64_t>(1, (rows + chunk - 1) / chunk)};
}

void sum_parts(const float* parts, int64_t num_parts, int64_t size, float* out) {
  std::memcpy(out, parts, static_cast<size_t>(size) * sizeof(float));
  for (int64_t part = 1; part < num_parts; ++part) add_into(parts + part * size, size, out);
}

void sgemm(const Sgemm& op) {
  const int64_t m = op.m, n = op.n, k = op.k;
  if (!op.trans_a) {
    parallel_for(m, row_chunk(m), [&](int64_t begin, int64_t end) {
      Sgemm chunk = op;
      chunk.m = end - begin;
      chunk.a += begin * k;
      chunk.c += begin * n;
      sgemm_serial(chunk);
    });
    return;
  }
  const ReductionPlan plan = plan_reduction(k);
  if (op.trans_b || plan.num_chunks == 1) return sgemm_serial(op);
  Scratch parts(plan.num_chunks * m * n);
  parallel_for(k, plan.chunk, [&](int64_t begin, int64_t end) {
    sgemm_serial({.trans_a = true,
                  .m = m,
                  .n = n,
                  .k = end - begin,
                  .a = op.a + begin * m,
                  .b = op.b + begin * n,
                  .c = parts.data() + begin / plan.chunk * m * n});
  });
  scale_rows(op.beta, m * n, op.c);
  for (int64_t part = 0; part < plan.num_chunks; ++part) add_into(parts.data() + part * m * n, m * n, op.c);
}

}  // namespace gnn
