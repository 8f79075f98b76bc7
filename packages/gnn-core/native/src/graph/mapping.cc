#include "gnn/graph/mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gnn/error.h"

namespace gnn {
namespace {

struct File {
  int fd;
  ~File() { close(fd); }
};

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error("DATASET_FILE_MISSING", path + " could not be " + what + ": " + std::strerror(errno) + ".");
}

Mapping map_fd(int fd, size_t bytes, int protection, const std::string& path) {
  if (bytes == 0) return {};
  void* data = mmap(nullptr, bytes, protection, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) fail(path, "mapped");
  return {data, bytes};
}

}  // namespace

Mapping map_file(const std::string& path) {
  const File file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) fail(path, "opened");
  struct stat status;
  if (fstat(file.fd, &status) != 0) fail(path, "inspected");
  return map_fd(file.fd, static_cast<size_t>(status.st_size), PROT_READ, path);
}

Mapping map_file_writable(const std::string& path, size_t bytes) {
  const File file{open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
  if (file.fd < 0) fail(path, "opened");
  if (ftruncate(file.fd, static_cast<off_t>(bytes)) != 0) fail(path, "resized");
  return map_fd(file.fd, bytes, PROT_READ | PROT_WRITE, path);
}

void unmap(const Mapping& mapping) {
  if (mapping.data) munmap(mapping.data, mapping.bytes);
}

}  // namespace gnn
