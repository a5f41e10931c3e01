#!/bin/sh
# Installs the Wakeful host agent as root. The page that adds a server shows the whole command:
#   echo TOKEN | sudo sh -c "$(curl -fsSL ADDRESS/install.sh)" install.sh --server ADDRESS --sha256 SUM --token-file -
# Brings it up to date, with its settings kept:
#   curl -fsSL ADDRESS/install.sh | sudo sh -s -- --server ADDRESS
# Removes it with everything that this script made:
#   curl -fsSL ADDRESS/install.sh | sudo sh -s -- --uninstall
# More options: --interval SECONDS, --name NAME, --token TOKEN (which all users of the machine can see while it runs),
# --allow-http (for an address that starts with http://), --light (the agent as a shell script), --executable (the opposite,
# where the script was installed before), --auto-update (a timer that runs `wakeful agent update` each day), --no-service.
set -eu
umask 022

server='@SERVER@'
# Everything is put below this folder; empty but for tests.
root=${WAKEFUL_ROOT:-}
program=/usr/local/bin/wakeful
settings=/etc/wakeful-agent.env
unit=/etc/systemd/system/wakeful-agent.service
# The light agent, the script of OpenRC's service, and what cron runs each minute.
light=/usr/local/bin/wakeful-agent
init=/etc/init.d/wakeful-agent
watch=/usr/local/bin/wakeful-agent-watch
update=/etc/systemd/system/wakeful-agent-update
state=/var/lib/wakeful-agent
account=wakeful-agent
newline='
'
heading='# Settings of the Wakeful host agent. Restart it after a change: systemctl restart wakeful-agent'
kept_mark='# The program was here before, and stays.'

say() { printf '%s\n' "$*"; }

give_up() {
  printf 'wakeful: %s\n' "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

has_systemd() { have systemctl && [ -d "$root/run/systemd/system" ]; }

read_words() {
  token='' token_file='' interval='' name='' sum='' allow_http='' uninstalling='' kind='' auto_update='' no_service=''
  while [ $# -gt 0 ]; do
    case $1 in
      --uninstall) uninstalling=1 ;;
      --allow-http) allow_http=1 ;;
      --light) kind=light ;;
      --executable) kind=executable ;;
      --auto-update) auto_update=1 ;;
      --no-service) no_service=1 ;;
      --server | --sha256 | --token | --token-file | --interval | --name)
        [ $# -gt 1 ] || give_up "$1 needs a value"
        case $1 in
          --server) server=$2 ;;
          --sha256) sum=$2 ;;
          --token) token=$2 ;;
          --token-file) token_file=$2 ;;
          --interval) interval=$2 ;;
          --name) name=$2 ;;
        esac
        shift
        ;;
      *) give_up "there is no option $1 (there are --server, --sha256, --token-file, --token, --interval, --name, --light, --executable, --auto-update, --no-service, --allow-http and --uninstall)" ;;
    esac
    shift
  done
  case $interval in *[!0-9]* | ??????*) give_up "--interval is a number of seconds from 1 to 86400" ;; esac
  if [ -n "$interval" ] && { [ "$interval" -lt 1 ] || [ "$interval" -gt 86400 ]; }; then
    give_up "--interval is a number of seconds from 1 to 86400"
  fi
  # The name stands between double quotes in a file that a shell may read.
  case $name in *[\"\\\$\`]* | *"$newline"*) give_up "--name may hold no quotes, backslashes or dollar signs" ;; esac
  [ -n "$uninstalling" ] || check_words
}

check_words() {
  case $sum in
    '') ;;
    *[!0-9a-f]*) give_up "--sha256 holds no checksum as the console shows it" ;;
    *) [ ${#sum} -eq 64 ] || give_up "--sha256 holds no checksum as the console shows it" ;;
  esac
  check_server
  if [ -n "$token_file" ] && [ -z "$token" ]; then read_token; fi
  case $token in *[!A-Za-z0-9._~-]*) give_up "this is no token as the console shows them" ;; esac
}

