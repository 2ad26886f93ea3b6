# SPDX-License-Identifier: GPL-2.0-or-later
#
# Write HEADER, which defines PD_COMMIT, from the git repository at SOURCE: run at every build,
# changes the file only when the commit did.

cmake_minimum_required(VERSION 3.25)

set(commit "unknown")
find_program(GIT NAMES git)
if(GIT)
	execute_process(COMMAND "${GIT}" -C "${SOURCE}" describe --always --dirty --abbrev=12
		OUTPUT_VARIABLE output ERROR_QUIET RESULT_VARIABLE result
		OUTPUT_STRIP_TRAILING_WHITESPACE)
	if(result EQUAL 0)
		set(commit "${output}")
	endif()
endif()
file(CONFIGURE OUTPUT "${HEADER}" @ONLY CONTENT "#define PD_COMMIT \"@commit@\"\n")
