# What kernels for GPUs cost, for script/bench gpu and script/gpu-check. Included by test-device/CMakeLists.txt, whose
# compiled kernels it links:
#   device-bench      in the emulation: shows that it runs, measures nothing
#   device-bench-gpu  for GPUs, where nvcc is found
set(BENCH ${NATIVE}/bench-device)
file(GLOB BENCH_SOURCES CONFIGURE_DEPENDS ${BENCH}/*.cc)
set(READ_ROWS ${BENCH}/read_rows.cu)
set_source_files_properties(${READ_ROWS} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")

# Row sources, which the kernels of relations read, keep memory by it.
add_library(bench-measures OBJECT EXCLUDE_FROM_ALL ${BENCH_SOURCES} ${NATIVE}/src/runtime/memory.cc)
set_up(bench-measures -O2)

add_executable(device-bench EXCLUDE_FROM_ALL $<TARGET_OBJECTS:bench-measures> $<TARGET_OBJECTS:device-common>
               $<TARGET_OBJECTS:emulated-device> ${READ_ROWS})
set_up(device-bench -O1)
target_link_libraries(device-bench PRIVATE Threads::Threads ${CMAKE_DL_LIBS})

if(NVCC)
  compile_for_gpus(read-rows ${READ_ROWS})
  add_executable(device-bench-gpu EXCLUDE_FROM_ALL $<TARGET_OBJECTS:bench-measures> $<TARGET_OBJECTS:device-common>
                 ${CUDA_DRIVER} ${GPU_KERNELS}.o ${GPU_OBJECTS}/read-rows.o)
  set_up(device-bench-gpu -O1)
  target_include_directories(device-bench-gpu SYSTEM PRIVATE ${CUDA_HEADERS})
  target_link_libraries(device-bench-gpu PRIVATE ${CUDART_STATIC} rt Threads::Threads ${CMAKE_DL_LIBS})
  add_dependencies(device-bench-gpu gpu-kernels)
endif()
