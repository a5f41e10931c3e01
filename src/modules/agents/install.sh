#!/bin/sh
# Installs the Wakeful host agent, or brings it up to date:
#   curl -fsSL ADDRESS/install.sh | sh -s -- --token TOKEN [--interval 60] [--name NAME]
# and takes it away again, with everything that this script made:
#   curl -fsSL ADDRESS/install.sh | sh -s -- --uninstall
set -eu

server='@SERVER@'
# Everything is put below this folder; empty but for tests.
root=${WAKEFUL_ROOT:-}
program=/usr/local/bin/wakeful
settings=/etc/wakeful-agent.env
unit=/etc/systemd/system/wakeful-agent.service
state=/var/lib/wakeful-agent
account=wakeful-agent
newline='
'
kept_mark='# The program was here before, and stays.'

say() { printf '%s\n' "$*"; }

give_up() {
  printf 'wakeful: %s\n' "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

has_systemd() { have systemctl && [ -d "$root/run/systemd/system" ]; }

read_words() {
  token='' interval='' name='' uninstalling=''
  while [ $# -gt 0 ]; do
    case $1 in
      --uninstall) uninstalling=1 ;;
      --token | --interval | --name)
        [ $# -gt 1 ] || give_up "$1 needs a value"
        case $1 in
          --token) token=$2 ;;
          --interval) interval=$2 ;;
          --name) name=$2 ;;
        esac
        shift
        ;;
      *) give_up "there is no option $1 (there are --token, --interval, --name and --uninstall)" ;;
    esac
    shift
  done
  case $token in *[!A-Za-z0-9._~-]*) give_up "--token holds no token as the console shows them" ;; esac
  case $interval in *[!0-9]* | ??????*) give_up "--interval is a number of seconds from 1 to 86400" ;; esac
  if [ -n "$interval" ] && { [ "$interval" -lt 1 ] || [ "$interval" -gt 86400 ]; }; then
    give_up "--interval is a number of seconds from 1 to 86400"
  fi
  # The name stands between double quotes in a file that a shell may read.
  case $name in *[\"\\\$\`]* | *"$newline"*) give_up "--name may hold no quotes, backslashes or dollar signs" ;; esac
}

find_platform() {
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) give_up "there is no agent for $(uname -s)" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=amd64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) give_up "there is no agent for $(uname -m) processors" ;;
  esac
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

checksum() {
  if have sha256sum; then
    sha256sum "$1"
  elif have shasum; then
    shasum -a 256 "$1"
  else
    openssl dgst -sha256 -r "$1"
  fi | cut -d ' ' -f 1
}

