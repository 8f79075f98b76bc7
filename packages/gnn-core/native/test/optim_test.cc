// Three updates of every optimiser, against the papers' recursions in float64.
#include <cmath>

#include "check.h"
#include "gnn/optim/adagrad.h"
#include "gnn/optim/adam.h"
#include "gnn/optim/sgd.h"
#include "gnn/optim/sparse_update.h"

using test::doubles, test::expect_near, test::Random;

namespace {

constexpr int64_t kCount = 20000;  // more than one chunk
constexpr int kSteps = 3;

struct AdamState {
  double p, m = 0, v = 0;
  void update(double g, const gnn::AdamOptions& o, int64_t step) {
    if (o.decoupled) p *= 1 - double{o.lr} * o.weight_decay;
    if (!o.decoupled) g += o.weight_decay * p;
    m = o.beta1 * m + (1 - o.beta1) * g;
    v = o.beta2 * v + (1 - o.beta2) * g * g;
    const double t = static_cast<double>(step);
    p -= o.lr * (m / (1 - std::pow(o.beta1, t))) / (std::sqrt(v / (1 - std::pow(o.beta2, t))) + o.epsilon);
  }
};

}  // namespace

TEST("Adam and AdamW follow Kingma and Ba, and Loshchilov and Hutter") {
  Random random(1);
  for (const bool decoupled : {false, true}) {
    const gnn::AdamOptions options{0.01f, 0.9f, 0.999f, 1e-6f, 0.1f, decoupled};
    std::vector<float> p = random.numbers(kCount), m(p.size()), v(p.size());
    std::vector<AdamState> states;
    for (const float value : p) states.push_back({value});
    for (int step = 1; step <= kSteps; ++step) {
      const auto g = random.numbers(kCount);
      gnn::adam_update({.count = kCount, .parameter = p.data(), .momentum = m.data(), .variance = v.data(),
                        .gradient = g.data(), .options = options, .step = step});
      for (size_t i = 0; i < g.size(); ++i) states[i].update(g[i], options, step);
    }
    std::vector<double> expected;
    for (const AdamState& state : states) expected.push_back(state.p);
    expect_near(p, expected, 1e-4, decoupled ? "AdamW" : "Adam");
  }
}

TEST("SGD with momentum and Adagrad follow their recursions") {
  Random random(2);
  std::vector<float> p = random.numbers(kCount), b(p.size()), q = p, s(p.size());
  std::vector<double> ep = doubles(p), eb(p.size()), eq = ep, es(p.size());
  for (int step = 1; step <= kSteps; ++step) {
    const auto g = random.numbers(kCount);
    gnn::sgd_update(kCount, p.data(), b.data(), g.data(), {0.1f, 0.9f, 0.01f});
    gnn::adagrad_update(kCount, q.data(), s.data(), g.data(), {0.1f, 1e-5f, 0.01f});
    for (size_t i = 0; i < g.size(); ++i) {
      eb[i] = 0.9 * eb[i] + g[i] + 0.01 * ep[i];
      ep[i] -= 0.1 * eb[i];
      const double decayed = g[i] + 0.01 * eq[i];
      es[i] += decayed * decayed;
      eq[i] -= 0.1 * decayed / (std::sqrt(es[i]) + 1e-5);
    }
  }
  expect_near(p, ep, 1e-4, "SGD");
  expect_near(q, eq, 1e-3, "Adagrad");
}

TEST("sparse updates change the rows that are named alone, each by its own count of steps") {
  Random random(3);
  const int64_t dim = 8;
  const gnn::AdamOptions options{0.01f, 0.9f, 0.999f, 1e-6f, 0.0f};
  std::vector<float> p = random.numbers(10 * dim), m(p.size()), v(p.size()), q = p, s(p.size());
  std::vector<int32_t> steps(10);
  std::vector<AdamState> states;
  for (const float value : p) states.push_back({value});
  std::vector<double> eq = doubles(p), es(p.size());
  const std::vector<std::vector<int32_t>> batches{{1, 4}, {4, 9, 2}, {4}};
  for (const auto& ids : batches) {
    const auto g = random.numbers(static_cast<int64_t>(ids.size()) * dim);
    const gnn::SparseGradient gradient{ids.data(), static_cast<int64_t>(ids.size()), dim, g.data()};
    gnn::sparse_adam_update({.gradient = gradient, .parameter = p.data(), .momentum = m.data(), .variance = v.data(),
                             .steps = steps.data(), .options = options});
    gnn::sparse_adagrad_update(gradient, q.data(), s.data(), {0.1f, 1e-5f, 0.0f});
    for (size_t i = 0; i < g.size(); ++i) {
      const size_t at = ids[i / dim] * dim + i % dim;
      states[at].update(g[i], options, steps[ids[i / dim]]);
      es[at] += double{g[i]} * g[i];
      eq[at] -= 0.1 * g[i] / (std::sqrt(es[at]) + 1e-5);
    }
  }
  test::expect_equal(steps, std::vector<int32_t>{0, 1, 1, 0, 3, 0, 0, 0, 0, 1}, "steps");
  std::vector<double> expected;
  for (const AdamState& state : states) expected.push_back(state.p);
  expect_near(p, expected, 1e-4, "Adam");
  expect_near(q, eq, 1e-3, "Adagrad");
}
