# SPDX-License-Identifier: GPL-2.0-or-later
#
# Text files as strings in a program.

# pd_embed(<target> <symbol> <file>) - ``const char <symbol>[]`` with the text of <file>
function(pd_embed target symbol file)
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
	file(READ "${file}" text HEX)
	string(REGEX REPLACE "(..)" "0x\\1," text "${text}")
	set(source "${PROJECT_BINARY_DIR}/${symbol}.c")
	file(CONFIGURE OUTPUT "${source}" CONTENT
		"extern const char ${symbol}[];\nconst char ${symbol}[] = { ${text}0 };\n" @ONLY)
	target_sources(${target} PRIVATE "${source}")
endfunction()
