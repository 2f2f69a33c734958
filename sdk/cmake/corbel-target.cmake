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

# What ctest runs programs with. The chip, or --functional, is chosen by
# -DCORBEL_RUN_OPTIONS="--functional;-a;rtx2080".
set(CORBEL_RUN_OPTIONS "-a;rtx2080" CACHE STRING "options of sim-run in tests")
find_program(CORBEL_SIM_RUN sim-run HINTS "${corbel_bin}")
if(CORBEL_SIM_RUN)
    set(CMAKE_CROSSCOMPILING_EMULATOR "${CORBEL_SIM_RUN};--quiet;${CORBEL_RUN_OPTIONS}")
endif()

# find_package(corbel) finds the file beside this one.
set(corbel_DIR "${CMAKE_CURRENT_LIST_DIR}")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
