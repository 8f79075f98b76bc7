#pragma once
// The library's own thread pool. Work is cut into chunks by its size alone, so results never depend on the number
// of threads. Waiting is passive: several ranks may share a host.
#include <cstdint>
#include <functional>
#include <vector>

namespace gnn {

// Threads a kernel may use, the caller included. cpus[i] pins worker i + 1; empty leaves placement to the kernel.
void set_threads(int count, const std::vector<int>& cpus = {});
int threads();

// Calls body(begin, end) for consecutive chunks of [0, count), each of `chunk` items but the last. Chunks run on any
// thread in any order. When another thread is inside the pool, the caller does all chunks itself.
void parallel_for(int64_t count, int64_t chunk, const std::function<void(int64_t begin, int64_t end)>& body);

}  // namespace gnn
