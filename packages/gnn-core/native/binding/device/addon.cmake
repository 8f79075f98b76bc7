# The addon for GPUs: the bindings of ../ that call kernels, compiled for arrays that lie on a device, and those of this
# folder. Included by test-device/CMakeLists.txt, whose compiled kernels it links, for script/build-cuda:
#   hopwise-cuda-emulated.node  the kernels in the emulation, for tests
#   hopwise-cuda.node           for GPUs, where nvcc is found
set(BINDING ${NATIVE}/binding)
set(SHARED_BINDINGS appnp dense gat gin head head_products k_vs_all loss message_passing nn norm relation sparse)
list(TRANSFORM SHARED_BINDINGS REPLACE "(.+)" "${BINDING}/\\1_binding.cc")
file(GLOB DEVICE_BINDINGS CONFIGURE_DEPENDS ${BINDING}/device/*.cc)
list(FILTER DEVICE_BINDINGS EXCLUDE REGEX "/emulation_binding\\.cc$")
add_library(device-binding OBJECT ${SHARED_BINDINGS} ${DEVICE_BINDINGS} ${BINDING}/addon.cc ${BINDING}/signature.cc)
target_include_directories(device-binding PUBLIC ${NATIVE}/include ${BINDING} ${NODE_INCLUDE_DIR} ${NODE_ADDON_API_DIR})
target_compile_definitions(device-binding PUBLIC HOPWISE_DEVICE NAPI_VERSION=8 NAPI_CPP_EXCEPTIONS)
target_compile_options(device-binding PRIVATE -O1 -Wall -Wextra)
target_precompile_headers(device-binding PRIVATE <napi.h>)
set_target_properties(device-binding PROPERTIES POSITION_INDEPENDENT_CODE ON)

function(add_device_addon NAME)
  add_library(${NAME} SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:device-binding> ${ARGN})
  set_target_properties(${NAME} PROPERTIES PREFIX "" SUFFIX ".node" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/linked)
  # One addon's C++ symbols must not take the place of another's in the same process.
  target_link_options(${NAME} PRIVATE -Wl,-Bsymbolic)
endfunction()

add_device_addon(hopwise-cuda-emulated $<TARGET_OBJECTS:device-common> $<TARGET_OBJECTS:emulated-device> ${BINDING}/device/emulation_binding.cc)
target_include_directories(hopwise-cuda-emulated PRIVATE ${NATIVE}/include ${BINDING} ${NODE_INCLUDE_DIR} ${NODE_ADDON_API_DIR})
target_compile_definitions(hopwise-cuda-emulated PRIVATE HOPWISE_DEVICE NAPI_VERSION=8 NAPI_CPP_EXCEPTIONS NODE_GYP_MODULE_NAME=hopwise_cuda_emulated)

if(NVCC)
  add_device_addon(hopwise-cuda $<TARGET_OBJECTS:device-common> ${CUDA_DRIVER} ${GPU_KERNELS}.o)
  add_dependencies(hopwise-cuda gpu-kernels)
  target_include_directories(hopwise-cuda PRIVATE ${NATIVE}/include)
  target_include_directories(hopwise-cuda SYSTEM PRIVATE ${CUDA_HEADERS})
  target_link_libraries(hopwise-cuda PRIVATE ${CUDART_STATIC} rt dl Threads::Threads)
endif()
