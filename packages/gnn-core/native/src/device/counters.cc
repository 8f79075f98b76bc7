#include "gnn/device/counters.h"

#include <atomic>

namespace gnn::device {
namespace {

std::atomic<int64_t> counts[6];

int64_t count_of(Counted what) { return counts[static_cast<int>(what)].load(std::memory_order_relaxed); }

}  // namespace

void note(Counted what) { counts[static_cast<int>(what)].fetch_add(1, std::memory_order_relaxed); }

Counters counters() {
  return {count_of(Counted::kLaunch), count_of(Counted::kSynchronize), count_of(Counted::kUpload),
          count_of(Counted::kDownload), count_of(Counted::kWaitAhead), count_of(Counted::kDownloadAhead)};
}

}  // namespace gnn::device
