#include "gnn/cuda/loss/k_vs_all.h"

#include <cmath>

#include "arrays.h"
#include "check.h"
#include "gnn/device/counters.h"

namespace check {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int32_t>;

struct Shape {
  int64_t queries, candidates, dim;

  std::string name() const {
    return std::to_string(queries) + " x " + std::to_string(candidates) + " x " + std::to_string(dim);
  }
  Floats rows(int64_t count, unsigned seed) const {
    Floats values = random_floats(count * dim, seed);
    for (float& value : values) value *= 3;
    return values;
  }
};

struct Lists {
  Ints starts{0}, members;

  void close() { starts.push_back(static_cast<int32_t>(members.size())); }
};

// None of the first query's, all of the second's, some of the others'
Lists left_of(const Shape& s) {
  Lists lists;
  for (int64_t i = 0; i < s.queries; ++i) {
    for (int32_t v = 0; v < s.candidates; ++v) {
      if (i == 1 || (i > 1 && (v + i) % 7 == 0)) lists.members.push_back(v);
    }
    lists.close();
  }
  return lists;
}

// One to four targets each
Lists targets_of(const Shape& s) {
  Lists lists;
  for (int64_t i = 0; i < s.queries; ++i) {
    for (int64_t j = 0; j <= i % 4; ++j) lists.members.push_back(static_cast<int32_t>((5 * i + 3 * j) % s.candidates));
    lists.close();
  }
  return lists;
}

struct Gradients {
  Floats loss, queries, own, candidates;
};

Gradients on_host(gnn::KvsAll op) {
  const auto sized = [&](int64_t rows) { return Floats(static_cast<size_t>(rows * op.dim), 9.0f); };
  Gradients g{{0}, sized(op.num_queries), sized(op.own == nullptr ? 0 : op.num_queries), sized(op.num_candidates)};
  op.d_queries = g.queries.data(), op.d_own = g.own.data(), op.d_candidates = g.candidates.data();
  g.loss[0] = static_cast<float>(gnn::k_vs_all(op));
  return g;
}

Gradients on_device(Stream& stream, gnn::KvsAll op, int64_t most_scores) {
  const int64_t of_own = op.own == nullptr ? 0 : op.num_queries * op.dim;
  const OnDevice<float> loss(stream, 1), queries(stream, op.num_queries * op.dim), own(stream, of_own),
      candidates(stream, op.num_candidates * op.dim);
  op.d_queries = queries, op.d_own = own, op.d_candidates = candidates;
  gnn::cuda::k_vs_all(stream, op, loss, most_scores);
  return {loss.read(), queries.read(), own.read(), candidates.read()};
}

void expect_alike(const Gradients& found, const Gradients& expected, const std::string& what) {
  expect_close(found.loss, expected.loss, 1e-6, "loss, " + what);
  expect_close(found.queries, expected.queries, 1e-5, "queries, " + what);
  expect_close(found.own, expected.own, 1e-5, "own rows, " + what);
  expect_close(found.candidates, expected.candidates, 1e-5, "candidates, " + what);
}

void compare_own(const Shape& s, int64_t most_scores) {
  Stream stream;
  const Floats q = s.rows(s.queries, 1), o = s.rows(s.queries, 2), c = s.rows(s.candidates, 3);
  const Lists left = left_of(s);
  gnn::KvsAll op{};
  op.num_queries = s.queries, op.num_candidates = s.candidates, op.dim = s.dim;
  op.queries = q.data(), op.own = o.data(), op.candidates = c.data();
  op.left_starts = left.starts.data(), op.left = left.members.data();
  const Gradients expected = on_host(op);
  const OnDevice<float> of_q(stream, q), of_o(stream, o), of_c(stream, c);
  const OnDevice<int32_t> starts(stream, left.starts), members(stream, left.members);
  op.queries = of_q, op.own = of_o, op.candidates = of_c, op.left_starts = starts, op.left = members;
  expect_alike(on_device(stream, op, most_scores), expected, s.name());
}

void compare_targets(const Shape& s, gnn::KvsAllKind kind, float smoothing, int32_t groups, int64_t most_scores) {
  Stream stream;
  const Floats q = s.rows(s.queries, 1), c = s.rows(s.candidates, 3);
  const Lists targets = targets_of(s);
  Ints group_of;
  for (int64_t v = 0; v < s.candidates; ++v) group_of.push_back(static_cast<int32_t>(v % groups));
  gnn::KvsAll op{};
  op.kind = kind, op.smoothing = smoothing;
  op.num_queries = s.queries, op.num_candidates = s.candidates, op.dim = s.dim;
  op.queries = q.data(), op.candidates = c.data(), op.starts = targets.starts.data();
  op.targets = targets.members.data(), op.num_groups = groups, op.group_of = groups > 1 ? group_of.data() : nullptr;
  const Gradients expected = on_host(op);
  const OnDevice<float> of_q(stream, q), of_c(stream, c);
  const OnDevice<int32_t> starts(stream, targets.starts), members(stream, targets.members), of_groups(stream, group_of);
  op.queries = of_q, op.candidates = of_c, op.starts = starts, op.targets = members;
  if (groups > 1) op.group_of = of_groups;
  const std::string what = kind == gnn::KvsAllKind::binary ? "binary, " : "softmax, ";
  expect_alike(on_device(stream, op, most_scores), expected,
               what + std::to_string(groups) + " groups, smoothing " + std::to_string(smoothing) + ", " + s.name());
}

}  // namespace

