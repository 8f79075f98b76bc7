#!/usr/bin/env bash
# gpu-pack.sh FILE.tar[.xz] [--emulated] [--built] [--accuracy OPTION…]: packs what script/gpu-check runs, with Node and
# every library, for a machine of the same processor kind that has neither. Nothing in it needs a GPU to be built. With
# --emulated the programs are those of the emulation, which need no nvcc: what is packed can then be tried where there
# is no GPU. --built takes the build as it is. Behind --accuracy stand options of `script/bench accuracy`: it is packed
# too, with what these trainings read, so that no data set is needed there.
set -euo pipefail
cd "$(dirname "$0")/../.."
file=$1 emulated='' built='' accuracy=''
shift
while [ $# -gt 0 ] && [ -z "$accuracy" ]; do
  case $1 in
    --emulated) emulated=1 ;;
    --built) built=1 ;;
    --accuracy) accuracy=1 ;;
    *) echo "gpu-check: pack has no option $1." >&2 && exit 2 ;;
  esac
  shift
done
if [ -z "$emulated" ] && ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
  echo "gpu-check: there is no nvcc here, which compiles what is packed (it comes with NVIDIA's CUDA toolkit)." >&2
  exit 1
fi
addon=hopwise-cuda programs=(device-tests-gpu device-bench-gpu) build=(--gpu --bench --tests)
[ -z "$emulated" ] || addon=hopwise-cuda-emulated programs=(device-bench) build=(--bench --nccl-double)
if [ -z "$built" ]; then
  node_modules/.bin/tsc -b packages/gnn-core
  script/build-cuda "${build[@]}"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to=$work/gpu-check
engine=$to/packages/gnn-core
tests=packages/gnn-core/build/device/test-device
mkdir -p "$to/lib" "$to/lib-c++" "$engine/build/device/test-device" "$to/benchmarks/gpu"

# Programs that were compiled here name files below a folder whose place is only known there.
node script/lib/gpu-programs.mjs "$to/programs" /unpacked
if [ -n "$accuracy" ]; then
  node "$(node script/lib/compile-program.mjs benchmarks/accuracy/ours.ts)" "$@" \
    --artifacts "$to/artifacts" --prepare >/dev/null
fi
cp script/lib/nvidia-libraries.sh script/lib/gpu-run.sh "$to/"
mv "$to/gpu-run.sh" "$to/run"

cp "$(node -p process.execPath)" "$to/node"
cp packages/gnn-core/build/{hopwise.node,$addon.node,hopwise-devices} "$engine/build/"
cp "${programs[@]/#/$tests/}" "$tests"/*-double.so "$engine/build/device/test-device/"
# What they are linked with. The C library must be that of the machine's own loader, that of C++ may be.
ldd "$to/node" packages/gnn-core/build/hopwise.node "${programs[@]/#/$tests/}" | awk '$3 ~ /^\// { print $3 }' | sort -u |
  grep -Ev '/(libc|libm|libpthread|libdl|librt|libresolv)\.so' | xargs -I{} cp -L {} "$to/lib/"
mv "$to"/lib/lib{stdc++,gcc_s}.so.* "$to/lib-c++/"
find "$to" -type f \( -name node -o -name '*.node' -o -name '*.so*' -o -path '*/test-device/*' \) -exec strip --strip-unneeded {} +

cp packages/gnn-core/package.json "$engine/"
cp -r packages/gnn-core/{dist,generated} "$engine/"
find "$engine/dist" \( -name '*.map' -o -name '*.d.ts' -o -name '.tsbuildinfo' \) -delete
cp benchmarks/gpu/pyg.py "$to/benchmarks/gpu/"
node script/lib/copy-packages.mjs "$to/node_modules" @tensorflow/tfjs-core @tensorflow/tfjs-backend-cpu zod fflate

XZ_OPT='-6 -T0' tar --auto-compress -cf "$file" -C "$work" gpu-check
du -sh --apparent-size "$to" "$file"
