// Sampling on the device, alone: the blocks of an epoch, batch by batch. Trainings sample on the host.
#include "groups.h"

#include <chrono>
#include <cstdio>

#include "gnn/cuda/sampling/sample_blocks.h"
#include "npy.h"

namespace bench {

void report_epoch_sampling(Stream& stream, const std::string& graph_dir) {
  const Array<int64_t> indptr = uploaded(stream, read_npy<int64_t>(graph_dir + "/indptr.npy"));
  const Array<int32_t> indices = uploaded(stream, read_npy<int32_t>(graph_dir + "/indices.npy"));
  const std::vector<int64_t> train = read_npy<int64_t>(graph_dir + "/train_idx.npy");
  const Array<int32_t> seeds = uploaded(stream, std::vector<int32_t>(train.begin(), train.end()));
  const gnn::cuda::GraphView graph{static_cast<int32_t>(indptr.size() - 1), indptr.data(), indices.data()};
  const int64_t batch = sized(1024, 4), most = sized(seeds.size(), 8);
  const auto sample = [&](int64_t first) {
    int64_t edges = 0;
    const int64_t count = std::min(batch, seeds.size() - first);
    for (const auto& block : gnn::cuda::sample_blocks(stream, graph, {seeds.data() + first, count}, {15, 10, 5}, false,
                                                      {1, 0, static_cast<uint64_t>(first)})) {
      edges += block.num_edges;
    }
    return edges;
  };
  sample(0);
  stream.synchronize();
  const auto start = std::chrono::steady_clock::now();
  int64_t edges = 0, batches = 0;
  for (int64_t first = 0; first < std::min(most, seeds.size()); first += batch, ++batches) edges += sample(first);
  stream.synchronize();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf(
      "{\"name\":\"epochSampling\",\"batches\":%lld,\"edges\":%lld,\"seconds\":%.4g,\"rate\":%.4g,\"unit\":\"Gedge/"
      "s\"}\n",
      static_cast<long long>(batches), static_cast<long long>(edges), seconds,
      static_cast<double>(edges) / seconds * 1e-9);
}

}  // namespace bench
