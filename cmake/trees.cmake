# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernel trees: what scripts/kernel-tree extracted into PD_TREES, as implementations tree:NAME.
#
# For each group and arch there is PD_TREES/NAME/<op>/<arch>/impl.c, which takes the adapter of the
# group and the extracted text beside it, or says why this tree has nothing to test. It is compiled
# like any implementation, but the user's code is not held to our warnings.

set(PD_TREES "${PROJECT_SOURCE_DIR}/build/trees" CACHE PATH "What scripts/kernel-tree extracted")

# Linked after pd_kernel, so that it comes last on the command line.
add_library(pd_tree INTERFACE)
target_compile_options(pd_tree INTERFACE -Wno-error
	-Wno-unused-function -Wno-unused-variable -Wno-unused-but-set-variable
	-Wno-undef -Wno-implicit-fallthrough
	-Werror=implicit-function-declaration -Werror=implicit-int)

# pd_tree_module(<var> <symbol> <arch> <folder>) - the module of a group on one arch
function(pd_tree_module var symbol arch folder)
	set(target pd_obj_${symbol})
	pd_kernel_objects(${target} ${arch} "${PROJECT_SOURCE_DIR}" "${folder}/impl.c")
	target_include_directories(${target} BEFORE PRIVATE "${folder}")
	target_link_libraries(${target} PRIVATE pd_tree)
	if(EXISTS "${folder}/group.inc")
		file(READ "${folder}/../../tree.json" info)
		string(JSON path GET "${info}" path)
		target_compile_options(${target} PRIVATE "-fmacro-prefix-map=${path}/=")
		set_property(SOURCE "${folder}/impl.c" APPEND PROPERTY
			OBJECT_DEPENDS "${folder}/group.inc")
	endif()
	pd_add_module(module ${arch} ${symbol} ${target} pd_shim_${arch})
	set(${var} "${module}" PARENT_SCOPE)
endfunction()

# pd_add_tree_group(<folder>) - one group of one tree; extends `declarations`, `entries`, `modules`
# and `nr` of the caller
macro(pd_add_tree_group folder)
	get_filename_component(op "${folder}" NAME)
	get_filename_component(tree "${folder}" DIRECTORY)
	get_filename_component(tree "${tree}" NAME)
	foreach(arch IN LISTS PD_ARCHES)
		string(MAKE_C_IDENTIFIER "impl_${arch}_${op}_tree_${tree}" symbol_${arch})
		pd_tree_module(module ${symbol_${arch}} ${arch} "${folder}/${arch}")
		list(APPEND modules "${module}")
	endforeach()
	file(READ "${folder}/../tree.json" info)
	string(JSON root GET "${info}" path)
	pd_registry_entry(${op} "tree:${tree}" "model/ops/${op}/tree/adapter.c" tree
		${symbol_x86} ${symbol_arm64} "${root}")
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
