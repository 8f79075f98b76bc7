#!/usr/bin/env bash
# gpu-pack.sh FILE.tar.xz: packs what script/gpu-check runs, with Node and every library but those of C and C++, for a
# machine of the same processor kind that has neither. Nothing in it needs a GPU to be built.
set -euo pipefail
cd "$(dirname "$0")/../.."
file=$1
command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] ||
  { echo "gpu-check: there is no nvcc here, which compiles what is packed (it comes with NVIDIA's CUDA toolkit)." >&2; exit 1; }
node_modules/.bin/tsc -b packages/gnn-core
script/build-cuda --gpu --bench --tests

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to=$work/gpu-check
engine=$to/packages/gnn-core
tests=packages/gnn-core/build/device/test-device
mkdir -p "$to/lib" "$engine/build/device/test-device" "$to/benchmarks/gpu"

# Programs that were compiled here name files below a folder whose place is only known there.
node script/lib/gpu-programs.mjs "$to/programs" /unpacked
cat >"$to/run" <<'RUN'
#!/usr/bin/env bash
# run --out DIR [OPTION]…: as script/gpu-check
cd "$(dirname "$0")"
sed -i "s#/unpacked/#$PWD/#g" programs/*.mjs
export LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
if ! ./node --version >/dev/null; then
  echo "gpu-check: Node does not start here; the kernels' tests run without it." >&2
  exec packages/gnn-core/build/device/test-device/device-tests-gpu
fi
exec ./node programs/check.mjs "$@"
RUN
chmod +x "$to/run"

cp "$(node -p process.execPath)" "$to/node"
cp packages/gnn-core/build/{hopwise.node,hopwise-cuda.node,hopwise-devices} "$engine/build/"
cp "$tests"/{device-tests-gpu,device-bench-gpu} "$engine/build/device/test-device/"
# What they are linked with, but for the C and C++ libraries, which must be those of the machine's own loader.
ldd packages/gnn-core/build/hopwise.node "$tests/device-tests-gpu" | awk '$3 ~ /^\// { print $3 }' | sort -u |
  grep -Ev '/(libc|libm|libpthread|libdl|librt|libresolv|libstdc\+\+|libgcc_s)\.so' | xargs -I{} cp -L {} "$to/lib/"
find "$to" -type f \( -name node -o -name '*.node' -o -name '*.so*' -o -path '*/test-device/*' \) -exec strip --strip-unneeded {} +

cp packages/gnn-core/package.json "$engine/"
cp -r packages/gnn-core/{dist,generated} "$engine/"
find "$engine/dist" \( -name '*.map' -o -name '*.d.ts' -o -name '.tsbuildinfo' \) -delete
cp benchmarks/gpu/pyg.py "$to/benchmarks/gpu/"
node script/lib/copy-packages.mjs "$to/node_modules" @tensorflow/tfjs-core @tensorflow/tfjs-backend-cpu zod fflate

XZ_OPT=-6 tar -cJf "$file" -C "$work" gpu-check
du -sh --apparent-size "$to" "$file"
