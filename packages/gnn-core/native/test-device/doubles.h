#pragma once
// Libraries with the interfaces of NVIDIA's (doubles/), which stand beside the program of the tests: what opens and
// calls NVIDIA's runs here as it does on a GPU.
#include <string>

namespace check {

std::string path_of_double(const std::string& name);

}  // namespace check
