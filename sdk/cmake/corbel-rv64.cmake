# CMake toolchain file for the target:
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/lib/cmake/corbel/corbel-rv64.cmake ...
#
# corbel-rv32.cmake and corbel-rv64d.cmake are the other two targets.
set(CORBEL_TARGET_FLAGS "-march=rv64imafc -mabi=lp64f")
include("${CMAKE_CURRENT_LIST_DIR}/corbel-target.cmake")
