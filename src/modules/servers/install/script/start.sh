# shellcheck shell=sh
# Starts the agent by what the machine has, and waits until it reports.

restart_service() {
  case $service in
    systemd) systemctl restart wakeful-agent || true ;;
    openrc) rc-service wakeful-agent restart || true ;;
    cron)
      stop_running
      "$root$watch" new >/dev/null 2>&1 &
      ;;
  esac
}

enable_service() {
  case $service in
    systemd)
      write_unit
      systemctl daemon-reload
      systemctl enable --quiet wakeful-agent
      systemctl reset-failed wakeful-agent 2>/dev/null || true
      ;;
    openrc)
      write_init
      rc-update -q add wakeful-agent default
      ;;
    cron)
      write_watch
      read_jobs
      { [ -z "$jobs" ] || say "$jobs"; say "* * * * * $watch"; } | crontab -
      ;;
  esac
}

# The process that the agent noted, in `running`; empty where it does not run.
find_running() {
  running=$(sed -n 's/.*"process":\([0-9]*\).*/\1/p' "$root$(state_folder)/status.json" 2>/dev/null || true)
  [ -z "$running" ] || grep -qsa wakeful "/proc/$running/cmdline" || running=''
}

stop_running() {
  find_running
  [ -n "$running" ] || return 0
  kill "$running" 2>/dev/null || true
  waited=0
  while kill -0 "$running" 2>/dev/null && [ "$waited" -lt 15 ]; do
    waited=$((waited + 1))
    sleep 1
  done
}

has_failed() { [ "$service" = systemd ] && systemctl is-failed --quiet wakeful-agent; }

# Asks the agent how it stands until it has reported, ended, or had its time. Leaves `outcome`, `reason` and `refused`.
await_report() {
  waited=0
  outcome=waiting
  while :; do
    # shellcheck disable=SC2086 # two words for the executable
    if answer=$($root$command status --state "$root$(state_folder)" 2>/dev/null); then
      outcome=reports
    elif has_failed; then
      outcome=failed
    fi
    reason=$(printf '%s\n' "$answer" | sed -n 's/^state  *//p' | sed 's/\.$//')
    refused=$(printf '%s\n' "$answer" | sed -n 's/^token  *refused: //p' | sed 's/\.$//')
    if [ "$outcome" != waiting ] || [ "$waited" -ge "${WAKEFUL_START_TIMEOUT:-30}" ]; then return; fi
    waited=$((waited + 1))
    sleep 1
  done
}

go_back() {
  mv -f "$root$settings.before" "$root$settings"
  restart_service
  give_up "$1 The earlier settings are back, and the agent was started with them."
}

start_service() {
  add_account
  enable_service
  restart_service
  await_report
  changed=''
  if [ -e "$root$settings.before" ] && is_enrolled; then
    cmp -s "$root$settings.before" "$root$settings" || changed=1
  fi
  [ -n "$changed" ] || rm -f "$root$settings.before"
  reason=${reason:-see $log}
  if [ -n "$refused" ] && [ -n "$changed" ]; then go_back "the new token was refused: $refused."; fi
  case $outcome in
    reports) ;;
    failed)
      if [ -n "$changed" ]; then go_back "the agent does not run with the new settings: $reason."; fi
      give_up "the agent is installed but does not run: $reason. Its log: $log"
      ;;
    *)
      if [ -n "$changed" ]; then go_back "the agent has not reached $server with the new settings: $reason."; fi
      if [ -n "${http_proxy:-}${https_proxy:-}${HTTP_PROXY:-}${HTTPS_PROXY:-}" ]; then
        reason="$reason. Your shell uses a proxy, the service does not: add HTTPS_PROXY=… to $settings and restart it"
      fi
      give_up "the agent is installed and runs, but has not reached $server yet: $reason. It goes on trying; its log: $log"
      ;;
  esac
  clear_token
  rm -f "$root$settings.before"
  say "The agent runs and reports to $server every ${interval:-60} s. Its log: $log"
  if [ -n "$auto_update" ]; then start_updates; fi
}
