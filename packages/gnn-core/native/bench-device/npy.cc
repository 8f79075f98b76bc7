#include "npy.h"

#include <fstream>

#include "gnn/error.h"

namespace bench {
namespace {

// The magic string, two bytes of version, two of the length of what describes the array.
constexpr size_t kPreamble = 10;

}  // namespace

template <typename T>
std::vector<T> read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  unsigned char start[kPreamble] = {};
  file.read(reinterpret_cast<char*>(start), kPreamble);
  std::string description(static_cast<size_t>(start[8]) + 256u * start[9], ' ');
  file.read(description.data(), static_cast<std::streamsize>(description.size()));
  if (!file || start[6] != 1 || description.find(sizeof(T) == 8 ? "<i8" : "<i4") == std::string::npos) {
    throw gnn::Error("DATASET_FORMAT_INVALID",
                     path + " is no .npy file of integers with " + std::to_string(sizeof(T)) + " bytes.");
  }
  const auto begin = file.tellg();
  file.seekg(0, std::ios::end);
  std::vector<T> values(static_cast<size_t>(file.tellg() - begin) / sizeof(T));
  file.seekg(begin);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

template std::vector<int32_t> read_npy(const std::string&);
template std::vector<int64_t> read_npy(const std::string&);

}  // namespace bench
