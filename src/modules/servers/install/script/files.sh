# shellcheck shell=sh
# The settings, and the user that the agent runs as.

# setting NAME: what an earlier installation was told.
setting() { sed -n "s/^$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "$root$settings" 2>/dev/null || true; }

state_folder() {
  folder=$(setting WAKEFUL_STATE)
  say "${folder:-$state}"
}

is_enrolled() { [ -e "$root$(state_folder)/agent.json" ]; }

# Whether a service other than the agent's runs the program, as a hub on the same machine does.
is_used_elsewhere() {
  grep -lsF -- "$program" "$root"/etc/systemd/system/*.service | grep -qvE '/wakeful-agent(-update)?\.service$'
}

read_settings() {
  [ -n "$token" ] || token=$(setting WAKEFUL_TOKEN)
  [ -n "$token" ] || is_enrolled ||
    give_up "a token is needed (--token-file FILE, or - for standard input); the hub's page that adds a server makes one"
  [ -n "$interval" ] || interval=$(setting WAKEFUL_INTERVAL)
  [ -n "$name" ] || name=$(setting WAKEFUL_NAME)
  kept=''
  if [ -e "$root$settings" ]; then
    ! grep -qxF "$kept_mark" "$root$settings" || kept=1
  elif [ -e "$root$program" ]; then
    if { [ ! -e "$root$unit" ] && [ ! -e "$root$init" ] && [ ! -e "$root$watch" ]; } || is_used_elsewhere; then kept=1; fi
  fi
}

# Only root can read the settings: they hold the token until the machine is enrolled. Lines that this script does not
# know stay as they are.
draft_settings() {
  mkdir -p "$root/etc"
  (
    umask 077
    {
      say "$heading"
      [ -z "$kept" ] || say "$kept_mark"
      say "WAKEFUL_SERVER=\"$server\""
      [ -z "$token" ] || say "WAKEFUL_TOKEN=\"$token\""
      say "WAKEFUL_INTERVAL=\"${interval:-60}\""
      [ -z "$name" ] || say "WAKEFUL_NAME=\"$name\""
      if [ -e "$root$settings" ]; then
        grep -vE '^WAKEFUL_(SERVER|TOKEN|INTERVAL|NAME)=' "$root$settings" | grep -vxF -e "$heading" -e "$kept_mark" || true
      fi
    } >"$root$settings.new"
  ) || give_up "$settings cannot be written. Nothing was installed."
}

place_settings() {
  rm -f "$root$settings.before"
  [ ! -e "$root$settings" ] || cp -p "$root$settings" "$root$settings.before"
  mv -f "$root$settings.new" "$root$settings"
}

# The token can't be used again, so it is removed from this machine.
clear_token() {
  (
    umask 077
    grep -v '^WAKEFUL_TOKEN=' "$root$settings" >"$root$settings.new"
  ) && mv -f "$root$settings.new" "$root$settings"
}

has_account() { grep -qs "^$account:" "$root/etc/passwd"; }

# A unit with DynamicUser= gives its user only while it runs, under the same name: it is stopped first.
add_account() {
  if has_account; then return; fi
  if [ "$service" = systemd ]; then systemctl stop wakeful-agent 2>/dev/null || true; fi
  if have useradd; then
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$account"
  elif have adduser; then
    adduser -S -D -H -h /nonexistent -s /sbin/nologin "$account"
  elif [ "$service" = cron ]; then
    account=root
    say "There is no useradd to give the agent a user of its own, so it runs as root."
  else
    give_up "useradd is needed to give the agent a user of its own"
  fi
}
