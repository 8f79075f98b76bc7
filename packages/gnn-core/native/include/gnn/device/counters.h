#pragma once
// What a step costs beside the arithmetic of its kernels. A training step should launch few kernels and never wait.
#include <cstdint>

namespace gnn::device {

enum class Counted { kLaunch, kSynchronize, kUpload, kDownload };

struct Counters {
  int64_t launches;
  int64_t synchronizations;  // waits of the host for the device
  int64_t uploads;
  int64_t downloads;
};

void note(Counted what);
// Since the process began, over all threads.
Counters counters();

}  // namespace gnn::device