# The new program lies beside the old one until it is known to be whole and to run; then it takes its place at once.
install_program() {
  have sha256sum || have shasum || have openssl || give_up "sha256sum, shasum or openssl is needed to check the download"
  file=wakeful-$os-$arch
  mkdir -p "$root/usr/local/bin"
  draft=$(mktemp -d "$root/usr/local/bin/.wakeful.XXXXXX")
  trap 'rm -rf "$draft"' EXIT
  trap 'exit 1' HUP INT TERM
  say "Downloading $server/downloads/$file …"
  fetch "$server/downloads/$file.sha256" "$draft/sum"
  fetch "$server/downloads/$file" "$draft/wakeful"
  expected=$(cut -d ' ' -f 1 "$draft/sum" | head -n 1)
  [ ${#expected} -eq 64 ] || give_up "$server/downloads/$file.sha256 holds no checksum"
  found=$(checksum "$draft/wakeful")
  [ "$found" = "$expected" ] ||
    give_up "the download is damaged or was tampered with: its checksum is $found, not $expected. Nothing was installed."
  chmod 755 "$draft" "$draft/wakeful"
  "$draft/wakeful" version >/dev/null 2>&1 ||
    give_up "the downloaded program does not run on this system (it needs the GNU C library). Nothing was installed."
  mv -f "$draft/wakeful" "$root$program"
}

# setting NAME: what an earlier installation was told.
setting() { sed -n "s/^$1=\"\(.*\)\"\$/\1/p" "$root$settings" 2>/dev/null || true; }

read_settings() {
  [ -n "$token" ] || token=$(setting WAKEFUL_TOKEN)
  [ -n "$token" ] || give_up "--token is needed; the console's page that adds a server makes one"
  [ -n "$interval" ] || interval=$(setting WAKEFUL_INTERVAL)
  [ -n "$name" ] || name=$(setting WAKEFUL_NAME)
  kept=''
  if [ -e "$root$settings" ]; then
    ! grep -qxF "$kept_mark" "$root$settings" || kept=1
  elif [ -e "$root$program" ]; then
    kept=1
  fi
}

# Only root can read it: it holds the token.
write_settings() {
  mkdir -p "$root/etc"
  (
    umask 077
    {
      say "# Settings of the Wakeful host agent. Restart it after a change: systemctl restart wakeful-agent"
      [ -z "$kept" ] || say "$kept_mark"
      say "WAKEFUL_SERVER=\"$server\""
      say "WAKEFUL_TOKEN=\"$token\""
      say "WAKEFUL_INTERVAL=\"${interval:-60}\""
      [ -z "$name" ] || say "WAKEFUL_NAME=\"$name\""
    } >"$root$settings.new"
  )
  mv -f "$root$settings.new" "$root$settings"
}

# Home folders and kernel settings stay in sight, since disks lie below the one and containers' figures in the other.
write_unit() {
  mkdir -p "$root/etc/systemd/system"
  cat >"$root$unit.new" <<UNIT
[Unit]
Description=Wakeful host agent
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=$program agent start
EnvironmentFile=$settings
Environment=BUN_JSC_useJIT=0
User=$account
StateDirectory=wakeful-agent
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=10
# 78: a person has to look, as when the machine was removed from the console.
RestartPreventExitStatus=78
TimeoutStopSec=15
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=read-only
ProtectControlGroups=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectClock=yes
PrivateTmp=yes
PrivateDevices=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
LockPersonality=yes
MemoryDenyWriteExecute=yes

[Install]
WantedBy=multi-user.target
UNIT
  chmod 644 "$root$unit.new"
  mv -f "$root$unit.new" "$root$unit"
}

add_account() {
  if id "$account" >/dev/null 2>&1; then return; fi
  if have useradd; then
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$account"
  elif have adduser; then
    adduser -S -D -H -h /nonexistent -s /sbin/nologin "$account"
  else
    give_up "useradd is needed to give the agent a user of its own"
  fi
}

start_service() {
  add_account
  write_unit
  systemctl daemon-reload
  systemctl enable --quiet wakeful-agent
  systemctl restart wakeful-agent
  sleep "${WAKEFUL_PATIENCE:-3}"
  systemctl is-active --quiet wakeful-agent ||
    give_up "the agent is installed but does not run. See: journalctl -u wakeful-agent -n 20"
  say "The agent runs and reports to $server every ${interval:-60} s. Its log: journalctl -u wakeful-agent"
}

install_agent() {
  read_settings
  find_platform
  install_program
  write_settings
  if has_systemd; then
    start_service
  else
    say "$program is installed. This system has no systemd, so start it yourself, at best at each boot:"
    say "  sh -c 'set -a; . $settings; exec $program agent start'"
  fi
}

uninstall_agent() {
  kept=''
  if grep -qxF "$kept_mark" "$root$settings" 2>/dev/null; then kept=1; fi
  if [ -e "$root$unit" ]; then
    if has_systemd; then systemctl disable --quiet --now wakeful-agent || true; fi
    rm -f "$root$unit"
    if has_systemd; then systemctl daemon-reload || true; fi
  fi
  if id "$account" >/dev/null 2>&1; then
    if have userdel; then userdel "$account"; elif have deluser; then deluser "$account"; fi || true
  fi
  [ -n "$kept" ] || ! [ -e "$root$settings" ] || rm -f "$root$program"
  rm -rf "$root$settings" "$root$state"
  say "The agent is gone from this machine. Its entry in the console stays until you delete it there."
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
