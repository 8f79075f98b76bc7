# Sourced: builds the native kernels with AddressSanitizer and UndefinedBehaviorSanitizer, with the programs that run
# them. `build_sanitized NAME TARGET…` leaves the folder of the build in $sanitized; where the compiler has no sanitizers
# it says so under that name and ends the script as skipped.
. script/lib/moved-build.sh
sanitized=packages/gnn-core/build/sanitized

build_sanitized() {
  local name=$1 compiler=${CXX:-c++} step
  shift
  if ! echo 'int main() {}' | "$compiler" -fsanitize=address,undefined -x c++ - -o /dev/null 2>/dev/null; then
    echo "$name: skipped: $compiler links no sanitizers here (they come with g++)."
    exit 0
  fi
  mkdir -p "$sanitized"
  # One at a time: both programs are made in the same folder.
  exec 9>"$sanitized/lock"
  flock 9
  forget_moved_build "$sanitized"
  for step in "cmake -S packages/gnn-core/native -B $sanitized -DGNN_SANITIZE=address,undefined" \
    "cmake --build $sanitized --parallel $(nproc) --target $*"; do
    if ! $step >"$sanitized/build.log" 2>&1; then
      cat "$sanitized/build.log" >&2
      exit 1
    fi
  done
  exec 9>&-
}
