# shellcheck shell=sh
# Why a machine gets the light agent, and what starts services.

# Why this machine gets the light agent, in `light_reason`; empty where the executable fits.
find_light_reason() {
  free=$(df -Pk "$root/usr" 2>/dev/null | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4) || true
  memory=$(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' "$root/proc/meminfo" 2>/dev/null) || true
  case $free in *[!0-9]*) free='' ;; esac
  light_reason=''
  if [ -z "$file" ]; then
    light_reason="there is no executable for $(uname -s) on $(uname -m)"
  elif is_musl && ! exists "$root"/usr/lib/libstdc++.so.6; then
    light_reason="the executable for musl needs libstdc++ (on Alpine: apk add libstdc++)"
  elif [ "${free:-204800}" -lt 204800 ]; then
    light_reason="less than 200 MB are free below /usr"
  elif [ "${memory:-98304}" -lt 98304 ]; then
    light_reason="the machine has less than 96 MB of memory"
  fi
}

choose_kind() {
  if [ -z "$kind" ] && [ -e "$root$light" ]; then kind=light; fi
  [ -z "$kind" ] || return 0
  find_light_reason
  [ -n "$light_reason" ] || return 0
  kind=light
  say "The light agent is installed: $light_reason."
}

# What starts the agent here: systemd, OpenRC, cron, or nothing that this script knows.
find_service() {
  if [ -n "$no_service" ]; then
    service=none
  elif has_systemd; then
    service=systemd log='journalctl -u wakeful-agent -n 20'
  elif have rc-service && [ -d "$root/etc/init.d" ]; then
    service=openrc log='tail /var/log/wakeful-agent.log'
  elif have crontab; then
    service=cron log="the system's log"
  else
    service=none
  fi
}
