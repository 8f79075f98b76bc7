# nvcc 13 has no Volta (sm_70) any more. PTX of the newest lets GPUs to come compile it when they load it.
set(GPU_FLAGS -std=c++20 -O3 -compress-mode=size -I${NATIVE}/include -I${NATIVE}/src --threads 2 -Xcompiler=-Wall,-Wextra,-fPIC -Xptxas=-v)
# Each costs as much again: one is enough to see that nvcc takes the kernels and spills nothing.
set(GNN_GPU_ARCHITECTURES 90 CACHE STRING "GPUs to compile for, such as 75;80;86;89;90")
foreach(ARCHITECTURE ${GNN_GPU_ARCHITECTURES})
  list(APPEND GPU_FLAGS -gencode=arch=compute_${ARCHITECTURE},code=sm_${ARCHITECTURE})
endforeach()
list(APPEND GPU_FLAGS -gencode=arch=compute_90,code=compute_90)

set(GPU_OBJECTS ${CMAKE_CURRENT_BINARY_DIR}/gpu)
# ${GPU_OBJECTS}/NAME.o of these sources, taken as one.
function(compile_for_gpus NAME)
  set(FILE ${GPU_OBJECTS}/${NAME})
  list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"" OUTPUT_VARIABLE INCLUDED)
  list(JOIN INCLUDED "\n" INCLUDED)
  file(CONFIGURE OUTPUT ${FILE}.cu CONTENT "${INCLUDED}\n" @ONLY)
  add_custom_command(
    OUTPUT ${FILE}.o
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/compile-without-spills ${NVCC} ${GPU_FLAGS} -MD -MF ${FILE}.d -c ${FILE}.cu -o ${FILE}.o
    DEPENDS ${FILE}.cu ${CMAKE_CURRENT_SOURCE_DIR}/compile-without-spills
    DEPFILE ${FILE}.d
    VERBATIM)
endfunction()

# All kernels at once, so that their names differ: nvcc reads CUDA's headers anew for every GPU, which would be most of its
# work.
set(GPU_KERNELS ${GPU_OBJECTS}/kernels)
compile_for_gpus(kernels ${UNITS})

add_custom_target(gpu-kernels DEPENDS ${GPU_KERNELS}.o)

# nvcc may be a script that starts the real one: it says itself where its toolkit lies.
execute_process(COMMAND ${NVCC} --dryrun -c -x cu /dev/null OUTPUT_QUIET ERROR_VARIABLE DRY_RUN)
string(REGEX MATCH "#\\$ TOP=([^\n]*)" TOOLKIT "${DRY_RUN}")
set(TOOLKIT ${CMAKE_MATCH_1})
find_library(CUDART_STATIC cudart_static REQUIRED
             PATHS ${TOOLKIT}/lib64 ${TOOLKIT}/lib ${TOOLKIT}/targets/x86_64-linux/lib ${TOOLKIT}/targets/sbsa-linux/lib)
find_path(CUDA_HEADERS cuda_runtime_api.h REQUIRED
          PATHS ${TOOLKIT}/include ${TOOLKIT}/targets/x86_64-linux/include ${TOOLKIT}/targets/sbsa-linux/include)
file(GLOB CUDA_DRIVER CONFIGURE_DEPENDS ${NATIVE}/src/device/cuda/*.cc)
compile_for_gpus(failing-kernel ${CMAKE_CURRENT_SOURCE_DIR}/gpu/failing_kernel.cu)
add_executable(device-tests-gpu $<TARGET_OBJECTS:tests> $<TARGET_OBJECTS:device-common> gpu/kind.cc ${CUDA_DRIVER} ${GPU_KERNELS}.o
               ${GPU_OBJECTS}/failing-kernel.o)
set_up(device-tests-gpu -O0)
target_precompile_headers(device-tests-gpu REUSE_FROM tests)
target_include_directories(device-tests-gpu SYSTEM PRIVATE ${CUDA_HEADERS})
target_link_libraries(device-tests-gpu PRIVATE gnn-cpu ${CUDART_STATIC} rt dl)
add_dependencies(device-tests-gpu gpu-kernels)
