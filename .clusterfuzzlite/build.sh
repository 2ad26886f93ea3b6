#!/bin/bash -eu
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Fuzz targets for ClusterFuzzLite and OSS-Fuzz, into $OUT: for each operation, for the mix of all
# and for the harness's own decoder and parser a program, its seeds, dictionary and options.
#
# The flags of the environment decide on engine and sanitizer: $CC $CXX $CFLAGS $CXXFLAGS
# $LIB_FUZZING_ENGINE $SRC $OUT, $WORK for what is left of the build. $PTEDIFF_BUGS, names of
# model/bugs/ separated by semicolons, is for scripts/oss-fuzz-check.

: "${SANITIZER:=address}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}" "${CXXFLAGS:=$CFLAGS}"
source=$SRC/ptediff
build=${WORK:-$(mktemp -d)}/ptediff-$SANITIZER

cmake -S "$source" -B "$build" -G Ninja \
	-DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
	-DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_CXX_FLAGS="$CXXFLAGS" \
	-DPD_ENGINE=external -DPD_ENGINE_LINK="$LIB_FUZZING_ENGINE" \
	-DPD_XXHASH_INLINE=ON -DPD_WERROR=OFF -DPD_BUGS="${PTEDIFF_BUGS:-none}"
cmake --build "$build" --target fuzz

# pack TARGET DICTIONARY MAX-LENGTH SEED...
pack()
{
	local target=$1 dictionary=$2 length=$3
	shift 3
	cp "$build/$target" "$OUT/$target"
	cp "$build/$dictionary" "$OUT/$target.dict"
	printf '[libfuzzer]\nmax_len = %s\ndict = %s.dict\nentropic = 0\n' "$length" "$target" \
		>"$OUT/$target.options"
	(cd "$(dirname "$1")" &&
	 cmake -E tar cf "$OUT/${target}_seed_corpus.zip" --format=zip "${@##*/}")
}

everything=$build/seeds-all
for folder in "$source"/corpus/seeds/*/; do
	op=$(basename "$folder")
	"$build/seeds" "$build/seeds-$op" "$folder"*.pte
	"$build/seeds" "$everything" "$folder"*.pte
	pack "fuzz_$op" ptediff.dict 1024 "$build/seeds-$op"/*
done
pack fuzz_all ptediff.dict 1024 "$everything"/*
pack fuzz_bytes ptediff.dict 1024 "$everything"/*
pack fuzz_text ptediff-text.dict 4096 "$source"/corpus/regress/*.pte
