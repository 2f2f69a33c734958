# CMake toolchain file for the target:
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/lib/cmake/corbel/corbel-rv32.cmake ...
#
# corbel-rv64.cmake is the default target.
set(CORBEL_TARGET_FLAGS "-march=rv32imafc -mabi=ilp32f")
include("${CMAKE_CURRENT_LIST_DIR}/corbel-target.cmake")
