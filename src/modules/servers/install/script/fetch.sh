# shellcheck shell=sh
# Puts the downloaded agent in its place.

clean_up() { rm -rf "$draft" "$root$settings.new"; }

# expect ADDRESS: the checksums that a download may have, as the command names them or else as the hub says, in `expected`.
expect() {
  expected=$sums
  [ -z "$expected" ] || return 0
  fetch "$1.sha256" "$draft/sum"
  expected=$(cut -d ' ' -f 1 "$draft/sum" | head -n 1)
  [ ${#expected} -eq 64 ] || give_up "$1.sha256 holds no checksum"
}

# accept FILE HINT
accept() {
  found=$(checksum "$1")
  case " $expected " in
    *" $found "*) ;;
    *) give_up "the download is damaged or was tampered with: its checksum is $found, not $expected. Nothing was installed.$2" ;;
  esac
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
  expect "$server/downloads/$file"
  fetch_unpacked "$server/downloads/$file" "$draft/wakeful"
  hint=''
  [ -z "$sums" ] || hint=" The command is for one kind of machine: choose $os and $arch on the page, and copy it again."
  accept "$draft/wakeful" "$hint"
  unfit="the downloaded program does not run on this system. It needs the GNU C library 2.17 or musl with libstdc++, on amd64 a processor with x86-64-v2 (SSE4.2), and a $root/usr/local/bin that is not mounted noexec."
  "$draft/wakeful" version >/dev/null 2>&1 || return 1
  mv -f "$draft/wakeful" "$root$program"
  rm -f "$root$light"
}

install_light() {
  have curl || have wget || give_up "the light agent needs curl or wget"
  say "Downloading $server/agent.sh …"
  expect "$server/agent.sh"
  fetch "$server/agent.sh" "$draft/agent.sh"
  hint=''
  [ -z "$sums" ] || hint=" Copy the command of the hub's page again: it names the light agent, too."
  accept "$draft/agent.sh" "$hint"
  "$draft/agent.sh" version >/dev/null 2>&1 ||
    give_up "the light agent does not run on this system: it needs a POSIX shell, and a $root/usr/local/bin that is not mounted noexec. Nothing was installed."
  mv -f "$draft/agent.sh" "$root$light"
  [ -n "$kept" ] || rm -f "$root$program"
  stop_updates
  command=$light
}
