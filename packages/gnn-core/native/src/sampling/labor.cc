#include "gnn/sampling/labor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gnn/runtime/isa.h"
#include "gnn/runtime/leased.h"
#include "gnn/sampling/hop_builder.h"

namespace gnn {
namespace {

constexpr int32_t kMaxIterations = 50;
constexpr double kStandsStill = 1e-4;  // relative change of the expected number of nodes

using Candidate = std::pair<double, int64_t>;  // r_t / pi_t, position in the column

// Working memory of one batch, kept for the next.
struct Workspace {
  RowMap candidates;              // in-neighbours of the batch
  std::vector<int32_t> rows;      // of every in-edge of the batch, its candidate
  std::vector<double> pi;         // per candidate
  std::vector<double> highest_c;  // per candidate, over the rows that have it as in-neighbour
  std::vector<double> pi_of_row;  // of one row's in-neighbours
  std::vector<uint64_t> draws;    // r_t 2^53 of one row's in-neighbours
  std::vector<Candidate> column;
};

bool takes_all(int64_t degree, int32_t fanout) { return fanout < 0 || degree <= fanout; }

// pi of one row's in-neighbours, from the candidate of its first in-edge on.
const double* gather_pi(Workspace& memory, const int32_t* rows, int64_t degree) {
  memory.pi_of_row.resize(degree);
  for (int64_t i = 0; i < degree; ++i) memory.pi_of_row[i] = memory.pi[rows[i]];
  return memory.pi_of_row.data();
}

void collect_candidates(const GraphView& graph, const HopBuilder& hop, Workspace& memory) {
  memory.rows.clear();
  memory.candidates.reset(static_cast<size_t>(hop.num_dst()) * 8, graph.num_nodes());
  for (int32_t row = 0; row < hop.num_dst(); ++row) {
    const Column column = graph.column(hop.dst_nodes()[row]);
    for (int64_t i = 0; i < column.degree; ++i) memory.rows.push_back(memory.candidates.row_of(column.src[i]));
  }
}

// One round of pi_t <- pi_t max{ c_s : s has t as in-neighbour }. @returns the expected number of nodes taken before it
double refine(const GraphView& graph, const HopBuilder& hop, int32_t fanout, Workspace& memory) {
  memory.highest_c.assign(memory.pi.size(), 0.0);
  const int32_t* rows = memory.rows.data();
  for (int32_t row = 0; row < hop.num_dst(); ++row) {
    const int64_t degree = graph.column(hop.dst_nodes()[row]).degree;
    if (degree == 0) continue;
    const double c = labor_scale(gather_pi(memory, rows, degree), degree, fanout);
    for (int64_t i = 0; i < degree; ++i) memory.highest_c[rows[i]] = std::max(memory.highest_c[rows[i]], c);
    rows += degree;
  }
  double expected = 0.0;
  for (size_t t = 0; t < memory.pi.size(); ++t) {
    memory.pi[t] *= memory.highest_c[t];
    expected += std::min(1.0, memory.pi[t]);
  }
  return expected;
}

void fit_pi(const GraphView& graph, const HopBuilder& hop, const LaborOptions& options, int32_t fanout,
            Workspace& memory) {
  collect_candidates(graph, hop, memory);
  memory.pi.assign(memory.candidates.size(), 1.0);
  const int32_t rounds = options.iterations < 0 ? kMaxIterations : options.iterations;
  double before = INFINITY;
  for (int32_t i = 0; i < rounds; ++i) {
    const double expected = refine(graph, hop, fanout, memory);
    if (options.iterations < 0 && before - expected < kStandsStill * expected) break;
    before = expected;
  }
}

// r_t 2^53 of every node, an integer: NodeRng(stream, t).uniform() is this times 2^-53.
GNN_MULTIVERSION void draw_nodes(uint64_t stream, const int32_t* __restrict nodes, int64_t count,
                                 uint64_t* __restrict draws) {
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t state = mix64(stream ^ mix64(static_cast<uint32_t>(nodes[i]) + kGolden));
    draws[i] = mix64(state + kGolden) >> 11;
  }
}

const float* weight_at(const Column& column, int64_t i) { return column.weights ? column.weights + i : nullptr; }

// Those with r_t < c pi_t; pi null: ones.
void pick_poisson(const Column& column, int32_t fanout, const double* pi, const uint64_t* draws, HopBuilder& hop) {
  const double c = pi ? labor_scale(pi, column.degree, fanout) : fanout / static_cast<double>(column.degree);
  for (int64_t i = 0; i < column.degree; ++i) {
    const double probability = std::min(1.0, pi ? c * pi[i] : c);
    if (static_cast<double>(draws[i]) >= probability * 0x1p53) continue;
    hop.add(column.src[i], weight_at(column, i), 1.0 / probability);
  }
}

// The `fanout` with the smallest r_t / pi_t. Given the smallest value t that was left out, each is in with probability
// min(1, pi t).
void pick_fixed(const Column& column, int32_t fanout, const double* pi, Workspace& memory, HopBuilder& hop) {
  std::vector<Candidate>& all = memory.column;
  all.clear();
  for (int64_t i = 0; i < column.degree; ++i) {
    all.emplace_back(static_cast<double>(memory.draws[i]) * 0x1p-53 / (pi ? pi[i] : 1.0), i);
  }
  std::nth_element(all.begin(), all.begin() + fanout, all.end());
  const double threshold = all[fanout].first;
  all.resize(fanout);
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.second < b.second; });
  for (const auto& [value, i] : all) {
    const double probability = std::min(1.0, (pi ? pi[i] : 1.0) * threshold);
    hop.add(column.src[i], weight_at(column, i), 1.0 / probability);
  }
}

