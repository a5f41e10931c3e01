# Functions that the scripts beside it share. They source it with the repository as working directory.
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

# Finds the pinned Bun that an earlier run put into .bun: npm and Bun's installer use different folders.
find_local_bun() {
  for candidate in .bun/node_modules/@oven/bun-*/bin/bun .bun/bin/bun; do
    if ! [ -x "$candidate" ] || ! is_pinned_bun "$candidate"; then continue; fi
    PATH="$(cd "$(dirname "$candidate")" && pwd):$PATH"
    export PATH
    return 0
  done
  return 1
}

# Puts the pinned Bun first on PATH. If it is missing, fetches it into .bun, which nothing else uses.
bring_bun() {
  if have bun && is_pinned_bun bun; then return; fi
  if find_local_bun; then return; fi
  if have npm; then
    say "Fetching Bun $bun_version with npm into .bun …"
    mkdir -p .bun
    cp scripts/toolchain/package.json scripts/toolchain/package-lock.json .bun/
    # `npm ci` refuses a package whose checksum is not the one in package-lock.json. The package's install script is
    # skipped: it would only move the executable.
    npm ci --prefix .bun --ignore-scripts --no-audit --no-fund --loglevel=error \
      --fetch-retries=2 --fetch-retry-maxtimeout=10000 </dev/null >&2 ||
      give_up "npm could not fetch Bun $bun_version. See its message above, or install Bun yourself: https://bun.com"
  elif have curl && have bash && have unzip; then
    say "npm is missing, so Bun $bun_version is fetched into .bun by Bun's own installer (https://bun.com/install)."
    say "That download is protected by HTTPS only. With npm installed, it is also checked against a checksum."
    # SHELL keeps the installer from changing the start files of your shell.
    curl -fsSL https://bun.com/install | SHELL=/bin/sh BUN_INSTALL="$PWD/.bun" bash -s "bun-v$bun_version" >&2 ||
      give_up "Bun's installer failed. See its message above, or install Bun $bun_version yourself: https://bun.com"
  else
    give_up "Bun $bun_version is needed. Install Node.js with npm (or curl, bash and unzip) and start again: https://nodejs.org"
  fi
  find_local_bun ||
    give_up "No Bun $bun_version that runs on this machine could be fetched. Install it yourself: https://bun.com"
}

install_dependencies() {
  bun install --frozen-lockfile </dev/null >&2 ||
    give_up "The dependencies could not be installed. See Bun's message above, then start again."
}
