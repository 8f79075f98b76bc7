// How long the kernels of a training step take on one thread, without Node, beside what the machine can do: copying
// memory and multiplying matrices, measured in the same run. Prints the JSON line of script/bench.
//
//   native-bench [--small]   sizes that only show that it runs
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "gnn/dense/linear.h"
#include "gnn/dense/sgemm.h"
#include "gnn/loss/cross_entropy.h"
#include "gnn/nn/dropout.h"
#include "gnn/nn/gat_conv.h"
#include "gnn/norm/layer_norm.h"
#include "gnn/optim/adam.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sampling/counter_rng.h"
#include "gnn/sampling/reverse_edges.h"
#include "gnn/sampling/sample_blocks.h"
#include "gnn/sparse/gather_rows.h"
#include "gnn/sparse/spmm.h"
#include "gnn/sparse/weighted_spmm.h"

namespace {

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

enum class Bound { kMemory, kProducts, kNeither };

struct Kernel {
  std::string name;
  Bound bound;
  // What a call does: bytes read and written if nothing is cached, floating-point operations, or edges.
  double work;
  std::function<void()> run;
  std::vector<double> seconds;
  double rate() const { return work / median() * 1e-9; }
  double median() const {
    std::vector<double> sorted(seconds.begin() + 1, seconds.end());  // the first round is cold
    std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
    return sorted[sorted.size() / 2];
  }
};

std::vector<float> numbers(int64_t count) {
  static gnn::NodeRng random(1, 0);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(random.uniform()) - 0.5f;
  return values;
}

// A hop of a mini-batch: as many rows and in-edges as the second of three on a graph like ogbn-products.
struct Hop {
  explicit Hop(int64_t num_dst) : num_dst(num_dst), num_src(4 * num_dst) {
    gnn::NodeRng random(2, 0);
    for (int64_t v = 0; v <= num_dst; ++v) indptr.push_back(static_cast<int32_t>(v * kDegree));
    for (int64_t e = 0; e < num_dst * kDegree; ++e) indices.push_back(static_cast<int32_t>(random.below(num_src)));
    reverse = gnn::reverse_edges(view());
  }
  gnn::BlockView view() const {
    return {num_src, num_dst, static_cast<int64_t>(indices.size()), indptr.data(), indices.data(),
            reverse.indptr.data(),
            reverse.indices.data()};
  }
  static constexpr int64_t kDegree = 10;
  int64_t num_dst, num_src;
  std::vector<int32_t> indptr, indices;
  gnn::ReverseEdges reverse;
};

// What the kernels read and write.
struct Arrays {
  explicit Arrays(bool is_small) : hop(is_small ? 200 : 20'000), m(is_small ? 64 : 1024) {
    std::iota(ids.begin(), ids.end(), 0);
    for (size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int32_t>(static_cast<int64_t>(i) % dim);
    for (size_t i = 0; i < seeds.size(); ++i) seeds[i] = static_cast<int32_t>(static_cast<int64_t>(i) % rows);
    std::copy(hop.indptr.begin(), hop.indptr.end(), indptr.begin());
  }
  // Nodes behind the dst rows have no in-edges.
  gnn::GraphView graph() const {
    return {static_cast<int32_t>(src), {{0, static_cast<int32_t>(src), indptr.data(), hop.indices.data(), nullptr,
                                         edges}}};
  }

  const Hop hop;
  const gnn::BlockView block = hop.view();
  const int64_t dim = 256, edges = block.num_edges, rows = block.num_dst, src = block.num_src, m;
  const std::vector<float> x = numbers(src * dim), weight = numbers(dim * dim), bias = numbers(dim),
      scale = numbers(dim);
  const std::vector<float> a = numbers(m * m), b = numbers(m * m), edge_weights = numbers(edges);
  std::vector<float> out = x, parameter = x, momentum = x, variance = std::vector<float>(x.size());
  std::vector<float> alpha = numbers(4 * (edges + rows)), moments = numbers(2 * src), c = a;
  std::vector<float> d_weight = weight, d_bias = bias;
  std::vector<int32_t> ids = std::vector<int32_t>(x.size() / 256), labels = std::vector<int32_t>(hop.indptr.size() - 1);
  std::vector<int32_t> seeds = std::vector<int32_t>(1000);
  std::vector<int64_t> indptr = std::vector<int64_t>(static_cast<size_t>(src) + 1, edges);
  const gnn::RowSource input{x.data(), dim};
  const gnn::DropoutKey key{1, 2, 3, 4};
};

double bytes(int64_t floats) { return 4.0 * static_cast<double>(floats); }
double operations(int64_t m, int64_t n, int64_t k) { return 2.0 * static_cast<double>(m * n * k); }

std::vector<Kernel> ceilings_of(Arrays& t) {
  return {{"copy", Bound::kMemory, bytes(2 * t.src * t.dim),
           [&t] { std::memcpy(t.out.data(), t.x.data(), t.out.size() * sizeof(float)); }, {}},
          {"sgemm", Bound::kProducts, operations(t.m, t.m, t.m),
           [&t] {
             gnn::sgemm({.m = t.m, .n = t.m, .k = t.m, .a = t.a.data(), .b = t.b.data(), .c = t.c.data()});
           }, {}}};
}

std::vector<Kernel> edge_kernels_of(Arrays& t) {
  const auto attend = [&t] {
    gnn::gat_conv({.block = t.block,
                   .shape = {4, t.dim / 4, 0.2f, false, t.ids.data(), t.key, 0},
                   .attention = {t.scale.data(), t.bias.data()},
                   .z = t.x.data(),
                   .score_src = t.momentum.data(),
                   .score_dst = t.moments.data(),
                   .alpha = t.alpha.data(),
                   .out = t.out.data()});
  };
  return {{"spmmMean", Bound::kMemory, bytes((t.edges + t.rows) * t.dim),
           [&t] { gnn::spmm_mean(t.block, t.input, t.out.data()); }, {}},
          {"spmmMeanGrad", Bound::kMemory, bytes((t.edges + t.src) * t.dim),
           [&t] { gnn::spmm_mean_grad(t.block, t.dim, t.x.data(), 0, t.out.data()); }, {}},
          {"weightedSpmm", Bound::kMemory, bytes((t.edges + 2 * t.rows) * t.dim),
           [&t] {
             gnn::weighted_spmm(t.block, t.dim, {t.edge_weights.data(), t.x.data()}, t.x.data(), t.out.data());
           }, {}},
          {"gatConv", Bound::kMemory, bytes((t.edges + 2 * t.rows) * t.dim), attend, {}},
          {"reverseEdges", Bound::kNeither, static_cast<double>(t.edges), [&t] { gnn::reverse_edges(t.block); }, {}},
          {"sampleBlocks", Bound::kNeither, 5.0 * static_cast<double>(t.seeds.size()),
           [&t] { gnn::sample_blocks(t.graph(), t.seeds, {5}, false, {1, 2, 3}); }, {}}};
}

std::vector<Kernel> row_kernels_of(Arrays& t) {
  const auto drop = [&t] {
    gnn::dropout_rows({.rows = t.src,
                       .dim = t.dim,
                       .x = t.x.data(),
                       .row_ids = t.ids.data(),
                       .key = t.key,
                       .threshold = 30000,
                       .out = t.out.data()});
  };
  const auto normalise = [&t] {
    gnn::layer_norm({.rows = t.src,
                     .dim = t.dim,
                     .x = t.x.data(),
                     .scale = t.scale.data(),
                     .shift = t.bias.data(),
                     .epsilon = 1e-5f,
                     .moments = t.moments.data(),
                     .out = t.out.data()});
  };
  const auto update = [&t] {
    gnn::adam_update({.count = t.src * t.dim,
                      .parameter = t.parameter.data(),
                      .momentum = t.momentum.data(),
                      .variance = t.variance.data(),
                      .gradient = t.x.data(),
                      .options = {1e-3f, 0.9f, 0.999f, 1e-8f, 0.0f},
                      .step = 5});
  };
  const auto loss = [&t] {
    gnn::cross_entropy_grad({.rows = t.rows, .classes = t.dim, .logits = t.x.data(), .labels = t.labels.data()}, 1.0f,
                            t.out.data());
  };
  return {{"gatherRows", Bound::kMemory, bytes(2 * t.rows * t.dim),
           [&t] { gnn::gather_rows(t.rows, t.dim, t.x.data(), t.hop.indices.data(), t.out.data()); }, {}},
          {"dropoutRows", Bound::kMemory, bytes(2 * t.src * t.dim), drop, {}},
          {"layerNorm", Bound::kMemory, bytes(2 * t.src * t.dim), normalise, {}},
          {"adam", Bound::kMemory, bytes(7 * t.src * t.dim), update, {}},
          {"crossEntropyGrad", Bound::kMemory, bytes(2 * t.rows * t.dim), loss, {}}};
}

std::vector<Kernel> dense_kernels_of(Arrays& t) {
  const auto forward = [&t] {
    gnn::linear({.rows = t.rows,
                 .out_dim = t.dim,
                 .x = t.input,
                 .weight = t.weight.data(),
                 .bias = t.bias.data(),
                 .with_relu = true,
                 .out = t.out.data()});
  };
  const auto backward = [&t] {
    gnn::linear_grad({.rows = t.rows,
                      .out_dim = t.dim,
                      .x = t.input,
                      .weight = t.weight.data(),
                      .out = t.x.data(),
                      .dy = t.x.data(),
                      .with_relu = true,
                      .dx = t.out.data(),
                      .d_weight = t.d_weight.data(),
                      .d_bias = t.d_bias.data()});
  };
  return {{"linear", Bound::kProducts, operations(t.rows, t.dim, t.dim), forward, {}},
          {"linearGrad", Bound::kProducts, 2 * operations(t.rows, t.dim, t.dim), backward, {}}};
}

void print(const std::vector<Kernel>& kernels, double copy, double product) {
  const auto spmm = std::find_if(kernels.begin(), kernels.end(), [](const Kernel& k) { return k.name == "spmmMean"; });
  std::printf("{\"topic\":\"kernels\",\"figure\":%.4g,\"unit\":\"GB/CPU-s\",\"better\":\"higher\",\"ceiling\":%.4g,"
              "\"details\":{\"isa\":\"%s\",\"copyGigabytesPerSecond\":%.4g,\"sgemmGigaflops\":%.4g",
              spmm->rate(), copy, gnn::isa(), copy, product);
  for (const Kernel& kernel : kernels) {
    const char* unit = kernel.bound == Bound::kMemory ? "GB/s" : kernel.bound == Bound::kProducts ? "Gflop/s" :
        "Gedge/s";
    std::printf(",\"%s\":{\"milliseconds\":%.4g,\"%s\":%.4g", kernel.name.c_str(), kernel.median() * 1e3, unit,
                kernel.rate());
    if (kernel.bound != Bound::kNeither) {
      std::printf(",\"ofCeiling\":%.3g", kernel.rate() / (kernel.bound == Bound::kMemory ? copy : product));
    }
    std::printf("}");
  }
  std::printf("}}\n");
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
  Arrays arrays(is_small);
  std::vector<Kernel> ceilings = ceilings_of(arrays), kernels = edge_kernels_of(arrays);
  for (auto more : {row_kernels_of(arrays), dense_kernels_of(arrays)}) {
    kernels.insert(kernels.end(), more.begin(), more.end());
  }
  gnn::set_threads(1);
  // Other work on the machine hits all of them alike: they take turns.
  for (int round = 0; round < (is_small ? 3 : 12); ++round) {
    for (std::vector<Kernel>* group : {&ceilings, &kernels}) {
      for (Kernel& kernel : *group) {
        const double before = cpu_seconds();
        kernel.run();
        kernel.seconds.push_back(cpu_seconds() - before);
      }
    }
  }
  print(kernels, ceilings[0].rate(), ceilings[1].rate());
}
