// What the kernels for GPUs cost, beside what the device can do, measured in the same run: a line of JSON each.
//   device-bench                 ceilings, then kernels
//   device-bench --small         the same at sizes that only show that it runs, as in the emulation
//   device-bench --graph DIR     sampling of an epoch over the graph of a folder
//   device-bench --small --graph DIR
#include <cstdio>
#include <cstring>

#include "gnn/device/driver.h"
#include "gnn/error.h"
#include "groups.h"

int main(int argc, char** argv) {
  std::string graph_dir;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--small") == 0) bench::is_small() = true;
    if (std::strcmp(argv[i], "--graph") == 0 && i + 1 < argc) graph_dir = argv[++i];
  }
  try {
    std::printf("{\"device\":\"%s\"}\n", gnn::device::driver::name());
    std::fflush(stdout);
    bench::Stream stream;
    if (!graph_dir.empty()) {
      bench::report_epoch_sampling(stream, graph_dir);
      return 0;
    }
    bench::report_ceilings(stream);
    bench::report_edge_kernels(stream);
    bench::report_row_kernels(stream);
    bench::report_typed_kernels(stream);
    bench::report_loss_kernels(stream);
  } catch (const gnn::Error& error) {
    std::fprintf(stderr, "%s: %s\n", error.code(), error.what());
    return 1;
  }
  return bench::failures() == 0 ? 0 : 1;
}
