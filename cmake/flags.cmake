# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compiler flags, as interface libraries to link with.
#
#   pd_own		our code: warnings, sanitizers, includes from the top of the repository
#   pd_kernel		code under test: the warnings of a kernel build, sanitizers, coverage
#   pd_coverage		coverage for the engine, on libraries only
#   pd_program		programs that are not a fuzz target
#   pd_fuzz_program	programs that the engine drives

set(PD_ENGINE "none" CACHE STRING "none, libfuzzer, afl, or external: what PD_ENGINE_LINK says")
set(PD_ENGINE_LINK "" CACHE STRING "External engine: what fuzz targets are linked with")
set(PD_SANITIZE "" CACHE STRING "Sanitizers, as in -fsanitize=")
option(PD_TRACE_CMP "libFuzzer: trace comparisons (2.5 times slower)" OFF)
option(PD_WERROR "Warnings are errors" ON)
set_property(CACHE PD_ENGINE PROPERTY STRINGS none libfuzzer afl external)
option(PD_XXHASH_INLINE "xxHash as a header: MemorySanitizer has to see what it does" OFF)

if(NOT PD_ENGINE MATCHES "^(none|libfuzzer|afl|external)$")
	message(FATAL_ERROR "PD_ENGINE is '${PD_ENGINE}': "
		"expected none, libfuzzer, afl or external")
endif()
if(PD_ENGINE STREQUAL "libfuzzer" AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
	message(FATAL_ERROR "PD_ENGINE=libfuzzer needs clang, this is ${CMAKE_C_COMPILER}")
endif()
if(PD_ENGINE STREQUAL "afl" AND NOT CMAKE_C_COMPILER MATCHES "afl-clang")
	message(FATAL_ERROR "PD_ENGINE=afl needs afl-clang-fast, this is ${CMAKE_C_COMPILER}")
endif()

add_library(pd_sanitize INTERFACE)
if(PD_SANITIZE)
	set(sanitize "-fsanitize=${PD_SANITIZE}" -fno-sanitize-recover=all)
	target_compile_options(pd_sanitize INTERFACE ${sanitize})
	target_link_options(pd_sanitize INTERFACE ${sanitize})
endif()

set(werror "")
if(PD_WERROR)
	set(werror -Werror)
endif()

add_library(pd_warnings INTERFACE)
target_compile_options(pd_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion ${werror})

add_library(pd_own INTERFACE)
target_link_libraries(pd_own INTERFACE pd_warnings pd_sanitize)
target_include_directories(pd_own INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(pd_own INTERFACE _GNU_SOURCE)

add_library(pd_coverage INTERFACE)
set(no_engine "")
if(PD_ENGINE STREQUAL "libfuzzer")
	set(no_engine -fsanitize=fuzzer-no-link)
	target_compile_options(pd_coverage INTERFACE ${no_engine})
	if(NOT PD_TRACE_CMP)
		target_compile_options(pd_coverage INTERFACE -fno-sanitize-coverage=trace-cmp)
	endif()
endif()

add_library(pd_kernel INTERFACE)
target_link_libraries(pd_kernel INTERFACE pd_sanitize pd_coverage)
target_compile_options(pd_kernel INTERFACE
	-Wall -Wundef -Wimplicit-fallthrough -Wno-sign-compare
	-Werror=implicit-function-declaration -Werror=implicit-int -Werror=return-type
	-fno-strict-aliasing -fno-delete-null-pointer-checks
	"-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=" ${werror})

add_library(pd_program INTERFACE)
target_link_options(pd_program INTERFACE ${no_engine})

add_library(pd_fuzz_program INTERFACE)
if(PD_ENGINE STREQUAL "external")
	# Its library may be C++.
	enable_language(CXX)
	separate_arguments(engine_link UNIX_COMMAND "${PD_ENGINE_LINK}")
	target_link_libraries(pd_fuzz_program INTERFACE ${engine_link})
elseif(NOT PD_ENGINE STREQUAL "none")
	target_link_options(pd_fuzz_program INTERFACE -fsanitize=fuzzer)
endif()

# pd_add_build_info(<target> <source>) - PD_VERSION, PD_PRESET and PD_COMMIT, for --version
function(pd_add_build_info target source)
	get_filename_component(preset "${PROJECT_BINARY_DIR}" NAME)
	target_compile_definitions(${target} PRIVATE
		"PD_VERSION=\"${PROJECT_VERSION}\"" "PD_PRESET=\"${preset}\"")
	set(header "${PROJECT_BINARY_DIR}/commit.h")
	add_custom_target(pd_commit
		COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DHEADER=${header}"
			-P "${PROJECT_SOURCE_DIR}/cmake/commit.cmake"
		BYPRODUCTS "${header}" VERBATIM)
	add_dependencies(${target} pd_commit)
	set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS -include "${header}")
endfunction()
