# Sourced by ./dealer and scripts/setup.

# quietly LOG LINES COMMAND…: runs the command with all its output in the file LOG, of which the function LINES shows on
# standard error how far it is. Returns 1 if the command failed.
quietly() {
  local log=$1 lines=$2 status=0
  shift 2
  "$@" 2>&1 </dev/null | tee "$log" | "$lines" || status=1
  return "$status"
}

# On a terminal one line that changes: the last one.
show_last() {
  local line
  if [[ ! -t 2 ]]; then
    cat >/dev/null
    return
  fi
  while IFS= read -r line; do
    printf '\r\033[K  %s' "${line:0:76}" >&2
  done
  printf '\r\033[K' >&2
}

# Of ninja with NINJA_STATUS='[%f/%t] ': how far it is and how long it will still take, if steps take as long as those
# before. On a terminal a line that counts; elsewhere a line at every quarter.
show_count() {
  local line step quarter=0 started=$SECONDS passed left
  while IFS= read -r line; do
    if [[ ! $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]] || ((BASH_REMATCH[1] == 0)); then continue; fi
    passed=$((SECONDS - started))
    left=$(((BASH_REMATCH[2] - BASH_REMATCH[1]) * passed / BASH_REMATCH[1]))
    step="step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} after ${passed} s, about ${left} s left"
    if [[ -t 2 ]]; then
      line=${BASH_REMATCH[3]}
      printf '\r\033[K  building: %s  %s' "$step" "${line:0:30}" >&2
    elif ((BASH_REMATCH[2] > 20 && 4 * BASH_REMATCH[1] / BASH_REMATCH[2] > quarter)); then
      quarter=$((4 * BASH_REMATCH[1] / BASH_REMATCH[2]))
      echo "dealer: building: $step" >&2
    fi
  done
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}
