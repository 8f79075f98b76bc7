#pragma once
// Memory mappings: of whole files, and of no file for large arrays.
#include <cstddef>
#include <string>

namespace gnn {

struct Mapping {
  void* data = nullptr;  // null when there is nothing to map
  size_t bytes = 0;
};

// Read-only and shared: every process that maps the file has the same physical pages.
Mapping map_file(const std::string& path);
// Readable and writable by all who map it; the file is made or resized to `bytes`.
Mapping map_file_writable(const std::string& path, size_t bytes);
// Zero-filled memory of this process. Large mappings ask for huge pages: to fill a fresh page of 4 KiB costs more in
// the fault than in what is written. Throws std::bad_alloc.
Mapping map_memory(size_t bytes);
// Expected use of the mapped pages that hold [data, data + bytes).
enum class Access {
  resident,  // soon and repeatedly: they are read now, all of them
  random,    // here and there: reading ahead would waste memory and disk
};
void advise(const void* data, size_t bytes, Access access);

void unmap(const Mapping& mapping);

}  // namespace gnn
