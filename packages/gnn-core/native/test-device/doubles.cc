#include "doubles.h"

#include <filesystem>

namespace check {

std::string path_of_double(const std::string& name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / (name + "-double.so")).string();
}

}  // namespace check
