# shellcheck shell=sh
# Removes the agent with everything that this script made.

uninstall_agent() {
  kept=''
  if grep -qxF "$kept_mark" "$root$settings" 2>/dev/null || is_used_elsewhere; then kept=1; fi
  if [ ! -e "$root$settings" ] && [ ! -e "$root$unit" ]; then kept=1; fi
  if has_systemd; then
    stop_updates
    if [ -e "$root$unit" ]; then systemctl disable --quiet --now wakeful-agent || true; fi
    rm -rf "$root$unit" "$root$unit.d"
    systemctl daemon-reload || true
    systemctl reset-failed wakeful-agent 2>/dev/null || true
  fi
  if [ -e "$root$init" ] && have rc-service; then
    rc-service wakeful-agent stop || true
    rc-update -q del wakeful-agent default || true
  fi
  if [ -e "$root$watch" ]; then
    read_jobs
    { [ -z "$jobs" ] || say "$jobs"; } | crontab - || true
    stop_running
  fi
  rm -rf "$root$unit" "$root$unit.d" "$root$init" "$root$watch"
  find_running
  if has_account; then
    if have userdel; then userdel "$account"; elif have deluser; then deluser "$account"; fi || true
  fi
  [ -n "$kept" ] || rm -f "$root$program"
  rm -f "$root$light" "$root/var/log/wakeful-agent.log"
  rm -rf "$root$settings" "$root$settings.before" "$root$settings.new" "$root$state" "$root/var/lib/private/wakeful-agent"
  if [ -n "$running" ]; then
    say "The agent's files are gone, but it was started by hand and still runs. Stop it: kill $running"
  else
    say "The agent is gone from this machine. Its entry on the hub stays until you delete it there."
  fi
}
