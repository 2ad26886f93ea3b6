# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernel trees: what scripts/kernel-tree extracted into PD_TREES, as implementations tree:NAME.
#
# For each group and arch there is PD_TREES/NAME/<op>/<arch>/impl.c, which takes the adapter of the
# group and the extracted text beside it, or says why this tree has nothing to test. It is compiled
# like any implementation, but the user's code is not held to our warnings. NAME+arch has an impl.c
# for implementations of ours, and below shim/<arch>/ the accessors that they are compiled with.

set(PD_TREES "${PROJECT_SOURCE_DIR}/build/trees" CACHE PATH "What scripts/kernel-tree extracted")

# Linked after pd_kernel, so that it comes last on the command line.
add_library(pd_tree INTERFACE)
target_compile_options(pd_tree INTERFACE -Wno-error
	-Wno-unused-function -Wno-unused-variable -Wno-unused-but-set-variable
	-Wno-undef -Wno-implicit-fallthrough -Wno-discarded-qualifiers -Wno-unknown-warning-option
	-Werror=implicit-function-declaration -Werror=implicit-int)

# pd_tree_symbol(<var> <tree>) - an identifier for the name of a tree, another one for each
function(pd_tree_symbol var tree)
	string(MAKE_C_IDENTIFIER "tree_${tree}" symbol)
	string(MD5 hash "${tree}")
	string(SUBSTRING "${hash}" 0 6 hash)
	set(${var} "${symbol}_${hash}" PARENT_SCOPE)
endfunction()

# pd_tree_target(<target> <folder>) - compile the code of the tree that <folder> belongs to
function(pd_tree_target target folder)
	file(READ "${folder}/tree.json" info)
	string(JSON path GET "${info}" path)
	target_compile_options(${target} PRIVATE "-fmacro-prefix-map=${path}/=")
	target_link_libraries(${target} PRIVATE pd_tree)
endfunction()

# pd_tree_accessors(<target> <arch> <folder>) - the accessors of tree NAME+arch come before ours
function(pd_tree_accessors target arch folder)
	target_include_directories(${target} BEFORE PRIVATE "${folder}/shim/${arch}"
		"${PROJECT_SOURCE_DIR}/model/shim/arch/${arch}/tree")
	pd_tree_target(${target} "${folder}")
endfunction()

# pd_tree_shim(<target> <arch> <folder>) - the shim on top of the accessors of tree NAME+arch. What
# is not inline comes from model/shim/arch/<arch>/tree/, in place of a file of the same name
function(pd_tree_shim target arch folder)
	pd_shim_sources(sources ${arch} "${PROJECT_SOURCE_DIR}")
	set(ours "${PROJECT_SOURCE_DIR}/model/shim/arch/${arch}")
	file(GLOB theirs CONFIGURE_DEPENDS RELATIVE "${ours}/tree" "${ours}/tree/*.c")
	foreach(file IN LISTS theirs)
		list(REMOVE_ITEM sources "${ours}/${file}")
		list(APPEND sources "${ours}/tree/${file}")
	endforeach()
	pd_kernel_objects(${target} ${arch} "${PROJECT_SOURCE_DIR}" ${sources})
	pd_tree_accessors(${target} ${arch} "${folder}")
endfunction()

# pd_tree_module(<var> <symbol> <arch> <folder>) - the module of a group on one arch
function(pd_tree_module var symbol arch folder)
	set(target pd_obj_${symbol})
	set(shim pd_shim_${arch})
	get_filename_component(tree "${folder}/../.." ABSOLUTE)
	pd_kernel_objects(${target} ${arch} "${PROJECT_SOURCE_DIR}" "${folder}/impl.c")
	target_include_directories(${target} BEFORE PRIVATE "${folder}")
	if(EXISTS "${tree}/shim/${arch}/accessors.inc")
		get_filename_component(name "${tree}" NAME)
		pd_tree_symbol(id "${name}")
		set(shim "pd_shim_${arch}_${id}")
		if(NOT TARGET ${shim})
			pd_tree_shim(${shim} ${arch} "${tree}")
		endif()
		pd_tree_accessors(${target} ${arch} "${tree}")
	else()
		pd_tree_target(${target} "${tree}")
	endif()
	if(EXISTS "${folder}/group.inc")
		set_property(SOURCE "${folder}/impl.c" APPEND PROPERTY
			OBJECT_DEPENDS "${folder}/group.inc")
	endif()
	pd_add_module(module ${arch} ${symbol} ${target} ${shim})
	set(${var} "${module}" PARENT_SCOPE)
endfunction()

# pd_tree_file(<var> <op> <folder>) - the file of ours that is compiled with the tree's code
function(pd_tree_file var op folder)
	file(READ "${folder}/../tree.json" info)
	string(JSON over ERROR_VARIABLE none GET "${info}" over ${op})
	if(NOT over MATCHES "NOTFOUND$")
		set(${var} "model/ops/${op}/${over}.c" PARENT_SCOPE)
	else()
		set(${var} "model/ops/${op}/tree/adapter.c" PARENT_SCOPE)
	endif()
endfunction()

# pd_add_tree_group(<folder>) - one group of one tree; extends `declarations`, `entries`, `modules`
# and `nr` of the caller
macro(pd_add_tree_group folder)
	get_filename_component(op "${folder}" NAME)
	get_filename_component(tree "${folder}" DIRECTORY)
	get_filename_component(tree "${tree}" NAME)
	pd_tree_file(file ${op} "${folder}")
	pd_tree_symbol(id "${tree}")
	foreach(arch IN LISTS PD_ARCHES)
		set(symbol_${arch} "impl_${arch}_${op}_${id}")
		pd_tree_module(module ${symbol_${arch}} ${arch} "${folder}/${arch}")
		list(APPEND modules "${module}")
	endforeach()
	file(READ "${folder}/../tree.json" info)
	string(JSON root GET "${info}" path)
	pd_registry_entry(${op} "tree:${tree}" "${file}" tree ${symbol_x86} ${symbol_arm64} "${root}")
	math(EXPR nr "${nr} + 1")
endmacro()

# pd_add_trees() - every group of every tree that is registered
macro(pd_add_trees)
	file(GLOB impls CONFIGURE_DEPENDS "${PD_TREES}/*/*/x86/impl.c")
	list(SORT impls)
	foreach(impl IN LISTS impls)
		get_filename_component(folder "${impl}" DIRECTORY)
		get_filename_component(folder "${folder}" DIRECTORY)
		get_filename_component(op "${folder}" NAME)
		if(EXISTS "${PROJECT_SOURCE_DIR}/model/ops/${op}/tree/adapter.c")
			pd_add_tree_group("${folder}")
		endif()
	endforeach()
endmacro()
