# shellcheck shell=sh
# Puts a version in its place, with the way back:
#   backup of the stopped hub → executable, unit and settings, the old ones beside them → start → health
# Each step is a rename, so that an interruption leaves whole files; the next run finds those of before and goes back.

installed_version() { "$program" version 2>/dev/null </dev/null || true; }

install_hub() {
  draft=''
  check_places
  end_interrupted
  bring_executable
  old=''
  if [ -e "$unit" ]; then old=$(installed_version); fi
  if [ -n "$old" ] && [ "$old" != "$version" ] && [ "$(printf '%s\n' "$old" "$version" | sort -V | head -n 1)" = "$version" ]; then
    give_up "version $version is older than $old, which is installed, and may not work with its database. To go back, restore a backup with the executable that made it. Nothing was changed."
  fi
  draft_settings
  check_port
  add_account
  check_settings
  print_unit >"$draft/unit"
  if [ -n "$ping" ]; then allow_ping; fi
  if is_unchanged; then
    say "Nothing to change."
  elif [ -n "$old" ] || [ -n "$present" ]; then
    upgrade
  else
    place_files
    start_hub || refuse_first
    forget_previous
  fi
  say_where
  mention_ping
}

is_unchanged() {
  cmp -s "$draft/wakeful" "$program" && cmp -s "$settings.new" "$settings" && cmp -s "$draft/unit" "$unit" &&
    systemctl is-enabled --quiet wakeful && systemctl is-active --quiet wakeful && is_healthy
}

refuse_first() {
  systemctl disable --quiet --now wakeful || true
  forget_previous
  give_up "Wakeful $version is installed, but $reason${newline}Mend that, and run this again."
}

# keep FILE: the file is also there under another name.
keep() { if [ -e "$1" ]; then ln -f "$1" "$1.previous"; fi; }

place_files() {
  keep "$program"
  keep "$unit"
  keep "$settings"
  mv -f "$draft/wakeful" "$program"
  mv -f "$settings.new" "$settings"
  cp "$draft/unit" "$unit.new"
  mv -f "$unit.new" "$unit"
}

# Fails where it could not be made.
make_backup() {
  copy=$data/before-upgrade/wakeful-${old:-unknown}-$(date +%Y%m%d-%H%M%S).db
  say "Making a backup: $copy …"
  maker=$program
  [ -x "$maker" ] || maker=$draft/wakeful
  # The service's user does all of it: root must not write where that user could lay links.
  as_service "$settings" mkdir -p "${copy%/*}" && as_service "$settings" "$maker" backup "$copy" || return 1
  for path in $(find "${copy%/*}/" -maxdepth 1 -name '*.db' -printf '%T@ %p\n' | sort -rn | tail -n +4 | cut -d ' ' -f 2); do
    as_service "$settings" rm -f "$path"
  done
  backup=$copy
}

upgrade() {
  backup=''
  needs_backup=''
  message="Upgrading from ${old:-the data of an earlier installation} to $version …"
  if cmp -s "$draft/wakeful" "$program"; then
    no_backup=1
    message="Changing the settings or the unit …"
  fi
  if [ -n "$present" ] && [ -z "$no_backup" ]; then needs_backup=1; fi
  if [ -z "$no_backup" ] && uses_postgres; then
    give_up "the data is in PostgreSQL: make a backup with pg_dump, then run this again with --no-backup. Nothing was changed."
  fi
  if uses_postgres; then needs_backup=''; fi
  if [ -n "$needs_backup" ]; then check_room "$data" "$(kilobytes "$data/wakeful.db" "$data/wakeful.db-wal")" "the backup"; fi
  say "$message"
  # From here on an interruption goes back, too.
  trap 'reason="was interrupted."; go_back' HUP INT TERM
  systemctl stop wakeful 2>/dev/null || true
  if [ -n "$needs_backup" ]; then
    if ! make_backup; then
      [ -z "$old" ] || systemctl start wakeful || true
      give_up "the backup could not be made, so nothing was changed.${old:+ Version $old runs again.}"
    fi
    say "$backup" >"$unfinished"
  fi
  place_files
  if ! start_hub; then go_back; fi
  trap 'exit 130' HUP INT TERM
  forget_previous
}

forget_previous() { rm -f "$program.previous" "$unit.previous" "$settings.previous" "$unfinished"; }

# Puts back what was there before, with its data: nothing was written to it between the backup and the start.
restore_previous() {
  systemctl stop wakeful 2>/dev/null || true
  for path in "$program" "$unit" "$settings"; do
    if [ -e "$path.previous" ]; then mv -f "$path.previous" "$path"; fi
  done
  if [ -n "$backup" ]; then
    # It is gone where an interrupted run had put it back already.
    if [ -e "$backup" ]; then
      as_service "$settings" rm -f "$data/wakeful.db-wal" "$data/wakeful.db-shm" &&
        as_service "$settings" mv -f "$backup" "$data/wakeful.db"
    fi ||
      give_up "the backup could not be put back: stop wakeful and run wakeful restore $backup"
  fi
  forget_previous
}

go_back() {
  trap '' HUP INT TERM
  failure=$reason
  say "Going back …"
  restore_previous
  if [ -z "$old" ]; then
    systemctl disable --quiet --now wakeful 2>/dev/null || true
    give_up "version $version $failure${newline}The data in $data is as it was."
  fi
  if start_hub; then
    give_up "version $version $failure${newline}Version $old is back with its data."
  fi
  give_up "version $version $failure${newline}Version $old is back, and $reason"
}

# An earlier run that was killed: done if the service is healthy, undone otherwise.
end_interrupted() {
  if [ ! -e "$program.previous" ] && [ ! -e "$unit.previous" ] && [ ! -e "$settings.previous" ] && [ ! -e "$unfinished" ]; then return; fi
  if ! systemctl is-active --quiet wakeful || ! is_healthy; then
    say "An earlier upgrade was interrupted: its beginning is restored first."
    backup=$(cat "$unfinished" 2>/dev/null || true)
    restore_previous
    systemctl daemon-reload
  fi
  forget_previous
}
