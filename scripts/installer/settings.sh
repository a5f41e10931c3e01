# shellcheck shell=sh
# The settings, which only root reads, because secrets may be among them.

# setting NAME [FILE]
setting() { sed -n "s/^$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "${2:-$settings}" 2>/dev/null | tail -n 1; }

# Writes the settings as they shall be beside those that are. Lines that were not named stay.
draft_settings() {
  mkdir -p "${settings%/*}"
  (
    umask 077
    {
      if [ -e "$settings" ]; then
        if [ -n "$names" ]; then grep -vE "^($names)=" "$settings" || true; else cat "$settings"; fi
      else
        say "# Settings of Wakeful: wakeful serve --help lists them. Restart it after a change: systemctl restart wakeful"
        say "# Nightly backups: BACKUP_DIR=\"$data/backups\""
      fi
      [ -z "$changes" ] || say "$changes"
    } >"$settings.new"
  ) || give_up "$settings cannot be written. Nothing was changed."
}

uses_postgres() { [ -n "$(setting DATABASE_URL "$settings.new")$(setting DATABASE_URL_FILE "$settings.new")" ]; }

# Asks the new executable about the settings, as the user of the service.
check_settings() {
  answer=$(as_service "$settings.new" "$draft/wakeful" serve --check 2>&1) ||
    give_up "the settings cannot be used. Nothing was changed.$newline$answer"
  # It also names what looks like a misspelled setting.
  printf '%s\n' "$answer" | grep -v '^ok:' || true
}

allow_ping() {
  mkdir -p "${sysctl%/*}"
  say 'net.ipv4.ping_group_range = 0 2147483647' >"$sysctl"
  sysctl -qp "$sysctl" || say "$sysctl counts from the next start of the system on."
}

# Ping monitors are refused where unprivileged programs cannot send pings.
mention_ping() {
  range=$(cat /proc/sys/net/ipv4/ping_group_range 2>/dev/null) || return 0
  # shellcheck disable=SC2086 # two numbers
  set -- $range
  if [ "$1" -gt 0 ] || [ "$2" -lt 65535 ]; then
    say "Ping monitors need one thing more: run this script again with --ping, which lets unprivileged programs send pings."
  elif ! have ping; then
    say "Ping monitors need the program ping (Debian: apt-get install iputils-ping)."
  fi
}
