// Losses by the scores of many candidates, with their gradients: three products each.
#include "groups.h"

#include "gnn/cuda/loss/k_vs_all.h"

namespace bench {
namespace {

struct Sizes {
  int64_t queries, candidates, dim;
  double work() const { return 6.0 * static_cast<double>(queries * candidates * dim); }
};

// Each query has one of `below` things.
struct OneEach {
  Array<int32_t> starts, members;
  OneEach(Stream& stream, int64_t queries, int64_t below) : members(random_ids(stream, queries, below)) {
    std::vector<int32_t> values;
    for (int64_t i = 0; i <= queries; ++i) values.push_back(static_cast<int32_t>(i));
    starts = uploaded(stream, values);
  }
};

void report_loss(Stream& stream, const std::string& name, const Sizes& s, bool is_shared) {
  const Array<float> queries = random_floats(stream, s.queries * s.dim), own = random_floats(stream, s.queries * s.dim),
                     candidates = random_floats(stream, s.candidates * s.dim), d_queries(stream, s.queries * s.dim),
                     d_own(stream, s.queries * s.dim), d_candidates(stream, s.candidates * s.dim), loss(stream, 1);
  const OneEach lists(stream, s.queries, s.candidates);
  gnn::KvsAll op{};
  op.num_queries = s.queries, op.num_candidates = s.candidates, op.dim = s.dim;
  op.queries = queries.data(), op.candidates = candidates.data();
  op.d_queries = d_queries.data(), op.d_candidates = d_candidates.data();
  if (is_shared) {
    op.own = own.data(), op.d_own = d_own.data(), op.left_starts = lists.starts.data(), op.left = lists.members.data();
  } else {
    op.starts = lists.starts.data(), op.targets = lists.members.data();
  }
  report(stream, {name, Bound::kProducts, s.work(), [&] { gnn::cuda::k_vs_all(stream, op, loss.data()); }});
}

}  // namespace

void report_loss_kernels(Stream& stream) {
  // LightGCN on gowalla: as many pairs as a step has, with 512 and 4,096 items that they share.
  report_loss(stream, "sharedSoftmax512", {sized(32'768, 40), sized(512, 20), sized(64, 8)}, true);
  report_loss(stream, "sharedSoftmax4096", {sized(8'192, 40), sized(4'096, 30), sized(64, 8)}, true);
  // Queries of fb15k-237 among its 14,541 entities
  report_loss(stream, "kVsAll", {sized(1'024, 40), sized(14'541, 30), sized(200, 8)}, false);
}

}  // namespace bench
