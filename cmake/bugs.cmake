# SPDX-License-Identifier: GPL-2.0-or-later
#
# Bugs: model/bugs/<op>-<slug>.patch breaks one implementation, or the shim under it.
#
# The header of a patch names what it breaks:
#
#	Subject: one line
#	Implementation: batched_v6_18_nohint
#	Arch: both | x86 | arm64
#	Expect: <field>/<relation> | none
#
# Expect is the signature that is found first with seed 1, none for a change that breaks nothing
# (docs/bugs.md). There may be more such lines, for what other scenarios show. <op>-lie-<accessor> breaks an accessor of the shim, <op>-control-<slug> nothing.
#
# At build time the folder of the operation, and the shim when the patch touches it, are copied
# to bugs/<op>-<slug>/ in the build folder and patched there, without fuzz. That copy comes first
# in the include path of what is compiled for the bug; everything else is shared.

find_program(PD_PATCH NAMES patch REQUIRED)

# Compiling them is most of a build from scratch.
set(PD_BUGS "none" CACHE STRING "Which bugs: none, all, or a list of their names")

# pd_bug_header(<var> <patch> <key> <default>) - value of a header line; no default: required
function(pd_bug_header var patch key default)
	file(STRINGS "${patch}" lines REGEX "^${key}: ")
	list(LENGTH lines nr)
	if(nr EQUAL 0 AND default STREQUAL "")
		message(FATAL_ERROR "${patch}: no line '${key}: ...' in the header")
	elseif(nr EQUAL 0)
		set(value "${default}")
	else()
		list(GET lines 0 line)
		string(REGEX REPLACE "^${key}: *" "" value "${line}")
		string(STRIP "${value}" value)
	endif()
	set(${var} "${value}" PARENT_SCOPE)
endfunction()

# pd_bug_touches(<var> <patch> <op>) - the folders to copy: the op's, the shim when it is patched
function(pd_bug_touches var patch op)
	set(folders "model/ops/${op}")
	file(STRINGS "${patch}" lines REGEX "^\\+\\+\\+ ")
	foreach(line IN LISTS lines)
		if(line MATCHES "^\\+\\+\\+ b/model/shim/")
			list(APPEND folders model/shim)
		elseif(NOT line MATCHES "^\\+\\+\\+ b/model/ops/${op}/")
			message(FATAL_ERROR "${patch}: '${line}' is neither in "
				"b/model/ops/${op}/ nor in b/model/shim/")
		endif()
	endforeach()
	if(NOT lines)
		message(FATAL_ERROR "${patch}: no file is patched")
	endif()
	list(REMOVE_DUPLICATES folders)
	set(${var} ${folders} PARENT_SCOPE)
endfunction()

# pd_bug_copy(<root> <patch> <folders> <source>...) - the rule that makes the patched copy
function(pd_bug_copy root patch folders)
	set(originals "")
	foreach(folder IN LISTS folders)
		file(GLOB_RECURSE files CONFIGURE_DEPENDS
			"${PROJECT_SOURCE_DIR}/${folder}/*.[ch]")
		list(APPEND originals ${files})
	endforeach()
	get_filename_component(name "${patch}" NAME_WE)
	add_custom_command(OUTPUT ${ARGN}
		COMMAND "${CMAKE_COMMAND}"
			"-DSOURCE=${PROJECT_SOURCE_DIR}" "-DROOT=${root}"
			"-DPATCH=${patch}" "-DFOLDERS=${folders}" "-DPATCH_PROGRAM=${PD_PATCH}"
			-P "${PROJECT_SOURCE_DIR}/cmake/apply_bug.cmake"
		DEPENDS "${patch}" ${originals} "${PROJECT_SOURCE_DIR}/cmake/apply_bug.cmake"
		COMMENT "Bug ${name}"
		VERBATIM)
	add_custom_target(pd_bug_copy_${name} DEPENDS ${ARGN})
endfunction()

