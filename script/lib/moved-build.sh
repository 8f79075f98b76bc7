# Sourced: lets a checkout be moved or copied with what it has built.

# forget_moved_build FOLDER: CMake refuses a build that was configured in another folder. What it remembers of that is
# removed, so that all is compiled anew.
forget_moved_build() {
  local made_in
  [ -f "$1/CMakeCache.txt" ] || return 0
  made_in=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$1/CMakeCache.txt")
  [ "$made_in" -ef "$1" ] || rm -rf "$1/CMakeCache.txt" "$1/CMakeFiles"
}
