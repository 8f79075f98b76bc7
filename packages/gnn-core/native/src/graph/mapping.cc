#include "gnn/graph/mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>

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

Mapping map_memory(size_t bytes) {
  if (bytes == 0) return {};
  constexpr size_t kHugePage = size_t{2} << 20;
  // A mapping begins at any page; one that is longer by a huge page has a huge page's boundary in it.
  const size_t spare = bytes >= 2 * kHugePage ? kHugePage : 0;
  void* whole = mmap(nullptr, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) throw std::bad_alloc();
  if (spare == 0) return {whole, bytes};
  const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(whole) % kHugePage) % kHugePage;
  char* const data = static_cast<char*>(whole) + before;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t kept = (bytes + page - 1) / page * page;
  if (before > 0) munmap(whole, before);
  munmap(data + kept, bytes + spare - before - kept);
  madvise(data, bytes, MADV_HUGEPAGE);
  return {data, bytes};
}

void advise(const void* data, size_t bytes, Access access) {
  if (bytes == 0) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(data) / page * page, end = reinterpret_cast<uintptr_t>(data) + bytes;
  auto* const first = reinterpret_cast<char*>(begin);
  if (access == Access::random) {
    madvise(first, end - begin, MADV_RANDOM);
    return;
  }
#ifdef MADV_POPULATE_READ
  if (madvise(first, end - begin, MADV_POPULATE_READ) == 0) return;
#endif
  // Kernels before 5.14: one read per page brings it in.
  madvise(first, end - begin, MADV_WILLNEED);
  for (uintptr_t at = begin; at < end; at += page) static_cast<void>(*reinterpret_cast<const volatile char*>(at));
}

void unmap(const Mapping& mapping) {
  if (mapping.data) munmap(mapping.data, mapping.bytes);
}

}  // namespace gnn
