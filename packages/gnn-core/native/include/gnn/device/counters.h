#pragma once
// What a step costs beside the arithmetic of its kernels. A training step should launch few kernels and never wait.
#include <cstddef>
#include <cstdint>

namespace gnn::device {

enum class Counted { kLaunch, kSynchronize, kUpload, kDownload, kWaitAhead, kDownloadAhead, kUploadedByte };

struct Counters {
  int64_t launches;
  int64_t synchronizations;  // waits of the host for the device
  int64_t uploads;
  int64_t downloads;
  // What threads did that prepare later steps: nobody waits for them meanwhile.
  int64_t waits_ahead;
  int64_t downloads_ahead;
  int64_t uploaded_bytes;
};

void note(Counted what, int64_t times = 1);
// An upload of so many bytes.
void note_upload(size_t bytes);
// Since the process began, over all threads.
Counters counters();

}  // namespace gnn::device