void sample_hop(const GraphView& graph, const LaborOptions& options, int32_t fanout, uint64_t stream, Workspace& memory,
                HopBuilder& hop) {
  const bool fits_pi = options.iterations != 0 && fanout > 0;
  if (fits_pi) fit_pi(graph, hop, options, fanout, memory);
  const int32_t* rows = memory.rows.data();
  for (int32_t row = 0; row < hop.num_dst(); ++row) {
    const Column column = graph.column(hop.dst_nodes()[row]);
    if (row + 1 < hop.num_dst()) __builtin_prefetch(graph.column(hop.dst_nodes()[row + 1]).src);
    if (takes_all(column.degree, fanout)) {
      for (int64_t i = 0; i < column.degree; ++i) {
        hop.add(column.src[i], weight_at(column, i), 1.0);
      }
    } else {
      const double* pi = fits_pi ? gather_pi(memory, rows, column.degree) : nullptr;
      memory.draws.resize(column.degree);
      draw_nodes(stream, column.src, column.degree, memory.draws.data());
      if (options.fixed_size) {
        pick_fixed(column, fanout, pi, memory, hop);
      } else {
        pick_poisson(column, fanout, pi, memory.draws.data(), hop);
      }
    }
    if (fits_pi) rows += column.degree;
    hop.end_row(column.degree, options.normalise);
  }
}

}  // namespace

double labor_scale(const double* pi, int64_t degree, int32_t fanout) {
  if (takes_all(degree, fanout)) return 1.0 / *std::min_element(pi, pi + degree);
  const double target = static_cast<double>(degree) * static_cast<double>(degree) / fanout;
  // The terms 1 / min(1, c pi) of large pi are 1. Take none as such, solve for c, and count again: c only
  // grows, so the set of such terms does, and stands still after at most `degree` rounds.
  double c = 0.0;
  for (int64_t num_certain = -1;;) {
    int64_t certain = 0;
    double inverse = 0.0;
    for (int64_t i = 0; i < degree; ++i) {
      if (c * pi[i] >= 1.0) {
        ++certain;
      } else {
        inverse += 1.0 / pi[i];
      }
    }
    if (certain == num_certain) return c;
    num_certain = certain;
    c = inverse / (target - static_cast<double>(certain));
  }
}

std::vector<BlockData> sample_labor_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                           const LaborOptions& options, const SampleKey& key) {
  const Leased<Workspace> lease;
  Workspace& memory = *lease;
  const bool equal = options.iterations == 0 && options.normalise;
  HopBuilder hops(graph, seeds, expected_rows(seeds.size(), options.fanouts), !equal);
  for (size_t hop = 0; hop < options.fanouts.size(); ++hop) {
    hops.begin();
    const uint64_t stream = hop_stream(key, options.one_draw_for_all_hops ? 0 : hop);
    sample_hop(graph, options, options.fanouts[hop], stream, memory, hops);
    hops.finish();
  }
  return hops.take_blocks();
}

}  // namespace gnn
