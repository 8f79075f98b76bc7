# The kernels under sanitizers, for the drivers of fuzz/ and the tests of test/. Not with them: src/device, which
# script/test-device tests, and src/dist and METIS, which are calls of other libraries.
find_library(DNNL_LIBRARY dnnl REQUIRED)
find_library(ZMQ_LIBRARY zmq REQUIRED)
set(OPENSSL_USE_STATIC_LIBS TRUE)
find_package(OpenSSL 3 REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)

file(GLOB_RECURSE SANITIZED_SOURCES CONFIGURE_DEPENDS src/*.cc)
list(FILTER SANITIZED_SOURCES EXCLUDE REGEX "/src/dist/|/src/device/|/metis\\.cc$")
add_library(gnn-sanitized STATIC ${SANITIZED_SOURCES})
target_include_directories(gnn-sanitized PUBLIC include src)
# One version of every kernel: the choice among several is made before the sanitizer is set up.
target_compile_definitions(gnn-sanitized PUBLIC GNN_PORTABLE)
target_compile_options(gnn-sanitized PUBLIC -fPIC -O0 -g1 -Wall -Wextra -fno-omit-frame-pointer -fsanitize=${GNN_SANITIZE}
                       -fno-sanitize-recover=all)
target_link_options(gnn-sanitized PUBLIC -fsanitize=${GNN_SANITIZE})
# Without optimisation: the compiler needs about half the time, and the programs loop over little. Sources share the
# headers below, tests and drivers as well: they are compiled with the same options.
target_precompile_headers(gnn-sanitized PRIVATE <algorithm> <atomic> <bit> <chrono> <cmath> <deque> <functional> <map>
                          <memory> <mutex> <numeric> <span> <string> <thread> <unordered_map> <vector>
                          <gnn/error.h> <gnn/graph/graph_view.h> <gnn/runtime/parallel.h> <gnn/sparse/block_view.h>)
target_link_libraries(gnn-sanitized PUBLIC ${DNNL_LIBRARY} ${ZMQ_LIBRARY} OpenSSL::SSL Threads::Threads OpenMP::OpenMP_CXX)
