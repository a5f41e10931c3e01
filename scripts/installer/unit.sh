# shellcheck shell=sh
# The unit of systemd.

# CAP_NET_RAW, capset and setuid let the service start `ping`, which may demand them of its caller. NoNewPrivileges keeps
# the service itself from having the capability.
print_unit() {
  cat <<UNIT
# Written by the install script, which replaces it. To change something: systemctl edit wakeful
[Unit]
Description=Wakeful monitoring
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
ExecStart=$program
# A new version may first have to move a large database to its schema.
TimeoutStartSec=infinity
WatchdogSec=120
Environment=DATA_DIR=$data
EnvironmentFile=-$settings
User=$account
StateDirectory=wakeful
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=2
TimeoutStopSec=15
LimitNOFILE=65536
NoNewPrivileges=yes
CapabilityBoundingSet=CAP_NET_RAW
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
PrivateIPC=yes
RemoveIPC=yes
ProtectProc=invisible
ProtectHostname=yes
ProtectClock=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallFilter=capset setuid
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
UNIT
}
