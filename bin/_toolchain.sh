# Brings to the machine what the project needs: Node, npm packages, system programs. Sourced by bin/phlix, bin/quickstart and
# bin/test, which set $project first. Every step looks before it acts and needs no network once its result is there.
# shellcheck shell=sh

: "${project:?set by the script that sources this}"
node_version=24.21.0
npm_version=11.21.2
tools=$project/.tools
setup_log=$project/.cache/setup.log

say() { printf '%s\n' "$*" >&2; }

# stop CODE LINE: with the exit codes of the command line: 2 wrong usage, 69 something is missing on this machine.
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

# run_quietly WORDS... : shows the words, keeps the output of the command after `--` for the case that it fails.
run_quietly() {
  words=
  while [ "$1" != -- ]; do
    words="$words $1"
    shift
  done
  shift
  say " ${words# } ..."
  mkdir -p "${setup_log%/*}"
  "$@" >"$setup_log" 2>&1 && return
  say "$(tail -n 15 "$setup_log")"
  return 1
}

# as_root COMMAND...: fails when this account may not, without asking for a password.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install_debian_packages() {
  command -v apt-get >/dev/null && { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }
}

install_debian_packages() {
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$@"
}

# has_program PACKAGE: whether the program of that Debian package is there, under any of its names.
has_program() {
  case $1 in
    ffmpeg) command -v ffmpeg && command -v ffprobe ;;
    libheif-examples) command -v heif-convert && command -v heif-enc ;;
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
  run_quietly "installing Debian packages:" $missing -- install_debian_packages $missing || true
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
  package=$(node_package) || stop 69 "There is no prebuilt Node for $(uname -sm): install Node 24.7 or newer and run this again."
  if ! command -v npm >/dev/null; then
    may_install_debian_packages || stop 69 "$(missing_line nodejs npm)"
    run_quietly 'installing Debian packages: nodejs npm' -- install_debian_packages nodejs npm || exit 69
  fi
  run_quietly "bringing Node $node_version" -- \
    npm install --prefix "$tools" --no-save --ignore-scripts --no-audit --no-fund --loglevel=error \
    "$package@$node_version" "npm@$npm_version" || exit 69
  if find_node && is_recent_node "$node"; then return; fi
  stop 69 "The Node from npm ($package) does not run here: install Node 24.7 or newer and run this again."
}

# run_npm ARGUMENTS...: with our Node, so that what npm starts finds it first; the npm beside our Node when we brought one.
run_npm() {
  npm_program=$tools/node_modules/npm/bin/npm-cli.js
  case $node in
    "$tools"/*) PATH=${node%/*}:$PATH "$node" "$npm_program" "$@" ;;
    *) npm "$@" ;;
  esac
}

# bring_packages runtime|all: exactly what package-lock.json says. The stamp lives in node_modules, so a half-made or hand-made
# node_modules has none. No install scripts: the embedded PostgreSQL makes its library links at start.
bring_packages() {
  wanted="$(cksum <"$project/package-lock.json") $(uname -sm)"
  stamp=$project/node_modules/.installed-by-setup
  found=$(cat "$stamp" 2>/dev/null || true)
  [ "$found" != "$wanted all" ] && [ "$found" != "$wanted $1" ] || return 0
  omit=
  [ "$1" = all ] || omit=--omit=dev
  run_quietly "installing npm packages" -- \
    run_npm ci --prefix "$project" --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error ${omit:+"$omit"} || exit 69
  printf '%s\n' "$wanted $1" >"$stamp"
}

# bring_toolchain runtime|all: one at a time per checkout where flock(1) exists. Leaves $node set.
bring_toolchain() {
  mkdir -p "$tools"
  (
    if command -v flock >/dev/null; then flock 9; fi
    bring_node
    bring_packages "$1"
  ) 9>"$tools/lock"
  find_node
}
