#include "gnn/device/counters.h"

#include <atomic>

namespace gnn::device {
namespace {

std::atomic<int64_t> counts[7];

int64_t count_of(Counted what) { return counts[static_cast<int>(what)].load(std::memory_order_relaxed); }

}  // namespace

void note(Counted what, int64_t times) {
  counts[static_cast<int>(what)].fetch_add(times, std::memory_order_relaxed);
}

void note_upload(size_t bytes) {
  note(Counted::kUpload);
  note(Counted::kUploadedByte, static_cast<int64_t>(bytes));
}

Counters counters() {
  return {count_of(Counted::kLaunch), count_of(Counted::kSynchronize), count_of(Counted::kUpload),
          count_of(Counted::kDownload), count_of(Counted::kWaitAhead), count_of(Counted::kDownloadAhead),
          count_of(Counted::kUploadedByte)};
}

}  // namespace gnn::device
