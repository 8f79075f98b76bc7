// METIS as a program: reads a graph from standard input, prints METIS' levels to standard output while it works and
// writes the parts to descriptor 3. A failure is "CODE message" on standard error, with exit status 1.
//
//   in   int32 num_nodes, num_entries, num_constraints, num_parts, recursive, volume, seed
//        int32 xadj[num_nodes + 1], adjncy[num_entries], node_weights[num_nodes * num_constraints]
//   out  int32 part of every node; the last line on standard output is "usage CPU_SECONDS PEAK_BYTES"
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "gnn/partition/metis.h"

namespace {

constexpr int kResultDescriptor = 3;

// False when the other end closed early.
bool read_all(void* data, size_t bytes) { return std::fread(data, 1, bytes, stdin) == bytes; }

bool write_all(const char* data, size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = write(kResultDescriptor, data, bytes);
    if (written <= 0) return false;
    data += written;
    bytes -= static_cast<size_t>(written);
  }
  return true;
}

std::vector<int32_t> read_values(size_t count) {
  std::vector<int32_t> values(count);
  if (!read_all(values.data(), count * sizeof(int32_t))) {
    throw gnn::Error("PARTITION_FAILED", "The graph ended before its last value.");
  }
  return values;
}

// METIS must not outlive the rank that waits for it, and is the first to go when memory runs out.
void tie_to_parent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL);
  if (std::FILE* score = std::fopen("/proc/self/oom_score_adj", "w")) {
    std::fputs("500", score);
    std::fclose(score);
  }
}

void run() {
  const std::vector<int32_t> header = read_values(7);
  const auto num_nodes = static_cast<size_t>(header[0]);
  const gnn::MetisOptions options{.num_parts = header[3],
                                  .num_constraints = header[2],
                                  .recursive = header[4] != 0,
                                  .minimize_volume = header[5] != 0,
                                  .seed = header[6],
                                  .print_levels = true};
  const std::vector<int32_t> xadj = read_values(num_nodes + 1), adjncy = read_values(static_cast<size_t>(header[1])),
                             weights = read_values(num_nodes * static_cast<size_t>(header[2]));
  const std::vector<int32_t> parts =
      gnn::metis_partition(xadj.data(), adjncy.data(), weights.data(), header[0], options);
  if (!write_all(reinterpret_cast<const char*>(parts.data()), parts.size() * sizeof(int32_t))) {
    throw gnn::Error("PARTITION_FAILED", "The parts could not be handed back.");
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  std::printf("usage %.3f %ld\n", seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss * 1024);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("PARTITION_FAILED usage: hopwise-metis PARENT_PID\n", stderr);
    return 1;
  }
  tie_to_parent(static_cast<pid_t>(std::atoi(argv[1])));
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  try {
    run();
    return 0;
  } catch (const gnn::Error& error) {
    std::fprintf(stderr, "%s %s\n", error.code(), error.what());
  } catch (const std::bad_alloc&) {
    std::fputs("PARTITION_TOO_LARGE The graph does not fit into memory beside METIS.\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "PARTITION_FAILED %s\n", error.what());
  }
  return 1;
}
