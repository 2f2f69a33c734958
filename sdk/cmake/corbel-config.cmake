# find_package(corbel): the target corbel::corbel, for programs to link with.
# Natively that is the headers and libcorbel-native; the compiler for the target
# has both.
if(TARGET corbel::corbel)
    return()
endif()
add_library(corbel::corbel INTERFACE IMPORTED)
if(NOT DEFINED CORBEL_TARGET_FLAGS)
    get_filename_component(corbel_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
    set_target_properties(corbel::corbel PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${corbel_prefix}/include"
        INTERFACE_COMPILE_OPTIONS "-ffp-contract=off;-pthread"
        INTERFACE_LINK_LIBRARIES "${corbel_prefix}/lib/libcorbel-native.a;-pthread;m")
endif()