# Over http:// everybody on the way can read the token and change the program, which then runs as root.
check_server() {
  server=${server%/}
  case $server in
    *[!][A-Za-z0-9.:/_~%-]*) give_up "--server holds a character that no address of a console has" ;;
    https://?*) return 0 ;;
    http://?*) ;;
    *) give_up "--server is the console's address and starts with https:// or http://" ;;
  esac
  host=${server#http://}
  host=${host%%/*}
  case $host in
    localhost | localhost:* | '[::1]' | '[::1]:'*) return 0 ;;
    127.*) case ${host%%:*} in *[!0-9.]*) ;; *) return 0 ;; esac ;;
  esac
  [ -n "$allow_http" ] ||
    give_up "$server is not encrypted: others on the network could change what is installed here. Give --server https://…, or --allow-http if you trust the network between this machine and the console."
}

read_token() {
  if [ "$token_file" = - ]; then
    if [ -t 0 ]; then printf 'Token: '; fi
    IFS= read -r token || [ -n "$token" ] || give_up "--token-file -: there is no token on standard input"
  else
    [ -r "$token_file" ] || give_up "--token-file: cannot read $token_file"
    token=$(head -n 1 "$token_file")
  fi
  token=$(printf '%s' "$token" | tr -d ' \t\r')
  [ -n "$token" ] || give_up "--token-file holds no token"
}

# Leaves `file`, the executable for this machine, empty where there is none.
find_platform() {
  file=''
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) return 0 ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=amd64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) return 0 ;;
  esac
  if is_musl; then arch=$arch-musl; fi
  file=wakeful-$os-$arch
}

# Some systems have both C libraries; there the usual build runs.
is_musl() { exists "$root"/lib/ld-musl-*.so.1 && ! exists "$root"/lib*/ld-linux*.so.*; }

exists() { [ -e "$1" ]; }

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

# fetch ADDRESS FILE
fetch() {
  if have curl; then
    curl -fsSL --connect-timeout 15 -o "$2" "$1"
  elif have wget; then
    # No -T: Debian's BusyBox crashes over it.
    wget -q -O "$2" "$1"
  else
    give_up "curl or wget is needed"
  fi || give_up "could not download $1"
}

# fetch_unpacked ADDRESS FILE: fetches the smallest form that the console has and this machine can unpack.
fetch_unpacked() {
  for form in xz zst gz; do
    case $form in xz) tool=xz ;; zst) tool=zstd ;; gz) tool=gzip ;; esac
    have "$tool" || continue
    if { if have curl; then curl -fsSL --connect-timeout 15 "$1.$form"; else wget -q -O - "$1.$form"; fi; } 2>/dev/null |
      "$tool" -dc >"$2" 2>/dev/null && [ -s "$2" ]; then return; fi
  done
  fetch "$1" "$2"
}

checksum() {
  if have sha256sum; then
    sha256sum "$1"
  elif have shasum; then
    shasum -a 256 "$1"
  else
    openssl dgst -sha256 -r "$1"
  fi | cut -d ' ' -f 1
}

clean_up() { rm -rf "$draft" "$root$settings.new"; }

# The new program lies beside the old one until it is known to be whole and to run; then it takes its place at once.
install_program() {
  have sha256sum || have shasum || have openssl || give_up "sha256sum, shasum or openssl is needed to check the download"
  mkdir -p "$root/usr/local/bin"
  draft=$(mktemp -d "$root/usr/local/bin/.wakeful.XXXXXX")
  if [ "$kind" != light ] && ! install_executable; then
    [ -z "$kind" ] || give_up "$unfit Nothing was installed."
    say "The light agent is installed: $unfit"
    kind=light
  fi
  if [ "$kind" = light ]; then install_light; else command="$program agent"; fi
}

