# The programs that scripts/test needs besides Bun, and a PostgreSQL of its own.
# shellcheck shell=sh

at_most() {
  seconds=$1
  shift
  if have timeout; then timeout -k 10 "$seconds" "$@"; else "$@"; fi
}

find_chromium() {
  for name in "${CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome; do
    [ -n "$name" ] && command -v "$name" && return
  done
  return 1
}

# The folder of PostgreSQL's programs, which Debian keeps off PATH.
find_postgres() {
  for file in "$(command -v initdb)" /usr/lib/postgresql/*/bin/initdb; do
    [ -x "$file" ] && dirname "$file" && return
  done
  return 1
}

missing_packages() {
  find_chromium >/dev/null || echo chromium-headless-shell
  [ -e /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc ] || echo fonts-noto-cjk
  find_postgres >/dev/null || echo postgresql
  have nginx || [ -x /usr/sbin/nginx ] || echo nginx-light
  have shellcheck || echo shellcheck
  have busybox || echo busybox-static
  for tool in strace mawk gawk wget mksh posh; do have "$tool" || echo "$tool"; done
  have ksh93 || echo ksh93u+m
  have promtool || echo prometheus
  have oathtool || echo oathtool
  missing_systems
  missing_services
}

# What scripts/systems runs agents on: another C library, other processors, and a container that systemd boots.
missing_systems() {
  [ -e /lib/ld-musl-x86_64.so.1 ] || echo musl
  have gcc || echo gcc libc6-dev
  have qemu-x86_64 || echo qemu-user
  [ -e /usr/aarch64-linux-gnu/lib/libc.so.6 ] || echo libc6-arm64-cross
  have systemd-nspawn || echo systemd-container dbus
}

# Daemons that scripts/services checks, as pairs of a program and Debian's package.
missing_services() {
  while read -r program package; do
    [ -x "/usr/sbin/$program" ] || [ -e "/usr/lib/$program" ] || have "$program" || echo "$package"
  done <<END
redis-server redis-server
mosquitto mosquitto
mariadbd mariadb-server
vsftpd vsftpd
sshd openssh-server
postfix postfix
dovecot/imap dovecot-imapd
dovecot/pop3 dovecot-pop3d
openssl openssl
named bind9
dnsmasq dnsmasq-base
ping iputils-ping
ip iproute2
cron cron
curl curl
caddy caddy
END
}

# Packages must not start services of their own: run level 1 says so to most of them, and this policy to all.
policy=/usr/sbin/policy-rc.d
own_policy=

forbid_services() {
  [ -e "$policy" ] && return
  printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy" && own_policy=yes
}

allow_services() {
  [ -z "$own_policy" ] || rm -f "$policy"
  own_policy=
}

# install_tools FOLDER: its log goes there.
install_tools() {
  log=$1/apt.log
  missing=$(missing_packages | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -eq 0 ] && have apt-get; then
    say "Installing what the tests need: $missing…"
    forbid_services
    export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
    # shellcheck disable=SC2086 # one word for each package
    if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } </dev/null >"$log" 2>&1; then
      tail -n 20 "$log" >&2
      say "apt-get could not install all of it; the tests that need it will fail."
    fi
    allow_services
  else
    say "These are missing, and the tests that need them will fail: $missing(Debian's names; CHROMIUM may name a browser)."
  fi
}

cluster=

# PostgreSQL refuses to run as root.
as_owner() {
  if [ "$(id -u)" -eq 0 ]; then su -s /bin/sh "$owner" -c "$1"; else sh -c "$1"; fi
}

# A cluster that is as quick as it is careless, on a free port; its address is left in `postgres`.
# start_postgres FOLDER: its log goes there.
start_postgres() {
  log=$1/postgres.log
  programs=$(find_postgres) || return 1
  owner=nobody
  if id postgres >/dev/null 2>&1; then owner=postgres; fi
  cluster=$(mktemp -d)
  if [ "$(id -u)" -eq 0 ]; then chown "$owner" "$cluster"; fi
  port=$(bun -e 'const l = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } }); console.log(l.port); l.stop()')
  options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=400 -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
  as_owner "cd '$cluster' && '$programs/initdb' -D data -U postgres -A trust -E UTF8 --locale=C --no-sync" >"$log" 2>&1
  if ! as_owner "cd '$cluster' && '$programs/pg_ctl' -D data -l log -w -t 60 -o '$options' start" </dev/null >>"$log" 2>&1; then
    cat "$log" "$cluster/log" >&2
    return 1
  fi
  # shellcheck disable=SC2034 # read by scripts/test
  postgres=postgres://postgres@127.0.0.1:$port/postgres
}

stop_postgres() {
  [ -n "$cluster" ] || return 0
  as_owner "cd '$cluster' && '$programs/pg_ctl' -D data -m immediate -w stop" >/dev/null 2>&1
  rm -rf "$cluster"
  cluster=
}
