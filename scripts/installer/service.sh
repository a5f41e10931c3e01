# shellcheck shell=sh
# The running service.

# as_service SETTINGS COMMAND…: runs a command as the service's user, with these settings, and passes on what it prints.
as_service() {
  environment=$1
  shift
  systemd-run --quiet --wait --pipe --collect -p User="$account" -p UMask=0077 -p WorkingDirectory=/ \
    -p StateDirectory=wakeful -p StateDirectoryMode=0700 \
    -p Environment="DATA_DIR=$data" -p EnvironmentFile="-$environment" "$@" </dev/null
}

property() { systemctl show -p "$1" --value wakeful; }

is_healthy() { as_service "$settings" "$program" healthcheck >/dev/null 2>&1; }

# Starts the service and waits until it is healthy. It may take long to start, because a large database is migrated then;
# once it has started, it has a minute. Fails, with the reason in `reason`.
start_hub() {
  systemctl daemon-reload
  systemctl enable --quiet wakeful
  systemctl reset-failed wakeful 2>/dev/null || true
  started=$(date +%s)
  systemctl start --no-block wakeful || true
  waited=0
  healthy=0
  while [ "$waited" -lt "${WAKEFUL_START_TIMEOUT:-3600}" ] && [ "$healthy" -lt 60 ]; do
    now=$(property ActiveState)
    if [ "$now" = inactive ] && [ "$waited" -gt 10 ]; then now=failed; fi
    if [ "$now" = failed ] || [ "$(property NRestarts)" -gt 0 ]; then
      reason="ended. The end of its log:$newline$(last_lines)"
      return 1
    fi
    if [ "$now" = active ]; then
      if is_healthy; then return; fi
      healthy=$((healthy + 1))
    elif [ "$waited" -eq 30 ]; then
      say "It is still starting. A large database takes a while to migrate; its log: journalctl -u wakeful"
    fi
    waited=$((waited + 1))
    sleep 1
  done
  reason="does not answer, or cannot write its database. The end of its log:$newline$(last_lines)"
  return 1
}

# What the program itself printed since its start.
last_lines() { journalctl -q -o cat -n 5 --no-pager --since "@$started" _SYSTEMD_UNIT=wakeful.service | sed 's/^/  /'; }

# What to do next. While there is no account, the start log has the address that creates one.
say_where() {
  say "Wakeful $version runs as the service wakeful. Settings: $settings. Data: $data. Log: journalctl -u wakeful"
  start=$(journalctl -q -o cat --no-pager "_SYSTEMD_INVOCATION_ID=$(property InvocationID)")
  open=$(printf '%s\n' "$start" | sed -n 's/.*"open":"\([^"]*\)".*/\1/p' | tail -n 1)
  [ -n "$open" ] || return 0
  say "Create the first account, which becomes the administrator: $open"
  case $open in
    http://localhost:*) say "From another machine, replace localhost by the address of this one; the code behind # is needed then." ;;
  esac
}