# expect ADDRESS SUM: the download's checksum, as the command names it or else as the console says, in `expected`.
expect() {
  expected=$2
  [ -z "$expected" ] || return 0
  fetch "$1.sha256" "$draft/sum"
  expected=$(cut -d ' ' -f 1 "$draft/sum" | head -n 1)
  [ ${#expected} -eq 64 ] || give_up "$1.sha256 holds no checksum"
}

# accept FILE HINT
accept() {
  found=$(checksum "$1")
  [ "$found" = "$expected" ] ||
    give_up "the download is damaged or was tampered with: its checksum is $found, not $expected. Nothing was installed.$2"
  chmod 755 "$draft" "$1"
}

# Fails, with the reason in `unfit`, where the program does not run.
install_executable() {
  [ -n "$file" ] || give_up "there is no executable for $(uname -s) on $(uname -m) processors; --light installs a script"
  say "Downloading $server/downloads/$file …"
  # The page's command names the checksum of the usual build.
  case $file in *-musl) expect "$server/downloads/$file" '' ;; *) expect "$server/downloads/$file" "$sum" ;; esac
  fetch_unpacked "$server/downloads/$file" "$draft/wakeful"
  hint=''
  [ -z "$sum" ] || hint=" The command is for one kind of machine: choose $os and $arch on the page, and copy it again."
  accept "$draft/wakeful" "$hint"
  unfit="the downloaded program does not run on this system. It needs the GNU C library 2.17 or musl with libstdc++, on amd64 a processor with x86-64-v2 (SSE4.2), and a $root/usr/local/bin that is not mounted noexec."
  "$draft/wakeful" version >/dev/null 2>&1 || return 1
  mv -f "$draft/wakeful" "$root$program"
  rm -f "$root$light"
}

stop_updates() {
  [ -e "$root$update.timer" ] || return 0
  systemctl disable --quiet --now wakeful-agent-update.timer || true
  rm -f "$root$update.service" "$root$update.timer" "$root/var/lib/systemd/timers/stamp-wakeful-agent-update.timer"
}

install_light() {
  have curl || have wget || give_up "the light agent needs curl or wget"
  say "Downloading $server/agent.sh …"
  expect "$server/agent.sh" ''
  fetch "$server/agent.sh" "$draft/agent.sh"
  accept "$draft/agent.sh" ''
  "$draft/agent.sh" version >/dev/null 2>&1 ||
    give_up "the light agent does not run on this system: it needs a POSIX shell, and a $root/usr/local/bin that is not mounted noexec. Nothing was installed."
  mv -f "$draft/agent.sh" "$root$light"
  [ -n "$kept" ] || rm -f "$root$program"
  stop_updates
  command=$light
}

