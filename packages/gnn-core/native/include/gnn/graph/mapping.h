#pragma once
// Memory mappings of whole files.
#include <cstddef>
#include <string>

namespace gnn {

struct Mapping {
  void* data = nullptr;  // null when the file is empty
  size_t bytes = 0;
};

// Read-only and shared: every process that maps the file has the same physical pages.
Mapping map_file(const std::string& path);
// Readable and writable by all who map it; the file is made or resized to `bytes`.
Mapping map_file_writable(const std::string& path, size_t bytes);
void unmap(const Mapping& mapping);

}  // namespace gnn
