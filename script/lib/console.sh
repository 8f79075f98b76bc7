# Shared by the scripts: one-line progress, quiet commands whose output appears only when they fail.

say() { printf '\033[2m·\033[0m %s\n' "$*" >&2; }

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# Runs a command; shows what it printed only when it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  if [ $status -ne 0 ]; then
    cat "$log" >&2
    printf 'failed (exit %d): %s\n' "$status" "$*" >&2
  fi
  rm -f "$log"
  return $status
}
