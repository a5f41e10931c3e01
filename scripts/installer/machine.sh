# shellcheck shell=sh
# What stands against an installation on this machine.

check_machine() {
  [ "$(uname -s)" = Linux ] || give_up "this script installs on Linux only. On macOS and Windows, run the executable itself."
  [ "$(id -u)" -eq 0 ] || give_up "this has to run as root: put sudo before sh"
  has_systemd || give_up "this system does not run systemd. Run the executable by what starts services here, or use the container image."
  have systemd-run || give_up "systemd-run is needed, which is a part of systemd"
  have flock || give_up "flock is needed, which is a part of util-linux"
}

# Two runs at a time would mix their files.
lock() {
  exec 9>/run/wakeful-install.lock
  flock -n 9 || give_up "another run of this script is busy"
}

is_ours() { grep -qs '^# Written by the install script' "$unit"; }

# Whether another service runs the executable, as an agent on the same machine does.
is_used_elsewhere() { grep -lsF -- "$program" /etc/systemd/system/*.service | grep -qvxF "$unit"; }

# Leaves `present` where there is data of Wakeful.
check_places() {
  if [ -e "$unit" ] && ! is_ours; then
    give_up "$unit was not written by this script. To go on with the data in $data: systemctl disable --now wakeful, move the unit away, copy its settings to $settings, and run this again."
  fi
  present=''
  if [ -e "$data/wakeful.db" ]; then
    present=1
  elif [ ! -e "$unit" ] && [ -d "$data" ]; then
    others=$(find "$data/" -mindepth 1 -maxdepth 1 ! -name lost+found ! -name before-upgrade | head -n 3 | tr '\n' ' ')
    [ -z "$others" ] || give_up "$data holds files that are not Wakeful's: ${others}… Move them away first."
  fi
  number=$(id -u "$account" 2>/dev/null || true)
  if [ "${number:-0}" -ge 1000 ] && ! is_ours; then
    give_up "there is a user $account already, which is not a system user: rename or remove it first"
  fi
}

# is_taken PORT: whether a program listens on it.
is_taken() {
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
    awk -v port="$(printf ':%04X' "$1")" '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }'
}

# port_of FILE: the port in these settings.
port_of() {
  port=$(setting WAKEFUL_PORT "$1")
  [ -n "$port" ] || port=$(setting PORT "$1")
  say "${port:-8080}"
}

check_port() {
  port=$(port_of "$settings.new")
  # The check of the settings says what is wrong with it.
  case $port in *[!0-9]* | ??????*) return ;; esac
  if systemctl is-active --quiet wakeful && [ "$port" = "$(port_of "$settings")" ]; then return; fi
  if ! is_taken "$port"; then return; fi
  user=''
  if have ss; then user=$(ss -Hltnp "sport = :$port" | sed -n 's/.*users:(("\([^"]*\)".*/\1/p' | head -n 1); fi
  give_up "port $port is in use${user:+ by $user}: choose another one, such as PORT=$((port + 1)). Nothing was changed."
}

# free_kilobytes FOLDER
free_kilobytes() { df -Pk "$1" | awk 'NR == 2 { print $4 }'; }

# kilobytes FILE…: their size, without those that are missing.
kilobytes() {
  for path in "$@"; do
    if [ -e "$path" ]; then stat -Lc %s "$path"; fi
  done | awk '{ sum += $1 } END { print int(sum / 1024) + 1 }'
}

# check_room FOLDER KILOBYTES PURPOSE
check_room() {
  free=$(free_kilobytes "$1")
  [ "$free" -ge $(($2 + 20480)) ] ||
    give_up "$1 has $((free / 1024)) MB free, too little for $3 of $(($2 / 1024 + 1)) MB. Nothing was changed."
}

add_account() {
  if id -u "$account" >/dev/null 2>&1; then return; fi
  have useradd || give_up "useradd is needed to make the user $account"
  group=--user-group
  if grep -q "^$account:" /etc/group; then group="--gid $account"; fi
  # shellcheck disable=SC2086 # two words for a group that is there
  useradd --system $group --no-create-home --home-dir "$data" --shell /usr/sbin/nologin "$account" ||
    give_up "the user $account could not be made. Nothing was changed."
}
