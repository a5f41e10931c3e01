# Shared by the scripts beside it, which read it with `.` from the top of the tree.
# shellcheck shell=sh

say() { printf '%s\n' "$*" >&2; }

give_up() {
  say ""
  say "wakeful: $*"
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

bun_version=$(cat .bun-version)

is_pinned_bun() { [ "$("$1" --version 2>/dev/null)" = "$bun_version" ]; }

# The Bun that an earlier run put into .bun, if it is the right one: npm and the installer lay it out differently.
find_local_bun() {
  for candidate in .bun/node_modules/@oven/bun-*/bin/bun .bun/bin/bun; do
    if ! [ -x "$candidate" ] || ! is_pinned_bun "$candidate"; then continue; fi
    PATH="$(cd "$(dirname "$candidate")" && pwd):$PATH"
    export PATH
    return 0
  done
  return 1
}

# Puts the pinned Bun first on PATH: the one that is there, or else one fetched into .bun, which nothing else uses.
bring_bun() {
  if have bun && is_pinned_bun bun; then return; fi
  if find_local_bun; then return; fi
  if have npm; then
    say "Fetching Bun $bun_version with npm into .bun …"
    # Its install script would only move the program to another place.
    npm install --prefix .bun --ignore-scripts --no-save --no-audit --no-fund --loglevel=error \
      --fetch-retries=2 --fetch-retry-maxtimeout=10000 "bun@$bun_version" </dev/null >&2 ||
      give_up "npm could not fetch Bun $bun_version. Look at its message above, or install Bun yourself: https://bun.com"
  elif have curl && have bash && have unzip; then
    say "Fetching Bun $bun_version with its own installer into .bun …"
    # SHELL keeps the installer from changing the start files of your shell.
    curl -fsSL https://bun.com/install | SHELL=/bin/sh BUN_INSTALL="$PWD/.bun" bash -s "bun-v$bun_version" >&2 ||
      give_up "Bun's installer did not get through. Look at its message above, or install Bun $bun_version yourself: https://bun.com"
  else
    give_up "Bun $bun_version is needed. Install Node.js with npm (or curl, bash and unzip) and start again: https://nodejs.org"
  fi
  find_local_bun ||
    give_up "Bun $bun_version was fetched but does not run on this machine. Install it yourself: https://bun.com"
}

install_dependencies() {
  bun install --frozen-lockfile </dev/null >&2 ||
    give_up "The dependencies could not be installed. Look at Bun's message above, then start again."
}
