#!/bin/sh
# The light host agent of Wakeful: measures this machine and reports it to a hub, as the program `wakeful agent` does, with
# a POSIX shell, its usual tools (awk, df, date …), and curl, GNU wget, or BusyBox' nc for addresses that start with http://.
# It only reads and sends: nothing that a hub answers is ever run. `agent.sh help` explains its options.
# shellcheck disable=SC2015,SC2016,SC3045 # `a && b || c` where b never fails, awk's own dollar signs, `read -t` after a trial
set -fu
umask 077
export LC_ALL=C
version='@VERSION@'
root=${WAKEFUL_ROOT:-} # the system's files are read below this folder; empty but for tests
capacity=1440           # samples that wait for the hub at most: a day at one a minute
return=$(printf '\r') newline=$(printf '\n.') && newline=${newline%.}
help="usage: agent.sh start|status|version [options]
start enrolls, if that was not done before, and reports until stopped; status exits 0 if the agent reports, 1 if not.
  --server URL             the hub's address
  --token-file FILE        a file that holds a token from the hub, for the first start; - is standard input
  --token TOKEN            the token itself, for all users to see
  --interval SECONDS       between two samples, 60 by default
  --name NAME              what the hub calls it at first
  --state DIR              where its key and waiting samples are kept
  --interfaces GLOBS       network interfaces to count, as in eth*,!eth1
  --network-filesystems    count NFS, SMB and the like as disks, too
