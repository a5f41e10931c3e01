# shellcheck shell=sh
# The options, and settings as NAME=VALUE.

usage() {
  cat <<'END'
usage: install.sh [FILE] [NAME=VALUE …] [OPTION …]      (as root)

Installs the Wakeful hub as a service of systemd, or upgrades the one that is installed: the executable
/usr/local/bin/wakeful, the user wakeful, the data in /var/lib/wakeful and the settings in /etc/wakeful/environment.
An upgrade makes a backup first. If the new version does not become healthy, the old one comes back with its data.

  FILE                  the executable to install; without it, the one of this script's release is downloaded
  NAME=VALUE            a setting, such as PORT=9090 or PUBLIC_URL=https://watch.example.com; others stay as they are
  --sha256 SUM          the checksum that the executable must have
  --releases ADDRESS    where to download from, as an https:// address of a folder with a release
  --release-key KEY     the public key that its signature is checked with
  --ping                lets this system's unprivileged programs send pings, which ping monitors need
  --no-backup           upgrades without a backup
  --print-unit          prints the unit, and does nothing else
  --uninstall           removes the service and the executable; data and settings stay
  --purge               removes data, settings and the user as well
END
}

read_words() {
  given='' sums='' secure='' changes='' names='' uninstalling='' purging='' no_backup='' ping=''
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help)
        usage
        exit
        ;;
      --print-unit)
        print_unit
        exit
        ;;
      --uninstall) uninstalling=1 ;;
      --purge) uninstalling=1 purging=1 ;;
      --no-backup) no_backup=1 ;;
      --ping) ping=1 ;;
      --sha256 | --releases | --release-key)
        [ $# -gt 1 ] || give_up "$1 needs a value"
        case $1 in
          --sha256) sums=$2 ;;
          --releases) releases=$2 ;;
          --release-key) release_key=$2 ;;
        esac
        shift
        ;;
      -*) give_up "there is no option $1; --help lists them" ;;
      [A-Z]*=*) add_change "$1" ;;
      *)
        [ -z "$given" ] || give_up "there is more than one file: $given and $1"
        given=$1
        ;;
    esac
    shift
  done
  [ -z "$given" ] || [ -f "$given" ] || give_up "there is no file $given"
  case $sums in *[!0-9a-f]*) sums=wrong ;; esac
  [ -z "$sums" ] || [ ${#sums} -eq 64 ] || give_up "--sha256 is no checksum: it has 64 digits from 0 to f"
}

# add_change NAME=VALUE
add_change() {
  name=${1%%=*}
  value=${1#*=}
  case $name in *[!A-Z0-9_]*) give_up "$name is no name of a setting" ;; esac
  case $value in *"$newline"*) give_up "$name has more than one line" ;; esac
  [ "$name" != DATA_DIR ] || give_up "the data is in $data; mount another disk there to have it elsewhere"
  names=${names:+$names|}$name
  changes="${changes:+$changes$newline}$name=\"$(printf '%s' "$value" | sed 's/[\\"]/\\&/g')\""
}
