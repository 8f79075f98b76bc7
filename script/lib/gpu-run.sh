#!/usr/bin/env bash
# run --out DIR [OPTION]…: as script/gpu-check, from where gpu-pack.sh's file was unpacked.
# run accuracy [OPTION]…: as script/bench accuracy, with what was packed for it.
from=$PWD out=$PWD options=() accuracy=
[ "${1:-}" != accuracy ] || accuracy=1
if [ -n "$accuracy" ]; then
  shift
  options=("$@")
else
  while [ $# -gt 0 ]; do
    if [ "$1" = --out ]; then
      case $2 in /*) out=$2 ;; *) out=$PWD/$2 ;; esac
      shift
    else
      options+=("$1")
    fi
    shift
  done
fi
cd "$(dirname "$0")" || exit
here=$PWD
sed -i "s#/unpacked/#$here/#g" programs/*.mjs
. ./nvidia-libraries.sh
export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
why=$(./node --version 2>&1 >/dev/null) || {
  export LD_LIBRARY_PATH=$here/lib-c++:$LD_LIBRARY_PATH
  ./node --version >/dev/null 2>&1 || {
    echo "gpu-check: Node does not start here: $why" >&2
    [ -z "$accuracy" ] || exit 1
    echo "gpu-check: the kernels' tests run without it, and their results are in $out/kernels.txt." >&2
    mkdir -p "$out"
    packages/gnn-core/build/device/test-device/device-tests-gpu 2>&1 | tee "$out/kernels.txt"
    exit "${PIPESTATUS[0]}"
  }
}
if [ -n "$accuracy" ]; then
  cd "$from" || exit
  exec "$here/node" "$here/programs/accuracy.mjs" --artifacts "$here/artifacts" ${options[@]+"${options[@]}"}
fi
exec ./node programs/check.mjs --out "$out" ${options[@]+"${options[@]}"}
