#!/bin/bash -eu
# SPDX-License-Identifier: GPL-2.0-or-later
exec "$SRC/ptediff/.clusterfuzzlite/build.sh"
