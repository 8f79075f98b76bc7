#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

// The values of a one-dimensional .npy file that holds items of this type. Throws DATASET_FORMAT_INVALID.
template <typename T>
std::vector<T> read_npy(const std::string& path);

}  // namespace bench
