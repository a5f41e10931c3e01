#!/bin/sh
# Installs the Wakeful host agent as root. The page that adds a server shows the whole command:
#   echo TOKEN | sudo sh -c "$(curl -fsSL ADDRESS/install.sh)" install.sh --server ADDRESS --sha256 SUM … --token-file -
# Brings it up to date, with its settings kept:
#   curl -fsSL ADDRESS/install.sh | sudo sh -s -- --server ADDRESS
# Removes it with everything that this script made:
#   curl -fsSL ADDRESS/install.sh | sudo sh -s -- --uninstall
# More options: --interval SECONDS, --name NAME, --token TOKEN (which all users of the machine can see while it runs),
# --allow-http (for an address that starts with http://, or leads to one), --light (the agent as a shell script), --executable (the opposite,
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

# The hub serves this script and its parts as one file.
# shellcheck source=src/modules/servers/install/script/words.sh
. script/words.sh
# shellcheck source=src/modules/servers/install/script/platform.sh
. script/platform.sh
# shellcheck source=src/modules/servers/install/script/detect.sh
. script/detect.sh
# shellcheck source=src/modules/servers/install/script/download.sh
. script/download.sh
# shellcheck source=src/modules/servers/install/script/fetch.sh
. script/fetch.sh
# shellcheck source=src/modules/servers/install/script/files.sh
. script/files.sh
# shellcheck source=src/modules/servers/install/script/systemd.sh
. script/systemd.sh
# shellcheck source=src/modules/servers/install/script/openrc-and-cron.sh
. script/openrc-and-cron.sh
# shellcheck source=src/modules/servers/install/script/start.sh
. script/start.sh
# shellcheck source=src/modules/servers/install/script/uninstall.sh
. script/uninstall.sh

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

main() {
  read_words "$@"
  if [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
    give_up "this has to run as root: put sudo before sh, as in: curl -fsSL $server/install.sh | sudo sh -s -- …"
  fi
  if [ -n "$uninstalling" ]; then uninstall_agent; else install_agent; fi
}

# Last, so that a download that was cut short does nothing.
main "$@"
