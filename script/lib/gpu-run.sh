#!/usr/bin/env bash
# run --out DIR [OPTION]…: as script/gpu-check, from where gpu-pack.sh's file was unpacked.
out=$PWD options=()
while [ $# -gt 0 ]; do
  if [ "$1" = --out ]; then
    case $2 in /*) out=$2 ;; *) out=$PWD/$2 ;; esac
    shift
  else
    options+=("$1")
  fi
  shift
done
cd "$(dirname "$0")" || exit
sed -i "s#/unpacked/#$PWD/#g" programs/*.mjs
. ./nvidia-libraries.sh
export LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
why=$(./node --version 2>&1 >/dev/null) || {
  export LD_LIBRARY_PATH=$PWD/lib-c++:$LD_LIBRARY_PATH
  ./node --version >/dev/null 2>&1 || {
    echo "gpu-check: Node does not start here: $why" >&2
    echo "gpu-check: the kernels' tests run without it, and their results are in $out/kernels.txt." >&2
    mkdir -p "$out"
    packages/gnn-core/build/device/test-device/device-tests-gpu 2>&1 | tee "$out/kernels.txt"
    exit "${PIPESTATUS[0]}"
  }
}
exec ./node programs/check.mjs --out "$out" ${options[@]+"${options[@]}"}
