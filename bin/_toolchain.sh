# Brings to the machine what the project needs: Node, npm packages, system programs. Sourced by bin/phlix, bin/quickstart and
# bin/test, which set $project first. Every step looks before it acts and needs no network once its result is there.
# shellcheck shell=sh

: "${project:?set by the script that sources this}"
node_version=24.21.0
npm_version=11.21.2
tools=$project/.tools
setup_log=$project/.cache/setup.log

# What they take on the disk, and room for what npm unpacks on the way.
node_mebibytes=250
packages_mebibytes=500

# Without these an npm that reaches no server is silent for minutes. Each request of npm is tried three times for a minute at most.
npm_limits='--fetch-retries=2 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 --fetch-timeout=60000'

# How long one run of npm may take on a slow line.
npm_seconds=1800

# How long one set-up of a checkout waits for another.
lock_seconds=900

say() { printf '%s\n' "$*" >&2; }

# stop CODE LINE: with the exit codes of the command line: 2 wrong usage, 69 something is missing on this machine, 74 a full disk,
# 75 busy, 77 a file permission.
stop() {
  say "$2"
  exit "$1"
}

# is_recent_node PROGRAM: 24.7 is the first Node with everything that the sources use (engines in package.json).
is_recent_node() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ "$major" -gt 24 ] || { [ "$major" -eq 24 ] && [ "$minor" -ge 7 ]; }
}

# The package of npm's registry that holds Node for this machine. They are built for glibc, so musl systems bring their own Node.
node_package() {
  case $(uname -s) in Linux) system=linux ;; Darwin) system=darwin ;; *) return 1 ;; esac
  case $(uname -m) in x86_64 | amd64) machine=x64 ;; aarch64 | arm64) machine=arm64 ;; *) return 1 ;; esac
  printf 'node-%s-%s\n' "$system" "$machine"
}

# Sets $node to the one in .tools, which setup has tried, else to the shell's when that is new enough; fails without either.
find_node() {
  node=$tools/node_modules/$(node_package)/bin/node
  [ -x "$node" ] && return
  node=$(command -v node) && is_recent_node "$node"
}

# run_quietly WORDS... : shows the words, and keeps the output of the command after `--` in $setup_log.
run_quietly() {
  words=
  while [ "$1" != -- ]; do
    words="$words $1"
    shift
  done
  shift
  words=${words# }
  say " $words ..."
  mkdir -p "${setup_log%/*}"
  remind "$words" 9>&- &
  reminder=$!
  result=0
  : >"$setup_log"
  "$@" >>"$setup_log" 2>&1 || result=$?
  kill "$reminder" 2>/dev/null || true
  wait "$reminder" 2>/dev/null || true
  return "$result"
}

# remind WORDS: says every 15 s what is still under way, until it is killed or this script has ended.
remind() {
  waited=0
  while sleep 15 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
    waited=$((waited + 15))
    say "   still $1, for $waited s"
  done
}

# stop_after_failure ADVICE: ends with what the output of the last run_quietly means: one sentence for a full disk and for servers
# that do not answer, the end of the output for the rest.
stop_after_failure() {
  if grep -q -e ENOSPC -e 'No space left' "$setup_log"; then
    stop 74 "A disk became full while $words: $(free_mebibytes "$project") MiB are free for $project."
  fi
  [ "$result" -ne 124 ] || stop 69 "npm was ended after $npm_seconds s: $words did not get done. Run this again on a faster line; what has arrived is kept."
  if grep -q -E "$no_network" "$setup_log"; then stop 69 "$1"; fi
  say "$(tail -n 15 "$setup_log")"
  exit 69
}

# What npm and apt-get print when they reach no server.
no_network='EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|SOCKET_TIMEOUT|[Nn]etwork timeout'
no_network="$no_network|Temporary failure resolving|Could not (resolve|connect)|Unable to connect|Connection timed out"

no_registry() {
  registry=$(npm config get registry 2>/dev/null) || registry=
  printf '%s\n' "The npm registry ${registry:-(npm config get registry)} does not answer: connect this machine to the network, name another registry with 'npm config set registry URL', or name a proxy in HTTPS_PROXY and HTTP_PROXY (NO_PROXY excepts hosts)."
}

no_mirror='The Debian package servers do not answer: connect this machine to the network, or name a proxy in https_proxy and http_proxy, or other servers in /etc/apt/sources.list.'

# free_mebibytes FOLDER: what is free on its disk; nothing where df cannot tell.
free_mebibytes() {
  # shellcheck disable=SC2046 # the columns of df
  set -- $(df -Pk "$1" 2>/dev/null | tail -n 1)
  case ${4:-} in '' | *[!0-9]*) return 0 ;; esac
  printf '%s\n' $(($4 / 1024))
}

# require_space MEBIBYTES WORDS: stops before a disk becomes full half-way.
require_space() {
  free=$(free_mebibytes "$project")
  [ -z "$free" ] || [ "$free" -ge "$1" ] ||
    stop 74 "The disk of $project has $free MiB free, and $2 need $1 MiB: free some space, or clone to another disk."
}

# Stops where this account may not write into the checkout.
require_writable() {
  for folder in "$tools" "$project/.cache"; do
    reason=$( { mkdir -p "$folder" && : >>"$folder/lock"; } 2>&1) && continue
    stop 77 "$(id -un) may not write into $project (${reason##*: }): run this as its owner, or clone into a folder of your own."
  done
}

# as_root COMMAND...: fails when this account may not, without asking for a password.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install_debian_packages() {
  command -v apt-get >/dev/null && { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=1 \
    -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 "$@"
}

install_debian_packages() {
  apt_get update -qq
  apt_get install -y -qq --no-install-recommends "$@"
}

