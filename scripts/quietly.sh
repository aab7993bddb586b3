# Sourced by ./dealer and scripts/setup.

# quietly LOG COMMAND…: runs the command with all its output in the file LOG; on a terminal one changing line shows how
# far it is. Returns 1 if the command failed.
quietly() {
  local log=$1 status=0
  shift
  if [[ -t 2 ]]; then
    "$@" 2>&1 </dev/null | tee "$log" | while IFS= read -r line; do
      printf '\r\033[K  %s' "${line:0:100}" >&2
    done || status=1
    printf '\r\033[K' >&2
  else
    "$@" >"$log" 2>&1 </dev/null || status=1
  fi
  return "$status"
}
