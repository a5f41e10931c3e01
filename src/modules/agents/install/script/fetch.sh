# shellcheck shell=sh
# Downloads the agent and puts it in its place.

# fetch ADDRESS FILE
fetch() {
  if have curl; then
    curl -fsSL --connect-timeout 15 -o "$2" "$1"
  elif have wget; then
    # No -T: Debian's BusyBox crashes over it.
    wget -q -O "$2" "$1"
  else
    give_up "curl or wget is needed"
  fi || give_up "could not download $1"
}

# fetch_unpacked ADDRESS FILE: fetches the smallest form that the console has and this machine can unpack.
fetch_unpacked() {
  for form in xz zst gz; do
    case $form in xz) tool=xz ;; zst) tool=zstd ;; gz) tool=gzip ;; esac
    have "$tool" || continue
    if { if have curl; then curl -fsSL --connect-timeout 15 "$1.$form"; else wget -q -O - "$1.$form"; fi; } 2>/dev/null |
      "$tool" -dc >"$2" 2>/dev/null && [ -s "$2" ]; then return; fi
  done
  fetch "$1" "$2"
}

checksum() {
  if have sha256sum; then
    sha256sum "$1"
  elif have shasum; then
    shasum -a 256 "$1"
  else
    openssl dgst -sha256 -r "$1"
  fi | cut -d ' ' -f 1
}

clean_up() { rm -rf "$draft" "$root$settings.new"; }

# expect ADDRESS SUM: the download's checksum, as the command names it or else as the console says, in `expected`.
expect() {
  expected=$2
  [ -z "$expected" ] || return 0
  fetch "$1.sha256" "$draft/sum"
  expected=$(cut -d ' ' -f 1 "$draft/sum" | head -n 1)
  [ ${#expected} -eq 64 ] || give_up "$1.sha256 holds no checksum"
}

# accept FILE HINT
accept() {
  found=$(checksum "$1")
  [ "$found" = "$expected" ] ||
    give_up "the download is damaged or was tampered with: its checksum is $found, not $expected. Nothing was installed.$2"
  chmod 755 "$draft" "$1"
}

# The new program lies beside the old one until it is known to be whole and to run; then it takes its place at once.
install_program() {
  have sha256sum || have shasum || have openssl || give_up "sha256sum, shasum or openssl is needed to check the download"
  mkdir -p "$root/usr/local/bin"
  draft=$(mktemp -d "$root/usr/local/bin/.wakeful.XXXXXX")
  if [ "$kind" != light ] && ! install_executable; then
    [ -z "$kind" ] || give_up "$unfit Nothing was installed."
    say "The light agent is installed: $unfit"
    kind=light
  fi
  if [ "$kind" = light ]; then install_light; else command="$program agent"; fi
}

# Fails, with the reason in `unfit`, where the program does not run.
install_executable() {
  [ -n "$file" ] || give_up "there is no executable for $(uname -s) on $(uname -m) processors; --light installs a script"
  say "Downloading $server/downloads/$file …"
  # The page's command names the checksum of the usual build.
  case $file in *-musl) expect "$server/downloads/$file" '' ;; *) expect "$server/downloads/$file" "$sum" ;; esac
  fetch_unpacked "$server/downloads/$file" "$draft/wakeful"
  hint=''
  [ -z "$sum" ] || hint=" The command is for one kind of machine: choose $os and $arch on the page, and copy it again."
  accept "$draft/wakeful" "$hint"
  unfit="the downloaded program does not run on this system. It needs the GNU C library 2.17 or musl with libstdc++, on amd64 a processor with x86-64-v2 (SSE4.2), and a $root/usr/local/bin that is not mounted noexec."
  "$draft/wakeful" version >/dev/null 2>&1 || return 1
  mv -f "$draft/wakeful" "$root$program"
  rm -f "$root$light"
}

install_light() {
  have curl || have wget || give_up "the light agent needs curl or wget"
  say "Downloading $server/agent.sh …"
  expect "$server/agent.sh" ''
  fetch "$server/agent.sh" "$draft/agent.sh"
  accept "$draft/agent.sh" ''
  "$draft/agent.sh" version >/dev/null 2>&1 ||
    give_up "the light agent does not run on this system: it needs a POSIX shell, and a $root/usr/local/bin that is not mounted noexec. Nothing was installed."
  mv -f "$draft/agent.sh" "$root$light"
  [ -n "$kept" ] || rm -f "$root$program"
  stop_updates
  command=$light
}
