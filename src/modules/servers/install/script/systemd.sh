# shellcheck shell=sh
# The units of systemd.

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
# 78: a person has to look, as when the server was deleted on the hub.
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
Environment=BUN_JSC_useJIT=0
UMask=0077
MemoryMax=512M
TasksMax=64
NoNewPrivileges=yes
# It reads how the agent stands in the folder of the agent's user, and which program that runs.
CapabilityBoundingSet=CAP_DAC_READ_SEARCH CAP_SYS_PTRACE
AmbientCapabilities=
ProtectSystem=strict
ReadWritePaths=/usr/local/bin
ProtectHome=yes
ProtectControlGroups=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectKernelLogs=yes
ProtectClock=yes
ProtectHostname=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateIPC=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
# Systemd, which starts the agent again, is asked by AF_UNIX.
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
LockPersonality=yes
MemoryDenyWriteExecute=yes
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

stop_updates() {
  [ -e "$root$update.timer" ] || return 0
  systemctl disable --quiet --now wakeful-agent-update.timer || true
  rm -f "$root$update.service" "$root$update.timer" "$root/var/lib/systemd/timers/stamp-wakeful-agent-update.timer"
}