DEVICE_TEST("the softmax of own rows among shared candidates is the CPU's, in one block of queries and in several") {
  for (const int64_t candidates : {1, 33, 131}) compare_own({37, candidates, 5}, gnn::cuda::kMostScores);
  compare_own({2, 40, 130}, gnn::cuda::kMostScores);
  compare_own({70, 9, 5}, 1);
  compare_own({3, 0, 5}, 1);
}

DEVICE_TEST("losses of targets among all candidates are the CPU's, with groups and smoothing") {
  for (const auto kind : {gnn::KvsAllKind::softmax, gnn::KvsAllKind::binary}) {
    compare_targets({35, 131, 5}, kind, 0, 1, gnn::cuda::kMostScores);
    compare_targets({35, 14, 5}, kind, 0.1f, 3, 1);
    compare_targets({3, 20, 33}, kind, 0.2f, 1, 1);
  }
}

DEVICE_TEST("no queries have no loss, and leave a gradient of zeros") {
  Stream stream;
  const OnDevice<float> candidates(stream, Floats(6, 1.0f)), gradient(stream, Floats(6, 1.0f)), loss(stream, 1);
  gnn::KvsAll op{};
  op.num_candidates = 3, op.dim = 2, op.candidates = candidates, op.d_candidates = gradient;
  gnn::cuda::k_vs_all(stream, op, loss);
  expect_bits(gradient.read(), Floats(6, 0.0f), "gradient");
  expect_bits(loss.read(), {0.0f}, "loss");
}

DEVICE_TEST("a block of queries takes three products and a kernel, and the loss another one") {
  Stream stream;
  const Shape s{64, 20, 4};
  const OnDevice<float> q(stream, s.rows(64, 1)), o(stream, s.rows(64, 2)), c(stream, s.rows(20, 3));
  const OnDevice<int32_t> starts(stream, Ints(65, 0)), left(stream, 0);
  gnn::KvsAll op{};
  op.num_queries = s.queries, op.num_candidates = s.candidates, op.dim = s.dim;
  op.queries = q, op.own = o, op.candidates = c, op.left_starts = starts, op.left = left;
  const OnDevice<float> loss(stream, 1), d_q(stream, 256), d_o(stream, 256), d_c(stream, 80);
  op.d_queries = d_q, op.d_own = d_o, op.d_candidates = d_c;
  for (const int64_t blocks : {1, 2}) {
    const int64_t before = gnn::device::counters().launches;
    gnn::cuda::k_vs_all(stream, op, loss, s.queries / blocks * s.candidates);
    const int64_t found = gnn::device::counters().launches - before;
    expect(found == 4 * blocks + 1, "launches: found " + std::to_string(found));
  }
}

}  // namespace check
