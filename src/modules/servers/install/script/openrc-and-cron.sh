# shellcheck shell=sh
# The service of OpenRC, and what cron runs.

# The supervisor gives up after a while, so that an agent whose server was deleted does not start for ever.
write_init() {
  # shellcheck disable=SC2086 # the program and its words
  set -- $command start
  path=$1
  shift
  cat >"$root$init.new" <<INIT
#!/sbin/openrc-run
name="Wakeful host agent"
supervisor=supervise-daemon
command="$path"
command_args="$*"
command_user="$account:$account"
directory="$state"
output_log=/var/log/wakeful-agent.log
error_log=/var/log/wakeful-agent.log
respawn_delay=10
respawn_max=20
respawn_period=600
retry=TERM/15/KILL/5
umask=0077
set -a
. "$settings"
: "\${WAKEFUL_STATE:=$state}"
BUN_JSC_useJIT=0
UV_THREADPOOL_SIZE=16
set +a

depend() { use net dns; }

start_pre() {
  checkpath -d -m 0700 -o "$account:$account" "$state"
  checkpath -f -m 0640 -o "$account:$account" /var/log/wakeful-agent.log
}
INIT
  chmod 755 "$root$init.new"
  mv -f "$root$init.new" "$root$init"
}

# One line that works in every cron, also after a reboot. 78: a person has to look. Root changes no file in the
# agent's folder, where a link could lead it elsewhere.
write_watch() {
  runner="su -s /bin/sh $account -c"
  if [ "$account" = root ] || ! have su; then runner='sh -c'; fi
  cat >"$root$watch.new" <<WATCH
#!/bin/sh
# Starts the Wakeful host agent unless it runs. Cron runs this each minute; "new" forgets that it ended for good.
state=\$(sed -n 's/^WAKEFUL_STATE="\{0,1\}\([^"]*\)"\{0,1\}\$/\1/p' "$root$settings")
export WAKEFUL_STATE="$root\${state:-$state}"
[ "\${1:-}" != new ] || rm -f "\$WAKEFUL_STATE/ended"
[ ! -e "\$WAKEFUL_STATE/ended" ] || exit 0
process=\$(sed -n 's/.*"process":\([0-9]*\).*/\1/p' "\$WAKEFUL_STATE/status.json" 2>/dev/null)
if [ -n "\$process" ] && { ps -p "\$process" -o args= || cat "/proc/\$process/cmdline"; } 2>/dev/null | grep -qa wakeful; then exit 0; fi
mkdir -p "\$WAKEFUL_STATE" && chmod 700 "\$WAKEFUL_STATE" && { [ ! -O "\$WAKEFUL_STATE" ] || chown -R "$account" "\$WAKEFUL_STATE"; }
set -a
. "$root$settings"
WAKEFUL_STATE="$root\${state:-$state}" BUN_JSC_useJIT=0 UV_THREADPOOL_SIZE=16
set +a
{
  $runner "exec $root$command start" || [ \$? -ne 78 ] || $runner ': >"\$WAKEFUL_STATE/ended"'
} </dev/null 2>&1 | logger -t wakeful-agent
WATCH
  chmod 755 "$root$watch.new"
  mv -f "$root$watch.new" "$root$watch"
}

# The other lines of root's cron, in `jobs`.
read_jobs() { jobs=$(crontab -l 2>/dev/null | grep -vF "$watch") || true; }
