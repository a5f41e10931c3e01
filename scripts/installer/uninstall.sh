# shellcheck shell=sh
# Removes the service. Data, settings and the user stay, unless all of it shall go.

uninstall_hub() {
  if [ -e "$unit" ] && ! is_ours; then give_up "$unit was not written by this script. Nothing was changed."; fi
  found=''
  if [ -e "$unit" ]; then found=1; fi
  systemctl disable --quiet --now wakeful 2>/dev/null || true
  rm -f "$unit" "$unit.previous" "$program.previous" "$settings.previous" "$unfinished"
  kept=''
  if is_used_elsewhere; then kept=" $program stays, because another service runs it."; elif [ -n "$found" ]; then rm -f "$program" "$program.before" "$program.new"; fi
  if [ -n "$purging" ]; then purge; fi
  systemctl daemon-reload
  systemctl reset-failed wakeful 2>/dev/null || true
  if [ -n "$purging" ]; then
    say "Wakeful is gone, with its data and settings.$kept"
  elif [ -z "$found" ]; then
    say "Wakeful is not installed as a service here."
  else
    say "Wakeful is gone. Its data is still in $data, its settings are in ${settings%/*}: --purge removes them.$kept"
  fi
}

purge() {
  # The folder itself may be a mount, and other filesystems may be mounted below it.
  find "$data/" -xdev -mindepth 1 -delete 2>/dev/null || true
  if [ -e "$data" ] && ! rmdir "$data" 2>/dev/null; then say "$data stays: it is a mount, or holds one."; fi
  rm -rf "${settings%/*}" "$unit.d" "$sysctl"
  if id -u "$account" >/dev/null 2>&1 && have userdel; then userdel "$account" || true; fi
  if grep -q "^$account:" /etc/group && have groupdel; then groupdel "$account" || true; fi
}