# has_program PACKAGE: whether the program of that Debian package is there, under any of its names.
has_program() {
  case $1 in
    ffmpeg) command -v "${PHLIX_FFMPEG:-ffmpeg}" && command -v "${PHLIX_FFPROBE:-ffprobe}" ;;
    libheif-examples) command -v heif-convert && command -v heif-enc ;;
    slapd) PATH=$PATH:/usr/sbin:/sbin command -v slapd ;;
    chromium) command -v chromium || command -v chromium-browser || command -v google-chrome ;;
    *) command -v "$1" ;;
  esac >/dev/null
}

# bring_programs PACKAGE...: Debian packages by the programs that they bring. Sets $missing to those that are still not there, and
# decides nothing, because quickstart gets something done without.
bring_programs() {
  list_missing "$@"
  [ -n "$missing" ] || return 0
  may_install_debian_packages || return 0
  # shellcheck disable=SC2086 # a list of package names
  run_quietly "installing Debian packages:" $missing -- install_debian_packages $missing || say "$(tail -n 3 "$setup_log")"
  list_missing "$@"
}

# missing_line PACKAGE...: the one line that says what to install.
missing_line() {
  if command -v apt-get >/dev/null; then
    printf '%s\n' "Not on this machine: $*. Install with: sudo apt-get install $*"
  else
    printf '%s\n' "Not on this machine: $*. Install with the package manager of your system."
  fi
}

list_missing() {
  missing=
  for package in "$@"; do has_program "$package" || missing="${missing:+$missing }$package"; done
}

bring_node() {
  find_node && is_recent_node "$node" && return
  require_space "$((node_mebibytes + packages_mebibytes))" 'Node and the npm packages'
  package=$(node_package) || stop 69 "There is no prebuilt Node for $(uname -sm): install Node 24.7 or newer and run this again."
  if ! command -v npm >/dev/null; then
    may_install_debian_packages || stop 69 "$(missing_line nodejs npm)"
    run_quietly 'installing Debian packages: nodejs npm' -- install_debian_packages nodejs npm ||
      stop_after_failure "$no_mirror"
  fi
  run_quietly "bringing Node $node_version from the npm registry" -- install_node || stop_after_failure "$(no_registry)"
  if find_node && is_recent_node "$node"; then return; fi
  stop 69 "The Node from npm ($package) does not run here: install Node 24.7 or newer and run this again."
}

install_node() {
  # A registry that takes connections and never answers costs each of many requests its time limit.
  npm ping --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=20000 ||
    ! grep -q -E "$no_network" "$setup_log" || return 1
  # shellcheck disable=SC2046,SC2086 # lists of words
  $(limiter) npm install --prefix "$tools" --no-save --ignore-scripts --no-audit --no-fund --loglevel=error $npm_limits \
    "$package@$node_version" "npm@$npm_version"
}

# limiter: the words before a command that end it with 124 after $npm_seconds; none where there is no timeout(1) of this kind. In the
# foreground, so that a Ctrl-C reaches the command.
limiter() {
  if timeout --foreground 1 true 2>/dev/null; then printf 'timeout --foreground %s\n' "$npm_seconds"; fi
}

# run_npm ARGUMENTS...: behind the words of $before_npm, with our Node, so that what npm starts finds it first; the npm beside our Node when we brought one.
run_npm() {
  npm_program=$tools/node_modules/npm/bin/npm-cli.js
  case $node in
    "$tools"/*) PATH=${node%/*}:$PATH ${before_npm:-} "$node" "$npm_program" "$@" ;;
    *) ${before_npm:-} npm "$@" ;;
  esac
}

# have_packages runtime|all: whether npm has installed them already, called by hand.
have_packages() {
  [ -f "$project/node_modules/.package-lock.json" ] &&
    "$node" "$project/scripts/are-packages-installed.ts" "$project" "$1" 2>/dev/null
}

# bring_packages runtime|all: exactly what package-lock.json says. The stamp lives in node_modules, so a half-made or hand-made
# node_modules has none; a hand-made one that is complete gets it. No install scripts: the embedded PostgreSQL makes its library links at start.
bring_packages() {
  wanted="$(cksum <"$project/package-lock.json") $(uname -sm)"
  stamp=$project/node_modules/.installed-by-setup
  found=$(cat "$stamp" 2>/dev/null || true)
  [ "$found" != "$wanted all" ] && [ "$found" != "$wanted $1" ] || return 0
  if have_packages "$1"; then
    printf '%s\n' "$wanted $1" >"$stamp"
    return 0
  fi
  omit=
  [ "$1" = all ] || omit=--omit=dev
  require_space "$packages_mebibytes" 'the npm packages'
  # `npm pack --dry-run` would make this npm pretend too.
  before_npm=$(limiter)
  # shellcheck disable=SC2086 # lists of options
  run_quietly "installing npm packages" -- \
    run_npm ci --prefix "$project" --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error --no-dry-run $npm_limits $omit ||
    stop_after_failure "$(no_registry)"
  before_npm=
  printf '%s\n' "$wanted $1" >"$stamp"
}

# bring_toolchain runtime|all: one at a time per checkout where flock(1) exists. Leaves $node set.
bring_toolchain() {
  require_writable
  (
    if command -v flock >/dev/null && ! flock -n 9; then
      say " waiting until another bin/quickstart or bin/test has set up this checkout, $lock_seconds s at most ..."
      flock -w "$lock_seconds" 9 || stop 75 "Another process still holds $tools/lock: end it, and run this again."
    fi
    bring_node
    bring_packages "$1"
  ) 9>"$tools/lock"
  find_node
}
