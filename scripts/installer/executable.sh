# shellcheck shell=sh
# The new executable, beside the old one until it is known to be whole and to run.

clean_up() {
  rm -rf "$draft"
  rm -f "$settings.new"
  # Folders that a refused installation would leave.
  [ -e "$unit" ] || rmdir "${settings%/*}" "$data" 2>/dev/null || true
}

# processor_of FILE: the one that an ELF executable is for; empty for other files.
processor_of() {
  case $(od -An -tx1 -N20 "$1" | tr -d ' \n') in
    7f454c46????????????????????????????3e00) say amd64 ;;
    7f454c46????????????????????????????b700) say arm64 ;;
  esac
}

check_sum() {
  found=$(checksum "$draft/wakeful")
  [ "$found" = "$1" ] || give_up "the executable is damaged or was changed: its checksum is $found, not $1. Nothing was changed."
}

# Leaves the executable in `draft`, and its version in `version`.
bring_executable() {
  find_platform
  [ -n "$file" ] || give_up "there is no executable for $(uname -m) processors"
  mkdir -p "${program%/*}"
  # A run that was killed leaves its own.
  rm -rf "${program%/*}"/.wakeful-hub.*
  draft=$(mktemp -d "${program%/*}/.wakeful-hub.XXXXXX") || give_up "${program%/*} cannot be written"
  trap clean_up EXIT
  trap 'exit 130' HUP INT TERM
  # A change of settings needs no other executable.
  case $given$releases in @*) if is_ours && [ -x "$program" ]; then given=$program; fi ;; esac
  if [ -n "$given" ]; then copy_executable; else download_executable; fi
  chmod 755 "$draft" "$draft/wakeful"
  if ! version=$("$draft/wakeful" version 2>/dev/null </dev/null) || [ -z "$version" ]; then
    give_up "the executable does not run here. It needs the GNU C library 2.17, or its build for musl, on amd64 a processor with SSE4.2, and a ${program%/*} that is not mounted noexec. Nothing was changed."
  fi
  case $version in *[!0-9A-Za-z.+-]*) give_up "$given is not an executable of Wakeful. Nothing was changed." ;; esac
}

copy_executable() {
  processor=$(processor_of "$given")
  [ -z "$processor" ] || [ "$processor" = "${arch%-musl}" ] ||
    give_up "$given is for $processor processors, and this machine has ${arch%-musl}. Nothing was changed."
  check_room "${program%/*}" "$(kilobytes "$given")" "an executable"
  cp "$given" "$draft/wakeful" || give_up "$given could not be copied to ${program%/*}. Nothing was changed."
  [ -z "$sums" ] || check_sum "$sums"
}

download_executable() {
  case $releases in
    @*) give_up "name the executable to install: sh scripts/install dist/wakeful (sh scripts/start builds it). --releases ADDRESS downloads one." ;;
    https://?*) secure=1 ;;
    # Names of this machine only, for tests.
    http://127.0.0.1:*) ;;
    *) give_up "--releases is an address that starts with https://" ;;
  esac
  releases=${releases%/}
  check_room "${program%/*}" 204800 "the download"
  if [ -n "$sums" ]; then sum=$sums; else read_release; fi
  say "Downloading $releases/$file …"
  fetch_unpacked "$releases/$file" "$draft/wakeful"
  check_sum "$sum"
}

# Leaves the checksum of the executable in `sum`, from the description of the release once its signature was checked.
read_release() {
  case $release_key in @* | '') give_up "a release is checked by its signature: give --release-key KEY, or --sha256 SUM" ;; esac
  [ ${#release_key} -eq 44 ] || give_up "--release-key is no key: it has 44 characters"
  have openssl || give_up "openssl is needed to check the signature of the release; --sha256 SUM does without it"
  for name in wakeful-release.json wakeful-release.json.sig; do fetch "$releases/$name" "$draft/$name"; done
  # The bytes before the key say that it is one for Ed25519.
  printf -- '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA%s\n-----END PUBLIC KEY-----\n' "$release_key" >"$draft/key.pem"
  openssl base64 -d -A -in "$draft/wakeful-release.json.sig" -out "$draft/signature" 2>/dev/null || true
  openssl pkeyutl -help 2>&1 | grep -q -- -rawin ||
    give_up "openssl 3 is needed to check the signature of the release; --sha256 SUM does without it"
  openssl pkeyutl -verify -pubin -inkey "$draft/key.pem" -rawin -in "$draft/wakeful-release.json" -sigfile "$draft/signature" >/dev/null 2>&1 ||
    give_up "the signature of the release at $releases is wrong. Nothing was changed."
  sum=$(sed -n "/^    \"$file\": {/,/}/s/.*\"sha256\": \"\([0-9a-f]*\)\".*/\1/p" "$draft/wakeful-release.json")
  [ ${#sum} -eq 64 ] || give_up "the release at $releases has no $file"
}