# setting NAME: what an earlier installation was told.
setting() { sed -n "s/^$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "$root$settings" 2>/dev/null || true; }

state_folder() {
  folder=$(setting WAKEFUL_STATE)
  say "${folder:-$state}"
}

is_enrolled() { [ -e "$root$(state_folder)/agent.json" ]; }

# Whether a service other than the agent's runs the program, as a console on the same machine does.
is_used_elsewhere() {
  grep -lsF -- "$program" "$root"/etc/systemd/system/*.service | grep -qvE '/wakeful-agent(-update)?\.service$'
}

read_settings() {
  [ -n "$token" ] || token=$(setting WAKEFUL_TOKEN)
  [ -n "$token" ] || is_enrolled ||
    give_up "a token is needed (--token-file FILE, or - for standard input); the console's page that adds a server makes one"
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

# Home folders stay in sight, since disks lie below them, and the names of programs, since the largest are reported. In a
# container a fresh /proc would show the host's figures. GPUs of NVIDIA are read through their devices.
write_unit() {
  mkdir -p "$root/etc/systemd/system"
  proc='ProtectKernelTunables=yes
'
  if [ -e "$root/run/systemd/container" ]; then proc=''; fi
  devices='PrivateDevices=yes'
  if [ -e "$root/dev/nvidiactl" ]; then
    devices='DevicePolicy=closed
DeviceAllow=char-nvidia* rw'
  fi
  cat >"$root$unit.new" <<UNIT
[Unit]
Description=Wakeful host agent
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=$command start
EnvironmentFile=$settings
# Less memory, and enough threads for disks that do not answer.
Environment=BUN_JSC_useJIT=0 UV_THREADPOOL_SIZE=16
User=$account
StateDirectory=wakeful-agent
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=10
# 78: a person has to look, as when the server was deleted in the console.
RestartPreventExitStatus=78
TimeoutStopSec=15
MemoryMax=128M
TasksMax=64
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=read-only
ProtectControlGroups=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectClock=yes
ProtectHostname=yes
${proc}PrivateTmp=yes
${devices}
PrivateIPC=yes
PrivateUsers=yes
RemoveIPC=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
LockPersonality=yes
MemoryDenyWriteExecute=yes

[Install]
WantedBy=multi-user.target
UNIT
  chmod 644 "$root$unit.new"
  mv -f "$root$unit.new" "$root$unit"
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
    reason=$(printf '%s\n' "$answer" | sed -n 's/^state  *//p')
    refused=$(printf '%s\n' "$answer" | sed -n 's/^token  *refused: //p')
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
  if [ -n "$refused" ] && [ -n "$changed" ]; then go_back "the new token was refused: $refused"; fi
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

# A timer of root's: the agent itself may not change its program.
start_updates() {
  if [ "$service" != systemd ] || [ "$kind" = light ]; then
    say "--auto-update needs systemd and the executable. Run this script again to update the agent, from time to time."
    return 0
  fi
  if [ -n "$kept" ]; then
    say "--auto-update would also replace the program of another service: update it by hand."
    return 0
  fi
  code=0
  releases=$(setting WAKEFUL_RELEASES)
  answer=$("$root$program" agent update --check ${releases:+--releases "$releases"} 2>&1) || code=$?
  if [ "$code" -eq 78 ]; then
    say "Updates stay off: ${answer#wakeful agent: }"
    return 0
  fi
  cat >"$root$update.service" <<UNIT
[Unit]
Description=Update of the Wakeful host agent
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
ExecStart=$program agent update
# Only what the agent was told, without its token.
EnvironmentFile=$settings
SuccessExitStatus=3
PrivateTmp=yes
ProtectHome=yes
ProtectSystem=strict
ReadWritePaths=/usr/local/bin
UNIT
  cat >"$root$update.timer" <<UNIT
[Unit]
Description=Daily update of the Wakeful host agent

[Timer]
OnCalendar=daily
RandomizedDelaySec=4h
Persistent=yes

[Install]
WantedBy=timers.target
UNIT
  chmod 644 "$root$update.service" "$root$update.timer"
  systemctl daemon-reload
  systemctl enable --quiet --now wakeful-agent-update.timer
  say "It looks for a signed update each day: systemctl list-timers wakeful-agent-update"
}

install_agent() {
  read_settings
  find_platform
  find_service
  choose_kind
  draft=''
  trap clean_up EXIT
  trap 'exit 1' HUP INT TERM
  # Before anything is changed: where it cannot be written, nothing may be left.
  draft_settings
  install_program
  place_settings
  if [ "$service" != none ]; then
    start_service
  else
    rm -f "$root$settings.before"
    say "${command%% *} is installed. No service was made, so start it yourself, at best at each boot:"
    say "  sh -c 'set -a; . $settings; exec $command start'"
  fi
}

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
    say "The agent is gone from this machine. Its entry in the console stays until you delete it there."
  fi
}

main() {
  read_words "$@"
  if [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
    give_up "this has to run as root: put sudo before sh, as in: curl -fsSL $server/install.sh | sudo sh -s -- …"
  fi
  if [ -n "$uninstalling" ]; then uninstall_agent; else install_agent; fi
}

# Last, so that a download that was cut short does nothing.
main "$@"
