# What the three toolchain files share. The compilers are looked for beside the
# installation that this file is part of, then in PATH.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv)

set(corbel_bin "${CMAKE_CURRENT_LIST_DIR}/../../../bin")
foreach(tool gcc g++ ar ranlib objdump)
    string(TOUPPER "CORBEL_${tool}" variable)
    string(REPLACE "+" "X" variable "${variable}")
    find_program(${variable} "corbel-${tool}" HINTS "${corbel_bin}" REQUIRED)
endforeach()

set(CMAKE_C_COMPILER "${CORBEL_GCC}")
set(CMAKE_CXX_COMPILER "${CORBEL_GXX}")
set(CMAKE_ASM_COMPILER "${CORBEL_GCC}")
set(CMAKE_AR "${CORBEL_AR}")
set(CMAKE_RANLIB "${CORBEL_RANLIB}")
set(CMAKE_C_FLAGS_INIT "${CORBEL_TARGET_FLAGS}")
set(CMAKE_CXX_FLAGS_INIT "${CORBEL_TARGET_FLAGS}")
set(CMAKE_ASM_FLAGS_INIT "${CORBEL_TARGET_FLAGS}")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
