# SPDX-License-Identifier: GPL-2.0-or-later
#
# A module: one implementation for one arch, as one object file that exports one symbol.
#
# The implementation and the shim are compiled with the kernel's warnings against the headers of
# the arch, linked with `ld -r`, and every global symbol but the one of the implementation is
# made local with objcopy. So both arches, any number of implementations and any number of
# broken shims live in one program under the same kernel names.
#
# GNU binutils are used under every compiler: llvm-objcopy 14 looks for the symbol to keep under
# its old name. Sanitizers and coverage survive: their sections are only concatenated.

set(PD_ARCHES x86 arm64)

find_program(PD_LD NAMES ld.bfd ld REQUIRED)
find_program(PD_OBJCOPY NAMES objcopy REQUIRED)

# pd_shim_sources(<var> <arch> <root>) - the shim's sources under <root>, a copy or the original.
#
# The list is taken from the original, because a copy is made only at build time.
function(pd_shim_sources var arch root)
	file(GLOB sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
		"${PROJECT_SOURCE_DIR}/model/shim/*.c"
		"${PROJECT_SOURCE_DIR}/model/shim/arch/${arch}/*.c")
	list(TRANSFORM sources PREPEND "${root}/")
	set(${var} ${sources} PARENT_SCOPE)
endfunction()

# pd_kernel_objects(<target> <arch> <root> <source>...) - an object library of kernel code
#
# Headers are taken from below <root> first, from the repository after it.
function(pd_kernel_objects target arch root)
	add_library(${target} OBJECT ${ARGN})
	target_link_libraries(${target} PRIVATE pd_kernel)
	target_include_directories(${target} PRIVATE
		"${root}/model/shim/arch/${arch}/include"
		"${root}/model/shim/include"
		"${root}"
		"${PROJECT_SOURCE_DIR}/model/shim/arch/${arch}/include"
		"${PROJECT_SOURCE_DIR}/model/shim/include"
		"${PROJECT_SOURCE_DIR}")
endfunction()

# pd_add_module(<var> <arch> <symbol> <object library>...) - link a module
#
# @var: receives the object file
# @symbol: the name under which `impl` is exported
function(pd_add_module var arch symbol)
	set(objects "")
	foreach(library IN LISTS ARGN)
		list(APPEND objects "$<TARGET_OBJECTS:${library}>")
	endforeach()
	set(module "${PROJECT_BINARY_DIR}/modules/${symbol}.o")
	add_custom_command(OUTPUT "${module}"
		COMMAND "${PD_LD}" -r -o "${module}.linked" ${objects}
		COMMAND "${PD_OBJCOPY}" --redefine-sym "impl=${symbol}"
			"--keep-global-symbol=${symbol}" "${module}.linked" "${module}"
		COMMAND "${CMAKE_COMMAND}" -E rm "${module}.linked"
		DEPENDS ${objects}
		COMMENT "Module ${symbol}"
		COMMAND_EXPAND_LISTS VERBATIM)
	set(${var} "${module}" PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/modules")
foreach(arch IN LISTS PD_ARCHES)
	pd_shim_sources(sources ${arch} "${PROJECT_SOURCE_DIR}")
	pd_kernel_objects(pd_shim_${arch} ${arch} "${PROJECT_SOURCE_DIR}" ${sources})
endforeach()
