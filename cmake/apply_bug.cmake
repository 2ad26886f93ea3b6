# SPDX-License-Identifier: GPL-2.0-or-later
#
# Copy FOLDERS from SOURCE to ROOT and apply PATCH there: run by cmake/bugs.cmake at build time.

file(REMOVE_RECURSE "${ROOT}")
foreach(folder IN LISTS FOLDERS)
	get_filename_component(parent "${ROOT}/${folder}" DIRECTORY)
	file(COPY "${SOURCE}/${folder}" DESTINATION "${parent}" NO_SOURCE_PERMISSIONS)
endforeach()

execute_process(
	COMMAND "${PATCH_PROGRAM}" -p1 --fuzz=0 --batch --forward --no-backup-if-mismatch
		--reject-file=- -i "${PATCH}"
	WORKING_DIRECTORY "${ROOT}"
	OUTPUT_VARIABLE output ERROR_VARIABLE output
	RESULT_VARIABLE result)
if(NOT result EQUAL 0)
	file(REMOVE_RECURSE "${ROOT}")
	message(FATAL_ERROR "${PATCH} no longer applies: bring it up to date\n${output}")
endif()
file(GLOB_RECURSE copied "${ROOT}/*.[ch]")
file(TOUCH_NOCREATE ${copied})
