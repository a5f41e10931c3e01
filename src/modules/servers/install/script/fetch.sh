# shellcheck shell=sh
# Downloads the agent and puts it in its place.

# GNU wget can't be kept from following https:// to http://, so redirects are followed here. BusyBox' wget checks no
# certificate, so that only checksums from elsewhere help.
download_by_wget() {
  case $(wget --version 2>/dev/null) in
    GNU*) ;;
    *)
      [ -n "$sums" ] || give_up "this wget checks no certificates: install curl, or run the command of the hub's page, which names checksums"
      wget -q -O "$2" "$1"
      return
      ;;
  esac
  next=$1
  for _ in 1 2 3 4 5; do
    answer=$(wget -S --max-redirect=0 -O "$2" "$next" 2>&1) && return
    next=$(printf '%s\n' "$answer" | sed -n 's/^ *[Ll]ocation: *\(https:[^ ]*\).*/\1/p' | tail -n 1)
    [ -n "$next" ] || return 1
  done
  return 1
}

# download ADDRESS FILE: an address that starts with https:// never leads to one with http://.
download() {
  if have curl; then
    # shellcheck disable=SC2086 # two words, or none
    curl -fsSL ${secure:+--proto =https} --connect-timeout 15 -o "$2" "$1"
  elif ! have wget; then
    give_up "curl or wget is needed"
  elif [ -n "$secure" ]; then
    download_by_wget "$1" "$2"
  else
    # No -T: Debian's BusyBox crashes over it.
    wget -q -O "$2" "$1"
  fi
}

# fetch ADDRESS FILE
fetch() { download "$1" "$2" || give_up "could not download $1"; }

# fetch_unpacked ADDRESS FILE: fetches the smallest form that the hub has and this machine can unpack.
fetch_unpacked() {
  for form in xz zst gz; do
    case $form in xz) tool=xz ;; zst) tool=zstd ;; gz) tool=gzip ;; esac
    have "$tool" || continue
    if download "$1.$form" "$2.packed" 2>/dev/null && "$tool" -dc <"$2.packed" >"$2" 2>/dev/null && [ -s "$2" ]; then
      rm "$2.packed"
      return
    fi
  done
  rm -f "$2.packed"
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
