# shellcheck shell=sh
# Downloads and checksums. The install script of the hub (scripts/install) has this part, too.

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