Each may come from the environment instead: --token-file is WAKEFUL_TOKEN_FILE there. It exits 0 when it is asked to stop, and
78 when a restart cannot help: a wrong option, a first token that is refused, or a server that was deleted on the hub."
figures='@FIGURES@'
have() { command -v "$1" >/dev/null 2>&1; }
quote() { quoted=\"$(printf %s "$1" | sed 's/[\\"]/\\&/g' | tr '[:cntrl:]' ' ')\"; } # leaves a text as a JSON string in `quoted`
tame() { printf '%.300s' "$1" | tr -c ' -~' ' '; } # prints at most 300 printable characters of what a hub says
field() { # NAME JSON: leaves a text without escapes, or a whole number, in `value`
  case $2 in
    *"\"$1\":\""*) value=${2#*"\"$1\":\""} && value=${value%%\"*} ;;
    *"\"$1\":"[0-9]*) value=${2#*"\"$1\":"} && value=${value%%[!0-9]*} ;;
    *) value='' ;;
  esac
}
now() { # leaves hundredths of a second of a clock that is never set in `ticks`
  read -r ticks _ <"$root/proc/uptime" || ticks=$(date +%s).00
  random=1${ticks#*.} && ticks=$((${ticks%.*} * 100 + random - 100))
} 2>/dev/null
# chance LIMIT: leaves a number from 0 to the limit in `random`.
chance() { seed=$(((seed * 1103515245 + ticks + 12345) % 2147483648)) && random=$((seed / 16 % ($1 + 1))); }
log() { printf '%s%s\n' "$([ -n "${JOURNAL_STREAM:-}" ] || date -u '+%Y-%m-%dT%H:%M:%SZ ')" "$1"; } 2>/dev/null
fatal() { # ends where a restart cannot help
  [ -z "$started" ] || { store_samples && tell_state false "$1"; }
  printf 'wakeful agent: %s\n' "$1" >&2
  exit 78
}
write_whole() { { printf '%s\n' "$2" >"$1.new" && mv -f "$1.new" "$1"; } 2>/dev/null; }
tell_state() { # HEALTHY TEXT: what `agent.sh status` shows
  quote "$2" && text="\"since\":\"$(date -u +%Y-%m-%dT%H:%M:%S.000Z)\",\"healthy\":$1,\"text\":$quoted" && quote "$refused"
  write_whole "$state/status.json" "{\"process\":$$,$text${refused:+,\"refused\":$quoted}}" || true
}
ask_disk() { # prints how full a disk is, or why that cannot be read. A file that a container engine mounts is no disk
  path=$(printf '%b.' "$1") && path=${path%.}
  if [ -e "$path" ] && [ ! -d "$path" ]; then found='file'; else found=$(df -P -k "$path" 2>&1 | tr '[:cntrl:]' ' '); fi
  printf ':alone %s %s\n' "$1" "$found"
}
ask_sensors() { # prints the temperatures of the sensors. Some take seconds to answer, a few never do
  set +f
  set -- "$root"/sys/class/hwmon/hwmon*/temp*_input
  [ -e "$1" ] || set -- "$root"/sys/class/thermal/thermal_zone*/temp
  for input; do
    read -r degrees <"$input" && { read -r chip <"${input%/*}/name" || read -r chip <"${input%/*}/type"; } || continue
    label='' && { read -r label <"${input%_input}_label" || [ ! -e "${input%/*}/temp2_input" ] || label=${input##*/temp}; }
    label=${label%_input} && printf ':sensor %s %s\n' "$degrees" "$chip${label:+/$label}"
  done
  echo :sensors
}
ask() { # asks disks and sensors in the background. Answers come through the third file: one that never comes holds up nothing
  # shellcheck disable=SC2086 # one word for each path
  [ -z "$together" ] || df -P -k $together >&3 4>&- 2>/dev/null &
  for point in $alone; do ask_disk "$point" >&3 4>&- 2>/dev/null & done
  [ "$system" != Darwin ] || { iostat -n 0 -w 2 -c 2 | sed -n '$s/^/:cpu /p' >&3 & }
  [ -z "$sensors" ] || { ask_sensors >&3 4>&- 2>/dev/null & }
  sensors='' planned=1
}
ask_system() { # what commands tell where there is no /proc
  sysctl kern.cp_time hw.physmem hw.memsize hw.pagesize hw.ncpu vm.stats.vm.v_free_count vm.stats.vm.v_inactive_count vm.loadavg \
    kstat.zfs.misc.arcstats.size kstat.zfs.misc.arcstats.c_min kern.boottime kern.bootsessionuuid vm.swapusage
  if [ "$system" = Darwin ]; then vm_stat; else swapinfo -k | tail -n 1 && mount; fi
  netstat -ibn
} 2>/dev/null
ask_addresses() { if have ip; then ip -o addr show; else ifconfig -a; fi; } 2>/dev/null
next_line() { value=${figure%%"$newline"*} figure=${figure#*"$newline"}; }
measure() { # adds a sample. After a start or a pause, only what the next one is compared with
  now && epoch=$(date +%s) && answers='' settled=0
  printf ':end %s\n' "$ticks" >&3
  while IFS= read -r line <&3 && [ "$line" != ":end $ticks" ]; do
    case $line in :sensors) sensors=1 ;; *) answers="$answers>$line$newline" ;; esac
  done
  [ $((ticks - asked_addresses)) -le 60000 ] || { asked_addresses=$ticks && addresses=$(ask_addresses | sed 's/^/=/'); }
  [ "$system" = Linux ] || answers=$answers$(ask_system | sed 's/^/@/')$newline
  passed=$((ticks > measured ? ticks - measured : 1)) wall=$(((epoch - measured_at) * 100)) measured=$ticks measured_at=$epoch
  [ "$ticks" -lt "$settled_at" ] || settled=1
  figure=$(printf '%s' "$kept$answers$addresses" | awk -v root="$root" -v system_name="$system" -v globs="$interfaces" \
    -v hundredths="$passed" -v network_disks="$network_disks" -v epoch="$epoch" -v settled="$settled" -v node="$node" \
    -v kernel="$kernel" -v os_name="$os_name" "$figures")
  next_line && sample=$value && next_line && identity=$value && next_line && facts=$value && next_line && faults=$value
  next_line && together=$value && next_line && alone=$value && kept=$figure$newline planned=0
  [ "$faults" = "$faults_before" ] || log "Disks that cannot be read: ${faults:-none any more}. All others are reported."
  faults_before=$faults
  if [ "$passed" -gt "$gap" ] || [ "$wall" -gt "$gap" ]; then
    settled_at=$((ticks + 500)) due=$((ticks + (length > 500 ? 500 : length)))
  else
    due=$((due + length * (ticks > due ? (ticks - due + length - 1) / length : 1))) fresh=$fresh$newline$sample fresh_count=$((fresh_count + 1))
  fi
}

await() { # PROCESS: until it has ended. A signal that asks to stop ends it
  child=$1 && [ -z "$stopping" ] || [ -n "$last" ] || kill "$child" 2>/dev/null
  wait "$child" 2>/dev/null
  child=''
}
pause() { # HUNDREDTHS: until the time has passed, or a signal asks to stop
  [ "$1" -gt 0 ] && [ -z "$stopping" ] || return 0
  fraction=$(($1 % 100 + 100)) && fraction=$(($1 / 100)).${fraction#1}
  if [ -n "$timed_read" ]; then read -r -t "$fraction" _ <&5; return; fi 2>/dev/null # only the trap writes into this file; mksh reports each signal
  [ -n "$fractions" ] || fraction=$((($1 + 99) / 100))
  sleep "$fraction" & await $!
}

send() { # PATH BODY SECONDS: prints the answer with its headers. All users can read arguments, so key and body are not in any
  case $client in
    curl) printf '%s' "$2" | curl -q --config "$state/client" --max-time "$3" --data-binary @- "$server$1" ;;
    wget)
      { cat "$state/client" && printf 'post_data = %s\n' "$2"; } >"$state/request" &&
        ${limit:+"$limit" "$3"} wget --config="$state/request" --timeout="$3" -O - "$server$1" ;;
    nc) # What it reads has no end before the answer: a hub takes a client that ends its side for one that is gone.
      rm -f "$state/request" && mkfifo "$state/request"
      { printf 'POST %s HTTP/1.0\r\n' "$base$1" && cat "$state/client" && printf 'Content-Length: %s\r\n\r\n%s' ${#2} "$2"; } 1<>"$state/request" &
      ${limit:+"$limit" "$3"} nc -w "$3" "$address" "$port" <>"$state/request"
      set -- $? && kill $! 2>/dev/null
      (exit "$1") ;;
  esac
  printf '\nended %s\n' $?
}
request() { # PATH BODY SECONDS: leaves `outcome` (accepted, refused or unavailable), `code`, `message`, `status`, `answer`, `reason`
  exec 4<>"$state/answer" # a new pipe, without what an earlier answer may have left
  (exec 2>&1 3>&- 5>&- && send "$@") | head -c 16000 >&4 &
  await $!
  now && status=0 answer='' code='' retry_after='' location='' ended='' client_error=''
  printf '\n:end %s\n' "$ticks" >&4
  while IFS= read -r line <&4 && [ "$line" != ":end $ticks" ]; do
    line=${line%"$return"} && line=${line#"  "}
    case $line in
      HTTP/*' '[1-5][0-9][0-9]*) status=${line#* } && status=${status%"${status#???}"} ;;
      [Rr]etry-[Aa]fter:*) retry_after=${line#*: } ;;
      [Ll]ocation:*) location=$(tame "${line#*: }") ;;
      [Ww][Ww][Ww]-[Aa]uthenticate:*error_description=*) code=${line#*error_description=\"} && code=${code%%\"*} ;;
      '{'*) answer=$line ;;
      curl:*\)* | wget:* | nc:* | failed:* | ERROR:*) client_error=${line#*: } && client_error=$(tame "${client_error#\(*\) }") ;;
      ended\ *) ended=${line#* } ;;
    esac
  done
  case $retry_after in '' | *[!0-9]* | 0?* | ???????*) retry_after=0 ;; esac
  case $answer in *'"success":false'*) field code "$answer" && code=$value ;; esac
  field message "$answer" && message=$(tame "${value:-$code}") && outcome=unavailable
  case $status/$answer in 2??/*'"success":true'*) outcome=accepted && return ;; esac
  case $code/$status in /* | */[!4]* | */404 | */408 | */425 | */429) ;; *) outcome=refused && return ;; esac
  case $status/$ended in
    3*) reason="it sends on to $location: --server may need that address" ;;
    [1-9]*) if [ -n "$code" ]; then reason="it says: ${message%.}"; else reason="it answers $status, not as a hub does"; fi ;;
    0/28 | 0/124 | 0/143) reason="it does not answer within $3 s" ;;
    *) reason=${client_error:-it closed the connection without an answer} && reason=${reason%.} ;;
  esac
}
back_off() { # TIMES FIRST MOST: leaves in `delay` how long to wait after failures: longer each time, and differently on each machine
  delay=$(($2 << ($1 < 7 ? $1 - 1 : 6))) && [ "$delay" -le "$3" ] || delay=$3
  chance $((delay / 2)) && delay=$((delay / 2 + random))
  [ $((retry_after * 100)) -le "$delay" ] || { chance 100 && delay=$(((retry_after > 3600 ? 3600 : retry_after) * 100 + random)); }
}
# Leaves the number of samples in the file, each of which begins with a line break: one that was cut short damages no other.
count_stored() { if [ -e "$state/samples" ]; then stored=$(($(wc -l <"$state/samples"))); else stored=0; fi; }
store_samples() { # into the file. Where that fails, as on a full disk, the last 100 stay in memory
  [ -n "$fresh" ] || return 0
  if { printf '%s' "$fresh" >>"$state/samples"; } 2>/dev/null; then
    stored=$((stored + fresh_count)) fresh='' fresh_count=0 unstorable=''
  else
    [ -n "$unstorable" ] || log "Cannot keep samples in $state/samples; the last 100 are kept in memory."
    unstorable=1 && count_stored
    [ "$fresh_count" -le 100 ] || fresh_count=100 fresh=$newline$(printf '%s' "$fresh" | tail -n 100)
  fi
  [ $((stored - sent)) -le "$capacity" ] || sent=$((stored - capacity))
  if [ "$stored" -ge $((2 * capacity)) ] && { echo && tail -n "$capacity" "$state/samples"; } >"$state/samples.new"; then
    mv -f "$state/samples.new" "$state/samples" && stored=$capacity sent=0
  fi 2>/dev/null
}
take_batch() { # leaves the oldest samples in `batch`, without those that a crash or a full disk cut short, and their number in `taken`
  if [ "$stored" -gt "$sent" ]; then
    taken=$((stored - sent > most ? most : stored - sent))
    batch=$(sed -n "$((sent + 2)),$((sent + 1 + taken))p" "$state/samples" | sed -n '/^{"at":"[^"]*Z".*}$/p' | tr '\n' ,)
  else
    taken=$fresh_count batch=$(printf '%s' "${fresh#?}" | tr '\n' ,)
  fi && batch=${batch%,}
}
drop_batch() { # forgets the samples of the batch
  [ "$stored" -gt "$sent" ] || { fresh='' fresh_count=0 && return; }
  sent=$((sent + taken)) && [ "$sent" -lt "$stored" ] || { rm -f "$state/samples" && stored=0 sent=0; }
}
complain() { # WHAT SENTENCE: logs a failure that is new, apart from times and other numbers in it, or lasts for an hour
  cause=$(printf %s "$1" | tr -d '0-9')
  [ "$failure" != "$cause" ] || [ $((ticks - complained)) -gt 360000 ] || return 0
  [ "$failure" = "$cause" ] || tell_state false "${2%%. *}"
  failure=$cause complained=$ticks && log "$2"
}
count_samples() { counted="$1 samples" && [ "$1" -ne 1 ] || counted='1 sample'; }
tell_not_stored() { # FIELD WHICH: logs how many samples the hub says that it did not store. They would be refused again
  field "$1" "$answer" && [ "${value:-0}" -eq 0 ] || { count_samples "$value" && log "$server did not store $counted $2."; }
}
deliver() { # SECONDS: sends what waits, oldest first, until the hub does not take it, or the next sample is due
  next_try=0 && [ "$stored" -le "$sent" ] || store_samples
  while [ "$stored" -gt "$sent" ] || [ -n "$fresh" ]; do
    take_batch
    [ -n "$batch" ] || { drop_batch && continue; }
    sent_at=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)
    request api/agents/report "{\"interval\":$interval,\"sent_at\":\"$sent_at\",$identity,\"agent_version\":\"$version\",\"agent_kind\":\"light\"$facts,\"samples\":[$batch]}" "$1"
    if [ "$outcome" = accepted ]; then
      drop_batch && tell_not_stored old "that are older than 48 hours"
      tell_not_stored future "with times in the future, because the clock of this machine or of the hub was wrong"
      [ -z "$failure" ] || log "$server answers again; queued samples are being sent."
      [ -z "$failure" ] && [ -n "$reported" ] || tell_state true "reports to $server"
      reported=1 failures=0 unknown=0 failure='' most=100
    elif [ "$outcome/$code" = refused/agent_deleted ]; then
      fatal "This server was deleted at $server. To add it again, $again"
    elif [ "$outcome" = unavailable ] || [ "$status" = 401 ]; then
      [ -z "$stopping" ] || [ -n "$last" ] || return 0
      store_samples && hint="trying again until it works."
      if [ "$outcome" = unavailable ]; then failures=$((failures + 1)) && back_off "$failures" 100 6000; else
        reason="it does not know this machine's key" && unknown=$((unknown + 1))
        if [ "$unknown" -le 3 ]; then back_off "$unknown" 2000 8000; else back_off $((unknown - 3)) 60000 360000; fi
        hint="asking again within seconds, later every 5 to 60 minutes. If the server is missing there for good, $again"
      fi
      next_try=$((ticks + delay)) && count_samples $((stored - sent + fresh_count))
      complain "$reason" "Cannot report to $server: $reason. $counted kept; $hint"
      return 0
    elif [ "$status" = 413 ] && [ "$taken" -gt 1 ] && [ "$stored" -gt "$sent" ]; then
      most=$(((taken + 1) / 2))
    else
      count_samples "$taken" && drop_batch && log "$server refused $counted, which are dropped: $message"
    fi
    if [ "$ticks" -ge "${last:-$due}" ]; then return 0; fi
  done
}
read_options() { # WORDS: the command line, then the environment
  server=${WAKEFUL_SERVER:-} token=${WAKEFUL_TOKEN:-} token_file=${WAKEFUL_TOKEN_FILE:-} name=${WAKEFUL_NAME:-} state=${WAKEFUL_STATE:-}
  interval=${WAKEFUL_INTERVAL:-60} interfaces=${WAKEFUL_INTERFACES:-} network_disks=${WAKEFUL_NETWORK_FILESYSTEMS:-}
  while [ $# -gt 0 ]; do
    option=${1%%=*} value=${1#*=}
    case $1 in
      --network-filesystems) value=1 ;;
      --*=*) ;;
      *) [ $# -gt 1 ] || fatal "$option needs a value (agent.sh help lists the options)"; value=$2 && shift ;;
    esac
    shift
    case $option in
      --server) server=$value ;; --name) name=$value ;; --state) state=$value ;;
      --token) token=$value ;; --token-file) token='' token_file=$value ;;
      --interval) interval=$value ;; --interfaces) interfaces=$value ;;
      --network-filesystems) network_disks=$value ;;
      *) fatal "there is no option \"$option\" (agent.sh help lists them)" ;;
    esac
  done
  case $interval in '' | *[!0-9]* | ??????* | 0*) interval=0 ;; esac
  [ "$interval" -ge 1 ] && [ "$interval" -le 86400 ] || fatal "--interval is a number of seconds from 1 to 86400"
  case $network_disks in 1 | true | yes | on) network_disks=1 ;; '' | 0 | false | no | off) network_disks='' ;; *) fatal "--network-filesystems is 1 or 0" ;; esac
  case $server in
    *[!][A-Za-z0-9.:/_~%-]*) fatal "--server holds a character that no address of a hub has" ;;
    http://?* | https://?*) server=${server%/}/ ;;
    ?*) fatal "--server is the hub's address and starts with http:// or https://" ;;
  esac
  [ -n "$state" ] || state=${STATE_DIRECTORY:-} && state=${state%%:*}
  if [ -z "$state" ]; then state=/var/lib/wakeful-agent && [ "$(id -u)" -eq 0 ] || state=${XDG_STATE_HOME:-${HOME:-/tmp}/.local/state}/wakeful-agent; fi
}
read_enrollment() { # reads the stored enrollment into `enrolled_server`, `agent`, `key` and `token_sum`; empty where there is none
  line='' && { IFS= read -r line <"$state/agent.json"; } 2>/dev/null
  field server "$line" && enrolled_server=$value && field agent "$line" && agent=$value && field token "$line" && token_sum=$value
  field key "$line" && key=$value
}
keep_enrollment() {
  key=$1 && write_whole "$state/agent.json" "{\"server\":\"$server\",\"agent\":${agent:-0},\"key\":\"$key\",\"token\":\"$sum\"}" || fatal "$state cannot be written"
  log "Enrolled at $server as agent $agent. The token is used up and is not needed again."
}
status() {
  read_enrollment && line='' && { IFS= read -r line <"$state/status.json"; } 2>/dev/null
  field process "$line" && process=$value && field since "$line" && since=$value && field text "$line" && text=$value && field refused "$line" && refused=$value
  [ -n "$key" ] || { printf '%s\n' "not enrolled: there is no key in $state, or only root can read it" ${text:+"state    $text"} && return 1; }
  case $line in *'"healthy":true'*) healthy=1 ;; *) healthy='' ;; esac
  if [ -n "$process" ] && { kill -0 "$process" 2>/dev/null || [ -d "/proc/$process" ]; }; then alive=1; else alive=''; fi
  if [ -z "$process" ]; then text="has not reported yet"
  elif [ -z "$alive$healthy" ] || [ -n "$alive" ] || [ "$text" = stopped ]; then text="$text since $since"
  else text="not running"; fi
  count_stored
  printf '%s\n' "hub      $enrolled_server" "agent    $agent" "files    $state" "state    $text" ${refused:+"token    refused: $refused"} "waiting  $stored samples on disk"
  [ -n "$alive" ] && [ -n "$healthy" ]
}
choose_client() { # leaves in `client` the program that sends requests
  secure='' limit='' && case $server in https://*) secure=1 ;; esac
  if have timeout && timeout 5 true 2>/dev/null; then limit='timeout'; fi
  if have curl && case $secure$(curl --version) in 1*https* | [!1]*) ;; *) false ;; esac then client=curl
  elif have wget && case $secure$(wget --version 2>/dev/null) in 1*GNU*+https* | GNU*) ;; *) false ;; esac then client=wget
  elif [ -z "$secure" ] && have nc; then
    client=nc host=${server#http://} && base=/${host#*/} && host=${host%%/*} && port=80
    case $host in *]) ;; *:*) port=${host##*:} && host=${host%:*} ;; esac
    address=${host#[} && address=${address%]}
  else
    fatal "curl, or GNU wget with TLS, is needed; BusyBox' wget checks no certificates, and its nc is for http:// only."
  fi
}
write_client() { # KEY: headers and settings of requests, in the form of the program that sends them
  user="Wakeful-agent/$version (light)" type='Content-Type: application/json' bearer=${1:+"Authorization: Bearer $1"}
  case $client in
    curl)
      printf '%s\n' silent show-error include 'max-redirs = 0' "user-agent = \"$user\"" "header = \"$type\"" 'header = "Expect:"' \
        ${bearer:+"header = \"$bearer\""} ;;
    wget)
      printf '%s\n' 'tries = 1' 'max_redirect = 0' 'server_response = on' 'content_on_error = on' 'hsts = off' 'verbose = off' \
        "user_agent = $user" "header = $type" ${bearer:+"header = $bearer"} ;;
    nc) printf '%s\r\n' "Host: $host:$port" 'Connection: close' "User-Agent: $user" "$type" ${bearer:+"$bearer"} ;;
  esac >"$state/client"
}
read_token() { # leaves the token that was given in `token`, and its checksum in `sum`
  if [ -z "$token" ] && [ "$token_file" = - ]; then IFS= read -r token
  elif [ -z "$token" ] && [ -n "$token_file" ]; then token=$(head -n 1 "$token_file" 2>/dev/null) || fatal "--token-file: cannot read $token_file"; fi
  token=$(printf %s "$token" | tr -d ' \t\r')
  case $token in *[!A-Za-z0-9._~-]*) fatal "this is no token as the hub shows them" ;; esac
  for tool in sha256sum 'shasum -a 256' 'sha256 -q' cksum; do if have "${tool%% *}"; then sum=$(printf %s "$token" | $tool) && sum=${sum%% *} && return; fi done
}
enroll() { # where there is no enrollment, or the token is new. A refused token leaves an earlier enrollment in use
  read_enrollment && read_token && server=${server:-$enrolled_server}
  [ -n "$server" ] || fatal "--server (or WAKEFUL_SERVER) must name the hub's address"
  choose_client
  if [ -n "$key" ] && { [ -z "$token" ] || [ "$sum" = "$token_sum" ]; }; then return; fi
  [ -n "$token" ] || fatal "--token-file (or WAKEFUL_TOKEN, or --token) must hold a token; the hub's page that adds a server makes one"
  secret='' && { read -r secret <"$state/secret"; } 2>/dev/null
  [ ${#secret} -eq 43 ] || secret=$(head -c 999 /dev/urandom | tr -dc 'A-Za-z0-9_-' 2>/dev/null | head -c 43) && write_whole "$state/secret" "$secret" || fatal "$state cannot be written"
  write_client '' && quote "$(printf '%.255s' "$name")"
  while [ -z "$stopping" ]; do
    request api/agents/register "{\"token\":\"$token\",\"machine_id\":\"$secret\",${name:+\"name\":$quoted,}$identity}" 10
    if [ "$outcome" = refused ]; then
      case $code in token_invalid | token_used | token_expired) message="the token is ${code#token_}. Make a new one on the page that adds a server" ;; esac
      message="$server does not take this machine: ${message%.}."
      [ -n "$key" ] || fatal "$message"
      refused=$message && log "$refused The earlier enrollment at $enrolled_server stays in use."
      server=$enrolled_server && choose_client && return
    elif [ "$outcome" = accepted ]; then
      field id "$answer" && agent=${value%%[!0-9]*} && field key "$answer"
      case ${agent:+$value} in
        *[!A-Za-z0-9._~+/=-]* | '') reason="it gives no key, as a hub would" ;;
        *) keep_enrollment "$value" && return ;;
      esac
    fi
    [ -n "$stopping" ] || complain "$reason" "Cannot enroll at $server yet: $reason. Trying again until it works."
    failures=$((failures + 1)) && back_off "$failures" 100 6000 && pause "$delay"
  done
}
start() {
  stopping='' last='' child='' fresh='' fresh_count=0 stored=0 sent=0 unstorable='' most=100 failures=0 unknown=0 failure='' complained=0 reported='' next_try=0
  kept='' together='' alone='' sensors=1 faults_before='' planned=0 measured=0 measured_at=0 settled_at=0 due=0 asked_addresses=-99999 addresses=''
  timed_read='' fractions='' system=$(uname -s) node=$(uname -n) kernel=$(uname -r) os_name=$(uname -s) length=$((interval * 100))
  again="make a new token on the page that adds a server and start the agent with it."
  [ "$system" != Darwin ] || { os_name=macOS && kernel=$(sw_vers -productVersion); }
  gap=$((3 * (length > 500 ? length : 500))) lead=$((length > 600 ? 300 : length / 2))
  trap '' PIPE # closed output must not end the agent
  (mkdir -p "$state" && cd "$state" && rm -f answers answer wake && mkfifo answers answer wake) 2>/dev/null || fatal "$state cannot be written; choose another directory with --state"
  exec 3<>"$state/answers" 4<>"$state/answer" 5<>"$state/wake"
  trap 'stopping=1 && echo >&5 && [ -n "$child" ] && kill "$child" 2>/dev/null' TERM INT HUP
  trap '[ -z "$child" ] || kill "$child" 2>/dev/null; rm -f "$state/answers" "$state/answer" "$state/wake" "$state/request"' EXIT
  # Shells that can wait for input need no process to sleep.
  if (echo >&5 && read -r -t 0.5 _ <&5) 2>/dev/null; then timed_read=1; elif sleep 0.01 2>/dev/null; then fractions=1; fi
  now && seed=$(($$ * 7919 + ticks + $(od -An -N3 -tu4 /dev/urandom 2>/dev/null || echo 0)))
  started=1 && tell_state false "started, has not reported yet"
  measure && ask && enroll
  [ -z "$stopping" ] || exit 0
  write_client "$key" && failures=0 failure='' && count_stored && tell_state false "started, has not reported yet"
  log "Wakeful agent $version (light, with $client) reports to $server as agent $agent every $interval s; its files are in $state."
  case $server in http://localhost[:/]* | http://127.* | 'http://[::1]'* | https:*) ;; *) log "The address starts with http://, so the key and all figures are sent unencrypted." ;; esac
  [ "$stored" -eq 0 ] || { count_samples "$stored" && log "$counted of an earlier run will be sent first."; }
  measured=0 && measure
  while [ -z "$stopping" ]; do
    now
    if [ "$planned" -eq 0 ] && [ "$ticks" -ge $((due - lead)) ]; then
      ask
      [ $((due - ticks)) -ge "$lead" ] || due=$((ticks + lead))
    elif [ "$ticks" -ge "$due" ]; then
      measure
      if [ "$next_try" -gt "$ticks" ]; then store_samples; else deliver 10; fi
    elif [ "$next_try" -gt 0 ] && [ "$ticks" -ge "$next_try" ]; then deliver 10
    else
      until=$((due - (planned ? 0 : lead)))
      pause $(((next_try > 0 && next_try < until ? next_try : until) - ticks))
    fi
  done
  now && last=$((ticks + 500)) && deliver 5 && store_samples && tell_state true stopped # what waits may be sent for five seconds
  kept=$((stored - sent + fresh_count)) && count_samples "$kept" && [ "$kept" -gt 0 ] && log "Stopped. $counted kept for the next start." || log "Stopped. Everything is sent."
}
main() {
  refused='' started='' action=${1:-} && [ $# -eq 0 ] || shift
  field id '{"id":7}' && case $value${KSH_VERSION:-} in # posh misreads answers; under ksh93 a signal cuts short what commands print
    7*93u* | [!7]* | '') fatal "this shell can't run the agent; dash, bash, BusyBox, mksh and yash can." ;;
  esac
  case $action in
    start | status) read_options "$@" && "$action" ;;
    version) printf '%s\n' "$version" ;;
    help | --help | -h) printf '%s\n' "$help" ;;
    *) fatal "usage: agent.sh start|status|version (agent.sh help explains them)" ;;
  esac
}

main "$@" # last, so that a download that was cut short does nothing