# pd_bug_module(<var> <name> <arch> <root> <source> <folders>) - the module of a bug on one arch
function(pd_bug_module var name arch root source folders)
	set(id ${arch}_bug_${name})
	set(sources "${root}/${source}")
	set(libraries pd_obj_${id})
	if("model/shim" IN_LIST folders)
		pd_shim_sources(shim ${arch} "${root}")
		list(APPEND sources ${shim})
	else()
		list(APPEND libraries pd_shim_${arch})
	endif()
	pd_kernel_objects(pd_obj_${id} ${arch} "${root}" ${sources})
	# The shim as one unit, nothing optimised: a fifth of the time to compile.
	set_target_properties(pd_obj_${id} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
	set_source_files_properties("${root}/${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
	target_compile_options(pd_obj_${id} PRIVATE -O0)
	add_dependencies(pd_obj_${id} pd_bug_copy_${name})
	string(MAKE_C_IDENTIFIER "impl_${id}" symbol)
	pd_add_module(module ${arch} ${symbol} ${libraries})
	set(${var} "${module}" PARENT_SCOPE)
endfunction()

# pd_add_bug(<patch>) - one bug; extends `declarations`, `entries`, `modules`, `nr` of the caller
macro(pd_add_bug patch)
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${patch}")
	get_filename_component(bug "${patch}" NAME_WE)
	string(REGEX REPLACE "-.*" "" op "${bug}")
	pd_bug_header(impl "${patch}" Implementation "")
	pd_bug_header(arches "${patch}" Arch both)
	pd_bug_header(expect "${patch}" Expect "")
	set(source "model/ops/${op}/${impl}.c")
	if(NOT EXISTS "${PROJECT_SOURCE_DIR}/${source}")
		message(FATAL_ERROR "${patch}: there is no ${source}")
	endif()
	if(NOT "${arches}" MATCHES "^(both|x86|arm64)$")
		message(FATAL_ERROR "${patch}: 'Arch: ${arches}': expected both, x86 or arm64")
	endif()

	pd_bug_touches(folders "${patch}" ${op})
	set(root "${PROJECT_BINARY_DIR}/bugs/${bug}")
	set(copied "${root}/${source}")
	if("model/shim" IN_LIST folders)
		foreach(arch IN LISTS PD_ARCHES)
			pd_shim_sources(shim ${arch} "${root}")
			list(APPEND copied ${shim})
		endforeach()
		list(REMOVE_DUPLICATES copied)
	endif()
	pd_bug_copy("${root}" "${patch}" "${folders}" ${copied})

	foreach(arch IN LISTS PD_ARCHES)
		if("${arches}" STREQUAL "both" OR "${arches}" STREQUAL "${arch}")
			pd_bug_module(module ${bug} ${arch} "${root}" "${source}" "${folders}")
			list(APPEND modules "${module}")
			string(MAKE_C_IDENTIFIER "impl_${arch}_bug_${bug}" symbol_${arch})
		else()
			set(symbol_${arch} pd_other_arch)
		endif()
	endforeach()
	pd_registry_entry(${op} "bug:${bug}" "${source}" bug ${symbol_x86} ${symbol_arm64})
	math(EXPR nr "${nr} + 1")
endmacro()

# pd_add_bugs() - the patches of model/bugs/ that PD_BUGS asks for, in alphabetical order
macro(pd_add_bugs)
	file(GLOB patches CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/model/bugs/*.patch")
	list(SORT patches)
	if(NOT PD_BUGS STREQUAL "all")
		set(patches "")
		if(NOT PD_BUGS STREQUAL "none")
			set(patches ${PD_BUGS})
			list(TRANSFORM patches REPLACE ".+" "${PROJECT_SOURCE_DIR}/model/bugs/\\0.patch")
		endif()
	endif()
	foreach(patch IN LISTS patches)
		if(NOT EXISTS "${patch}")
			message(FATAL_ERROR "PD_BUGS: there is no ${patch}")
		endif()
		pd_add_bug("${patch}")
	endforeach()
endmacro()
