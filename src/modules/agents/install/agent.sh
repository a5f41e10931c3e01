#!/bin/sh
# The light host agent of Wakeful: measures this machine and reports it to a console, as the program `wakeful agent` does, with
# a POSIX shell, its usual tools (awk, df, date …), and curl, GNU wget, or BusyBox' nc for addresses that start with http://.
# It only reads and sends: nothing that a console answers is ever run. `agent.sh help` explains its options.
# shellcheck disable=SC2015,SC2016 # `a && b || c` where b never fails; the awk program has dollar signs of its own
set -fu
umask 077
export LC_ALL=C
version='@VERSION@'
# Files of the system are read below this folder; empty but for tests.
root=${WAKEFUL_ROOT:-}
newline='
'
return=$(printf '\r')
# Samples that wait for the console at most: a day at one a minute.
capacity=1440

help="usage: agent.sh start|status|version [options]

Measures this machine (processor, memory, disks, network) and reports it to a console, as the program wakeful does. It only
reads and sends: nothing that a console answers is ever run.

  start                    enroll, if that was not done before, then report until stopped
  status                   show the state of the agent on this machine; exits 0 if it reports, 1 if not
  version                  print the version

  --server URL             the console's address                         WAKEFUL_SERVER
  --token-file FILE        a file that holds a token from the console,   WAKEFUL_TOKEN_FILE
                           for the first start; - is standard input
  --token TOKEN            the token itself, which all users of the      WAKEFUL_TOKEN
                           machine can see in the list of processes
  --interval SECONDS       between two samples, 60 by default            WAKEFUL_INTERVAL
  --name NAME              what the console calls it at first            WAKEFUL_NAME
  --state DIR              where its key and waiting samples are kept    WAKEFUL_STATE
  --interfaces GLOBS       network interfaces to count, as in eth*,!eth1 WAKEFUL_INTERFACES
  --network-filesystems    count NFS, SMB and the like as disks, too     WAKEFUL_NETWORK_FILESYSTEMS

Each option may come from the environment instead, under the name beside it. It exits 0 when it is asked to stop, and 78 when
a restart cannot help: a wrong option, a first token that is refused, or a server that was deleted in the console."

# The figures, by awk: one process for each sample. Its input is what it left at the previous sample (<), what disks and
# sensors answered (>), the addresses of the machine (=), and what commands of FreeBSD and macOS print (@). It prints the sample,
# the machine's identity, other facts, the disks that cannot be read, the disks to ask together, those to ask alone, and
# then what the next run needs.
figures='
function first(file,   text) { text = ""; getline text < file; close(file); return text }
function exists(file,   text, found) { found = (getline text < file); close(file); return found >= 0 }
function least(a, b) { return a < b ? a : b }
function bytes(kib) { return sprintf("%.0f", kib * 1024) }
function usage(total, used) { return "{\"total\":" bytes(total) ",\"used\":" bytes(used) "}" }
function list(items) { return "[" substr(items, 2) "]" }
function quote(text,   i, c, out) {
  out = ""
  for (i = 1; i <= length(text); i++) { c = substr(text, i, 1); out = out (c in escaped ? escaped[c] : c) }
  return "\"" out "\""
}
# A path as printf %b takes it, where \0040 is a space.
function plain(path,   out) {
  for (out = ""; match(path, /\\0[0-7][0-7][0-7]/); path = substr(path, RSTART + 5))
    out = out substr(path, 1, RSTART - 1) sprintf("%c", substr(path, RSTART + 2, 1) * 64 + substr(path, RSTART + 3, 1) * 8 + substr(path, RSTART + 4, 1))
  return out path
}
function matches(glob, name) {
  gsub(/[.+^$(){}|]/, "[&]", glob); gsub(/\*/, ".*", glob); gsub(/\?/, ".", glob); gsub(/\[!/, "[^", glob)
  return name ~ ("^" glob "$")
}
# Whether a line holds figures of df; they are left in space_used and space_free, and its path in where.
function read_df(line) {
  if (!match(line, / [0-9]+ +[0-9]+ +-?[0-9]+ +[0-9]+% /)) return 0
  where = substr(line, RSTART + RLENGTH); split(substr(line, RSTART, RLENGTH), f, " ")
  space_used = f[2] + 0; space_free = f[3] > 0 ? f[3] + 0 : 0
  return 1
}
function grown(now, then) { return now > then ? now - then : 0 }
function percent(part) { return sprintf("%.2f", all > 0 ? least(100, 100 * part / all) : 0) }
function rate(count) { return sprintf("%.3f", count / seconds / 1024) }

BEGIN {
  for (i = 1; i < 32; i++) escaped[sprintf("%c", i)] = sprintf("\\u%04x", i)
  escaped["\""] = "\\\""; escaped["\\"] = "\\\\"
  proc = root "/proc"; processors = 0; total = 0; swap_total = -1
}
/^<cpu / { for (i = 2; i <= 6; i++) cpu_before[i] = $i; known_cpu = 1; next }
/^<net / { rx_before[$2] = $3; tx_before[$2] = $4; next }
/^<boot / { boot_before = $2; next }
/^<disk / { used[$2] = $3; free[$2] = $4; next }
/^<good / { good[$2] = 1; next }
/^<asked / { asked[$2] = 1; next }
/^<fault / { fault[$2] = $3; next }
/^>:sensor / { if (++sensors <= 16) temperatures = temperatures ",{\"sensor\":" quote(substr($0, index($0, $3), 128)) ",\"celsius\":" $2 / 1000 "}"; next }
/^>:cpu / { for (i = 2; i <= 4; i++) iostat[i] = $i; known_iostat = 1; next }
/^>:alone / {
  delete asked[$2]; delete fault[$2]; delete used[$2]
  if (read_df($0 " ")) {
    used[$2] = space_used; free[$2] = space_free
    # Only names that df prints as they are can be recognised among those of others.
    if ($2 ~ /^[!-\[\]-~]+$/) { good[$2] = 1; answered[$2] = 1 }
  } else if ($0 ~ /ermission denied|not permitted/) fault[$2] = "permission"
  else if ($0 ~ /nput\/output error/) fault[$2] = "EIO"
  else if ($0 ~ /not connected/) fault[$2] = "ENOTCONN"
  else fault[$2] = $3 == "file" || $0 ~ /% / || $0 ~ / - / ? "file" : "error"
  next
}
/^>/ { if (read_df($0)) { used[where] = space_used; free[where] = space_free; answered[where] = 1 } next }
# Addresses: `2: eth0 inet 192.0.2.1/24 …` of ip, or the paragraphs of ifconfig.
/^=[^ \t]/ { interface = $1 ~ /^=[0-9]+:$/ ? $2 : substr($1, 2); sub(/[:@].*/, "", interface) }
/^=/ {
  for (i = 1; i < NF; i++) if ($i == "inet" || $i == "inet6") {
    address = $(i + 1) == "addr:" ? $(i + 2) : $(i + 1); sub(/^addr:/, "", address); sub(/[\/%].*/, "", address)
    if (address ~ /^[0-9a-fA-F:.]+$/ && address !~ /^127\.|^::1$|^[fF][eE][89abAB]/) { addresses[++found] = address; on[found] = interface }
  }
  next
}
/^@kern.cp_time:/ { cpu[2] = $2 + $3; cpu[3] = $4 + $5; cpu[4] = cpu[5] = 0; cpu[6] = $6; has_cpu = 1 }
/^@hw.(physmem|memsize):/ { total = $2 / 1024 }
/^@hw.pagesize:/ { page = $2 / 1024 }
/^@hw.ncpu:/ { processors = $2 }
/^@vm.stats.vm/ { pages -= $2 }
/^@kstat.*arcstats.size:/ { arc += $2 / 1024 }
/^@kstat.*arcstats.c_min:/ { arc -= $2 / 1024 }
/^@vm.loadavg:/ { load = $3 "," $4 "," $5 }
/^@kern.boottime:/ { match($0, /sec = [0-9]+/); booted = substr($0, RSTART + 6, RLENGTH - 6); boot = booted }
/^@vm.swapusage:/ { swap_total = $4 * 1024; swap_used = $7 * 1024 }
/^@.*page size of/ { match($0, /of [0-9]+/); page = substr($0, RSTART + 3, RLENGTH - 3) / 1024 }
/^@(Anonymous pages|Pages wired down|Pages occupied by compressor):/ { pages += $NF; from_pages = 1 }
/^@Pages purgeable:/ { pages -= $NF }
/^@(\/dev|Total).* [0-9]+%$/ { swap_total = $2; swap_used = $3 }
/^@.*<Link#/ { name = substr($1, 2); sub(/\*$/, "", name); rx[name] = $(NF - 4); tx[name] = $(NF - 1); order[++interfaces] = name }
/^@.* on \/.* \((ufs|zfs),/ { point = $3; add_disk($1, point, 0, "") }

function add_disk(key, point, rank, type) {
  if (!(key in best)) keys[++disks] = key
  if (!(key in best) || rank < rank_of[key]) { best[key] = point; rank_of[key] = rank }
  if (type == "zfs") pool[point] = key
}
# The mounts of the machine, each disk once. Later mounts hide earlier ones on the same path.
function read_mounts(   line, n, i, dash, point, type, source, key, whole, rank) {
  while ((getline line < (proc "/self/mountinfo")) > 0) {
    gsub(/\\/, "\\0", line); n = split(line, f, " ")
    for (dash = 6; dash < n && f[dash] != "-"; dash++);
    if (dash + 2 > n || length(f[5]) > 1000) continue
    if (!(f[5] in entry)) points[++mounts] = f[5]
    entry[f[5]] = f[3] " " f[4] " " f[dash + 1] " " f[dash + 2]
  }
  for (i = 1; i <= mounts; i++) {
    point = points[i]; split(entry[point], f, " "); key = f[1]; whole = f[2] == "/"; type = f[3]; source = f[4]
    if (type ~ /^(autofs|binfmt_misc|bpf|cgroup2?|configfs|debugfs|devpts|devtmpfs|fusectl|hugetlbfs|iso9660|mqueue|nsfs|overlay|proc|procfs|pstore|rpc_pipefs|securityfs|selinuxfs|squashfs|erofs|sysfs|tracefs|tmpfs|ramfs)$/) continue
    if (point ~ /^\/(dev|proc|run\/credentials\/.+|sys|var\/lib\/docker\/.+|var\/lib\/containers\/storage\/.+|var\/lib\/kubelet|snap|boot\/efi)($|\/)/ || point ~ /^\/etc\/(hosts|hostname|resolv.conf)$/) continue
    if (type ~ /^(nfs[0-9]?|cifs|smb3|smbfs|ceph|glusterfs|afs|9p|fuse\..+)$/) { if (!network_disks) continue; key = source }
    else if (type == "zfs") { whole = source !~ /\//; key = source; sub(/\/.*/, "", key); key = "zfs " key }
    else if (type == "btrfs" || type == "bcachefs") key = source
    else if (type != "simfs" && (source !~ /^\/dev\// || source ~ /^\/dev\/loop/)) continue
    # The root of the system stands for its disk, or else a whole filesystem, or else the shortest path.
    rank = point == "/" ? 0 : point == "/sysroot" ? 1 : length(point) + (whole ? 2 : 100000)
    add_disk(key, point, rank, type)
  }
  # Inside a container only the disk of the root filesystem may be visible.
  if (disks == 0 && "/" in entry && entry["/"] !~ / (tmpfs|ramfs) [^ ]*$/) add_disk("/", "/", 0, "")
}
function read_linux(   line, field) {
  if (split(first(proc "/stat"), f, " ") > 4) {
    # Guest time, after steal, is in user and nice already.
    cpu[2] = f[2] + f[3]; cpu[3] = f[4] + f[7] + f[8]; cpu[4] = f[6] + 0; cpu[5] = f[9] + 0; cpu[6] = f[5]; has_cpu = 1
  }
  while ((getline line < (proc "/stat")) > 0) if (line ~ /^cpu[0-9]/) processors++
  while ((getline line < (proc "/meminfo")) > 0) { split(line, f, " "); field[f[1]] = f[2] }
  total = field["MemTotal:"] + 0
  # Kernels before 3.14 and some containers have no MemAvailable.
  pages = -("MemAvailable:" in field ? field["MemAvailable:"] : field["MemFree:"] + field["Buffers:"] + field["Cached:"] + field["SReclaimable:"] - field["Shmem:"])
  page = 1
  if ("SwapTotal:" in field) { swap_total = field["SwapTotal:"]; swap_used = swap_total - field["SwapFree:"] - field["SwapCached:"] }
  # The cache of ZFS, which the kernel counts as used, shrinks to a size that it keeps.
  while ((getline line < (proc "/spl/kstat/zfs/arcstats")) > 0) {
    split(line, f, " ")
    if (f[1] == "size") arc += f[3] / 1024
    if (f[1] == "c_min") arc -= f[3] / 1024
  }
  if (split(first(proc "/loadavg"), f, " ") >= 3) load = f[1] "," f[2] "," f[3]
  if (split(first(proc "/uptime"), f, " ") > 0) booted = int(epoch - f[1] + 0.5)
  boot = substr(first(proc "/sys/kernel/random/boot_id"), 1, 8)
  while ((getline line < (proc "/net/dev")) > 0) {
    if (line !~ /:/) continue
    sub(/:/, " ", line); split(line, f, " "); rx[f[1]] = f[2]; tx[f[1]] = f[10]; order[++interfaces] = f[1]
  }
  while ((getline line < (proc "/net/route")) > 0) { split(line, f, " "); if (f[2] f[8] == "0000000000000000") routes[f[1]] = 1 }
  while ((getline line < (proc "/net/ipv6_route")) > 0) { split(line, f, " "); if (f[2] == "00" && f[1] ~ /^0+$/ && f[10] != "lo") routes[f[10]] = 1 }
  read_mounts()
}
# Whether the traffic of an interface counts: virtual ones would count that of the physical ones again, but containers have none.
function counts(name, routed,   n, i) {
  n = split(globs, f, ","); wanted = 0
  for (i = 1; i <= n; i++) if (f[i] ~ /^!/) { if (matches(substr(f[i], 2), name)) return 0 } else if (f[i] != "") { wanted = 1; if (matches(f[i], name)) return 1 }
  if (wanted || name ~ /^lo0?$/) return 0
  if (routed) return name in routes
  if (system_name == "Darwin") return name ~ /^en[0-9]+$/
  if (system_name != "Linux") return name !~ /^(bridge|tun|tap|wg|epair|vlan|lagg|pf|enc|gif|ovpn)/
  return exists(root "/sys/class/net/" name "/ifindex") && !exists(root "/sys/devices/virtual/net/" name "/ifindex")
}
function compare_network(   routed, i, name, back) {
  for (routed = 0; routed < 2 && !counted; routed++) for (i = 1; i <= interfaces; i++) {
    name = order[i]
    if (rx[name] tx[name] !~ /^[0-9]+$/ || name == "lo" || !counts(name, routed)) continue
    state = state "<net " name " " rx[name] " " tx[name] "\n"
    if (++counted <= 32) traffic = traffic "," quote(name) ":[" rx[name] "," tx[name] "]"
    if (!(name in rx_before)) continue
    rx_grown = rx[name] - rx_before[name]; tx_grown = tx[name] - tx_before[name]; compared = 1
    # An interface that was created again counts from zero.
    if (rx_grown < 0 || tx_grown < 0) { back = 1; continue }
    rx_all += rx_grown; tx_all += tx_grown
    if (counted <= 32) rates = rates ",{\"name\":" quote(name) ",\"rx\":" rate(rx_grown) ",\"tx\":" rate(tx_grown) "}"
  }
  network = settled && compared && !back ? "{\"rx\":" rate(rx_all) ",\"tx\":" rate(tx_all) "}" : "null"
}
function compare_disks(   i, point, part, size, sum, left, reason) {
  for (point in good) if (!(point in answered)) delete good[point]
  for (i = 1; i <= disks; i++) {
    point = best[keys[i]]
    if (!(point in used)) {
      reason = point in fault ? fault[point] : point in asked ? "timeout" : "file"
      if (reason == "file" || ++dark > 64) continue
      unreadable = unreadable ",{\"mount\":" quote(plain(point)) ",\"reason\":\"" reason "\"}"; faults = faults ", " plain(point) " (" reason ")"
      continue
    }
    sum = used[point]; left = free[point]
    # Each dataset of a pool knows only its own usage; they share the free space.
    for (part in pool) if (part != point && pool[part] == keys[i] && part in used) { sum += used[part]; if (free[part] > left) left = free[part] }
    if (sum + left <= 0 || ++listed > 64) continue
    disk_total += sum + left; disk_used += sum
    each = each ",{\"mount\":" quote(plain(point)) "," substr(usage(sum + left, sum), 2)
  }
}
# Disks that answered are asked together the next time. Others are asked alone, and not again before they answer.
function plan_disks(   i, point, length_of) {
  for (i = 1; i <= disks; i++) if (!(best[keys[i]] in pool)) pool[best[keys[i]]] = keys[i]
  for (point in pool) {
    # All answers must fit into a pipe.
    length_of += length(point) + 120
    if (length_of > 15000) break
    if (point in good) { together = together " " point; state = state "<good " point "\n<disk " point " " used[point] " " free[point] "\n"; continue }
    if (!(point in asked)) alone = alone " " point
    state = state "<asked " point "\n"
    if (point in asked && point in fault) state = state "<fault " point " " fault[point] "\n"
  }
}
function iso(time,   days, left, era, of_era, year, of_year, month) {
  days = int(time / 86400); left = time - days * 86400; days += 719468
  era = int(days / 146097); of_era = days - era * 146097
  year = int((of_era - int(of_era / 1460) + int(of_era / 36524) - int(of_era / 146096)) / 365)
  of_year = of_era - (365 * year + int(year / 4) - int(year / 100)); month = int((5 * of_year + 2) / 153)
  return sprintf("%04d-%02d-%02dT%02d:%02d:%02d.000Z", year + era * 400 + (month > 9), month < 10 ? month + 3 : month - 9, of_year - int((153 * month + 2) / 5) + 1, int(left / 3600), int(left % 3600 / 60), left % 60)
}
function identity(   pass, i, addresses_json, os, line) {
  for (pass = 1; pass <= 2; pass++) for (i = 1; i <= found; i++) {
    if (addresses[i] in listed_address || (on[i] in routes) != (pass == 1) && pass == 1) continue
    if (pass == 2 && on[i] ~ /^(lo$|docker|br-|veth|virbr|cni|flannel|cali|lxcbr|lxdbr|podman|vnet|tap)/) continue
    listed_address[addresses[i]] = 1
    if (++addresses_count <= 16) addresses_json = addresses_json ",\"" addresses[i] "\""
  }
  os = os_name; file = root (exists(root "/etc/os-release") ? "/etc/os-release" : "/usr/lib/os-release")
  while ((getline line < file) > 0)
    if (sub(/^PRETTY_NAME=/, "", line) && line != "") { gsub(/^["\047]|["\047]$/, "", line); gsub(/\\/, "", line); os = line }
  if ((line = first(proc "/sys/kernel/hostname")) != "") node = line
  if ((line = first(proc "/sys/kernel/osrelease")) != "") kernel = line
  return "\"hostname\":" quote(substr(node, 1, 255)) ",\"ip_addresses\":" list(addresses_json) ",\"os\":" quote(substr(os, 1, 255)) ",\"version\":" quote(substr(kernel, 1, 255))
}
function facts(   text) {
  if (processors > 0) text = ",\"processors\":" processors
  if (exists(root "/run/reboot-required") || exists(root "/run/reboot-needed")) text = text ",\"reboot_required\":true"
  else if (exists(root "/etc/debian_version") || exists(root "/etc/SUSE-brand")) text = text ",\"reboot_required\":false"
  return text ",\"unreadable_disks\":" list(unreadable)
}
END {
  if (system_name == "Linux") read_linux()
  if (system_name == "Darwin") add_disk("/", "/", 0, "")
  if (known_iostat) { for (i = 2; i <= 3; i++) cpu[i] = cpu_before[i] + iostat[i]; cpu[6] = cpu_before[6] + iostat[4]; cpu[4] = cpu[5] = 0; has_cpu = known_cpu = 1 }
  # Idle and iowait are known to decrease slightly.
  for (i = 2; i <= 6; i++) { part[i] = grown(cpu[i], cpu_before[i]); all += part[i] }
  usable = settled && has_cpu && known_cpu && all > 0
  if (has_cpu) state = "<cpu " cpu[2] " " cpu[3] " " cpu[4] " " cpu[5] " " cpu[6] "\n"
  memory_used = (from_pages ? 0 : total) + pages * page
  if (memory_used < 0 || memory_used > total) total = memory_used = 0
  if (arc > 0) memory_used = grown(memory_used, arc)
  compare_network(); compare_disks(); plan_disks()
  sample = "{\"at\":\"" iso(epoch) "\",\"cpu\":" (usable ? percent(part[2] + part[3] + part[5]) : "null") ",\"memory\":" usage(total, memory_used)
  sample = sample ",\"disk\":" usage(disk_total, disk_used) ",\"disks\":" list(each) ",\"network\":" network
  if (swap_total >= 0) sample = sample ",\"swap\":" usage(swap_total, swap_used > 0 ? swap_used : 0)
  if (load != "") sample = sample ",\"load\":[" load "]"
  if (booted != "") {
    if (booted - boot_before <= 2 && boot_before - booted <= 2) booted = boot_before
    state = state "<boot " booted "\n"; sample = sample ",\"boot_time\":\"" iso(booted) "\""
  }
  if (usable && system_name == "Linux") sample = sample ",\"cpu_parts\":{\"user\":" percent(part[2]) ",\"system\":" percent(part[3]) ",\"iowait\":" percent(part[4]) ",\"steal\":" percent(part[5]) "}"
  if (settled && rates != "") sample = sample ",\"interfaces\":" list(rates)
  if (temperatures != "") sample = sample ",\"temperatures\":" list(temperatures)
  if (boot != "" && traffic != "") sample = sample ",\"traffic\":{\"boot\":\"" boot "\",\"interfaces\":{" substr(traffic, 2) "}}"
  gsub(/[[:cntrl:]]/, " ", faults)
  print sample "}"; print identity(); print facts(); print substr(faults, 3); print together; print alone; printf "%s", state
}'

have() { command -v "$1" >/dev/null 2>&1; }

# Leaves a text as a JSON string in `quoted`.
quote() { quoted=\"$(printf %s "$1" | sed 's/[\\"]/\\&/g' | tr '[:cntrl:]' ' ')\"; }

# field NAME JSON: leaves a text without escapes, or a whole number, in `value`.
field() {
  case $2 in
    *"\"$1\":\""*) value=${2#*"\"$1\":\""} && value=${value%%\"*} ;;
    *"\"$1\":"[0-9]*) value=${2#*"\"$1\":"} && value=${value%%[!0-9]*} ;;
    *) value='' ;;
  esac
}

# Leaves hundredths of a second of a clock that is never set in `ticks`.
now() {
  if { read -r ticks _ <"$root/proc/uptime"; } 2>/dev/null; then
    random=1${ticks#*.} && ticks=$((${ticks%.*} * 100 + random - 100))
  else
    ticks=$(($(date +%s) * 100))
  fi
}

# chance LIMIT: leaves a number from 0 to the limit in `random`.
chance() { seed=$(((seed * 1103515245 + ticks + 12345) % 2147483648)) && random=$((seed / 16 % ($1 + 1))); }

log() {
  if [ -n "${JOURNAL_STREAM:-}" ]; then printf '%s\n' "$1"; else printf '%s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1"; fi
} 2>/dev/null

# Ends where a restart cannot help.
fatal() {
  [ -z "$started" ] || { store_samples && tell_state false "$1"; }
  printf 'wakeful agent: %s\n' "$1" >&2
  exit 78
}

write_whole() { { printf '%s\n' "$2" >"$1.new" && mv -f "$1.new" "$1"; } 2>/dev/null; }

# tell_state HEALTHY TEXT: what `agent.sh status` shows.
tell_state() {
  quote "$2" && text="{\"process\":$$,\"since\":\"$(date -u +%Y-%m-%dT%H:%M:%S.000Z)\",\"healthy\":$1,\"text\":$quoted"
  quote "$refused"
  [ -z "$refused" ] || text="$text,\"refused\":$quoted"
  write_whole "$state/status.json" "$text}" || true
}

# Prints how full a disk is, or why that cannot be read. A file that a container engine mounts is no disk.
ask_disk() {
  path=$(printf '%b.' "$1") && path=${path%.}
  if [ -e "$path" ] && [ ! -d "$path" ]; then found='file'; else found=$(df -P -k "$path" 2>&1 | tr '[:cntrl:]' ' '); fi
  printf ':alone %s %s\n' "$1" "$found"
}

# Prints the temperatures of the sensors. Some take seconds to answer, a few never do.
ask_sensors() {
  set +f
  for input in "$root"/sys/class/hwmon/hwmon*/temp*_input; do
    read -r degrees <"$input" && read -r chip <"${input%/*}/name" || continue
    sensor=${input##*/} && sensor=${sensor%_input}
    read -r sensor <"${input%_input}_label"
    case $degrees in 0 | ??????? | 1[6-9]???? | *[!0-9]* | '') ;; *) printf ':sensor %s %s\n' "$degrees" "$chip/${sensor:-${input##*/}}" ;; esac
  done
  echo :sensors
}

# Asks disks and sensors in the background. The answers come through the third file, so that one which never answers holds up
# nothing.
ask() {
  # shellcheck disable=SC2086 # one word for each path
  [ -z "$together" ] || df -P -k $together >&3 4>&- 2>/dev/null &
  for point in $alone; do ask_disk "$point" >&3 4>&- 2>/dev/null & done
  [ "$system" != Darwin ] || { iostat -n 0 -w 2 -c 2 | sed -n '$s/^/:cpu /p' >&3 & }
  [ -z "$sensors" ] || { sensors='' && ask_sensors >&3 4>&- 2>/dev/null & }
}

# What commands tell where there is no /proc.
ask_system() {
  sysctl kern.cp_time hw.physmem hw.memsize hw.pagesize hw.ncpu vm.stats.vm.v_free_count vm.stats.vm.v_inactive_count vm.loadavg \
    kstat.zfs.misc.arcstats.size kstat.zfs.misc.arcstats.c_min kern.boottime vm.swapusage
  vm_stat
  swapinfo -k | tail -n 1
  netstat -ibn
  mount
} 2>/dev/null

# Takes a sample into `sample`, and prepares the next. After a start or a pause there is none: that only gives what the next is
# compared with.
measure() {
  now && epoch=$(date +%s) && answers=''
  printf ':end %s\n' "$ticks" >&3
  while IFS= read -r line <&3 && [ "$line" != ":end $ticks" ]; do
    case $line in :sensors) sensors=1 ;; *) answers="$answers>$line$newline" ;; esac
  done
  if [ $((ticks - asked_addresses)) -gt 60000 ]; then
    asked_addresses=$ticks addresses=$({ if have ip; then ip -o addr show; else ifconfig -a; fi; } 2>/dev/null | sed 's/^/=/')
  fi
  [ "$system" = Linux ] || answers=$answers$(ask_system | sed 's/^/@/')$newline
  passed=$((ticks - measured)) wall=$(((epoch - measured_at) * 100)) measured=$ticks measured_at=$epoch settled=0
  [ "$ticks" -lt "$settled_at" ] || settled=1
  [ "$passed" -gt 0 ] || passed=1
  figure=$(printf '%s' "$kept$answers$addresses" | awk -v root="$root" -v system_name="$system" -v globs="$interfaces" -v seconds="$passed" \
    -v network_disks="$network_disks" -v epoch="$epoch" -v settled="$settled" -v node="$node" -v kernel="$kernel" -v os_name="$os_name" "$figures")
  sample=${figure%%"$newline"*} && figure=${figure#*"$newline"}
  identity=${figure%%"$newline"*} && figure=${figure#*"$newline"}
  facts=${figure%%"$newline"*} && figure=${figure#*"$newline"}
  faults=${figure%%"$newline"*} && figure=${figure#*"$newline"}
  together=${figure%%"$newline"*} && figure=${figure#*"$newline"}
  alone=${figure%%"$newline"*} && kept=${figure#*"$newline"}$newline
  case $faults in
    "$faults_before") ;;
    '') log "All disks can be read again." ;;
    *) log "Cannot read how full these disks are: $faults. The others are reported." ;;
  esac
  faults_before=$faults
  if [ "$passed" -gt "$gap" ] || [ "$wall" -gt "$gap" ]; then
    sample='' settled_at=$((ticks + 500)) due=$((ticks + (length > 500 ? 500 : length)))
  else
    due=$((due + length * (ticks > due ? (ticks - due + length - 1) / length : 1)))
    fresh=$fresh$newline$sample fresh_count=$((fresh_count + 1))
  fi
  planned=''
}

# await PROCESS: until it has ended. A signal that asks to stop ends it.
await() {
  child=$1
  [ -z "$stopping" ] || [ -n "$last" ] || kill "$child" 2>/dev/null
  wait "$child" 2>/dev/null
  child=''
}

# pause HUNDREDTHS
pause() {
  [ "$1" -gt 0 ] && [ -z "$stopping" ] || return 0
  fraction=$(($1 % 100 + 100)) && fraction=$(($1 / 100)).${fraction#1}
  # Only the trap writes into the fifth file.
  if [ -n "$timed_read" ]; then
    # shellcheck disable=SC3045 # only where the shell has it
    read -r -t "$fraction" _ <&5
  else
    [ -n "$fractions" ] || fraction=$((($1 + 99) / 100))
    sleep "$fraction" &
    await $!
  fi
}

# request PATH BODY SECONDS: sends a request and leaves its `outcome` (accepted, refused or unavailable), `answer`, `code`,
# `message`, `status`, `retry_after`, and the `reason` why there is no answer. The key and the body are in files or go through
# pipes, since all users of the machine can read the arguments of programs.
request() {
  # A new pipe, without what an earlier answer may have left.
  exec 4<>"$state/answer"
  {
    case $client in
      curl) printf '%s' "$2" | curl -q --config "$state/client" --max-time "$3" --data-binary @- "$server$1" ;;
      wget)
        { cat "$state/client" && printf 'post_data = %s\n' "$2"; } >"$state/request"
        $limit wget --config="$state/request" --timeout="$3" -O - "$server$1"
        ;;
      nc)
        { printf 'POST %s HTTP/1.0\r\n' "$base$1" && cat "$state/client" && printf 'Content-Length: %s\r\n\r\n%s' ${#2} "$2"; } |
          $limit nc -w "$3" "$host" "$port"
        ;;
    esac
    printf '\nended %s\n' $?
  } 2>&1 3>&- | head -c 16000 >&4 &
  await $!
  status=0 answer='' code='' retry_after='' location='' ended=''
  printf '\n:end %s\n' "$ticks" >&4
  while IFS= read -r line <&4 && [ "$line" != ":end $ticks" ]; do
    line=${line%"$return"} && line=${line#"  "}
    case $line in
      HTTP/*' '[1-5][0-9][0-9]*) status=${line#* } && status=${status%"${status#???}"} ;;
      [Rr]etry-[Aa]fter:*) retry_after=${line#*: } ;;
      [Ll]ocation:*) location=$(printf '%.300s' "${line#*: }" | tr -c ' -~' ' ') ;;
      [Ww][Ww][Ww]-[Aa]uthenticate:*error=*) code=${line#*error=\"} && code=${code%%\"*} ;;
      '{'*) answer=$line ;;
      ended\ *) ended=${line#* } ;;
    esac
  done
  case $retry_after in '' | *[!0-9]* | ???????*) retry_after=0 ;; esac
  case $answer in *'"success":false'*) field code "$answer" && code=$value ;; esac
  field message "$answer" && message=$(printf '%.300s' "${value:-$code}" | tr -c ' -~' ' ')
  case $status/$answer in 2??/*'"success":true'*) outcome=accepted && return ;; esac
  case $code/$status in /* | */[!4]* | */404 | */408 | */425 | */429) outcome=unavailable ;; *) outcome=refused && return ;; esac
  case $status/$ended in
    3*) reason="it sends on to $location: --server may need that address" ;;
    [1-9]*) if [ -n "$code" ]; then reason="it says: $message"; else reason="it answers $status, not as a console does"; fi ;;
    0/6) reason="its name cannot be resolved" ;;
    0/7) reason="the connection is refused" ;;
    0/28 | 0/124 | 0/143) reason="it does not answer within $3 s" ;;
    0/35) reason="it does not speak TLS on this port" ;;
    0/5 | 0/51 | 0/60 | 0/77) reason="its certificate is not accepted" ;;
    0/52 | 0/56) reason="the connection was closed without an answer" ;;
    *) reason="no connection can be opened to it" ;;
  esac
}

# Leaves how long to wait after failures, in hundredths, in `delay`: longer each time, and differently on each machine.
back_off() {
  delay=$((failures > 6 ? 6000 : 100 << (failures - 1)))
  chance $((delay / 2)) && delay=$((delay / 2 + random))
  [ $((retry_after * 100)) -le "$delay" ] || { chance 100 && delay=$(((retry_after > 3600 ? 3600 : retry_after) * 100 + random)); }
}

# drop_fresh COUNT: forgets the oldest samples in memory.
drop_fresh() {
  fresh_count=$((fresh_count - $1)) && dropped=$1
  while [ "$dropped" -gt 0 ]; do
    dropped=$((dropped - 1)) fresh=${fresh#?}
    case $fresh in *"$newline"*) fresh=$newline${fresh#*"$newline"} ;; *) fresh='' ;; esac
  done
}

# Samples in the file, each of which begins with a line break, so that one that was cut short damages no other.
count_stored() { if [ -e "$1/samples" ]; then stored=$(($(wc -l <"$1/samples"))); else stored=0; fi; }

# Puts the samples that are only in memory into the file. They stay in memory where that fails, as on a full disk.
store_samples() {
  [ -n "$fresh" ] || return 0
  if { printf '%s' "$fresh" >>"$state/samples"; } 2>/dev/null; then
    stored=$((stored + fresh_count)) fresh='' fresh_count=0 unstorable=''
  else
    [ -n "$unstorable" ] || log "Cannot keep samples in $state/samples; they are kept in memory."
    unstorable=1 && count_stored "$state"
    [ "$fresh_count" -le "$capacity" ] || drop_fresh $((fresh_count - capacity))
  fi
  [ $((stored - sent)) -le "$capacity" ] || sent=$((stored - capacity))
  [ "$stored" -lt $((2 * capacity)) ] || {
    { echo && tail -n "$capacity" "$state/samples"; } >"$state/samples.new" && mv -f "$state/samples.new" "$state/samples" && stored=$capacity sent=0
  } 2>/dev/null
  return 0
}

# Leaves the oldest samples in `batch` and their number in `taken`, ending where the machine's clock was set back.
take_batch() {
  batch='' taken=0 newest=0
  if [ "$stored" -gt "$sent" ]; then text=$(sed -n "$((sent + 2)),$((sent + 1 + most))p" "$state/samples"); else text=$fresh; fi
  # shellcheck disable=SC2086 # one word for each line
  { IFS=$newline && set -- $text && unset IFS; }
  for line; do
    [ "$taken" -lt "$most" ] && [ ${#batch} -lt 200000 ] || break
    # A line that a crash or a full disk cut short is skipped.
    case $line in
      '{"at":"'[0-9]*T??:??:*'}')
        time=${line#*:\"} && time=${time%%[.Z]*}
        # shellcheck disable=SC2086 # one word for each part
        { IFS=-T: && set -- $time && unset IFS; }
        [ "$1$2$3$4$5$6" -gt "$newest" ] || break
        newest=$1$2$3$4$5$6 batch=$batch,$line
        ;;
    esac
    taken=$((taken + 1))
  done
}

# Forgets the samples of the batch.
drop_batch() {
  if [ "$stored" -le "$sent" ]; then drop_fresh "$taken" && return; fi
  sent=$((taken > 0 ? sent + taken : stored))
  [ "$sent" -lt "$stored" ] || { rm -f "$state/samples" && stored=0 sent=0; }
}

# complain WHAT SENTENCE: logs a failure that is new, or lasts for an hour.
complain() {
  [ "$failure" != "$1" ] || [ $((ticks - complained)) -gt 360000 ] || return 0
  [ "$failure" = "$1" ] || tell_state false "cannot report to $server: $1"
  failure=$1 complained=$ticks && log "$2"
}

# deliver SECONDS: sends what waits, oldest first, until the console does not take it, or the next sample is due.
deliver() {
  next_try=0
  [ "$stored" -le "$sent" ] || store_samples
  while [ "$stored" -gt "$sent" ] || [ -n "$fresh" ]; do
    take_batch
    if [ -z "$batch" ]; then drop_batch && continue; fi
    request api/agents/report "{\"interval\":$interval,$identity,\"agent_version\":\"$version\",\"agent_kind\":\"light\"$facts,\"samples\":[${batch#,}]}" "$1"
    now
    if [ $outcome = accepted ]; then
      drop_batch
      [ -z "$failure" ] || log "$server answers again; queued samples are being sent."
      [ -z "$failure" ] && [ -n "$reported" ] || tell_state true "reports to $server"
      reported=1 failures=0 failure='' most=100
    elif [ $outcome = unavailable ]; then
      failures=$((failures + 1)) && store_samples && back_off && next_try=$((ticks + delay))
      complain "$reason" "Cannot report to $server: $reason. $((stored - sent + fresh_count)) samples kept; trying again until it works."
      return 1
    elif [ "$code" = agent_deleted ]; then
      fatal "This server was deleted at $server. To add it again, make a new token on the page that adds a server and start the agent with it."
    elif [ "$status" = 401 ]; then
      failures=$((failures < 4 ? failures + 1 : 4)) && store_samples
      delay=$((failures > 3 ? 240000 : 15000 << failures)) && chance $((delay / 2)) && next_try=$((ticks + delay + random))
      complain "it does not know this machine's key" "$server does not know this machine's key. Samples are kept; asking again every 5 to 60 minutes. If the server is missing there for good, make a new token on the page that adds a server and start the agent with it."
      return 1
    elif [ "$status" = 413 ] && [ "$taken" -gt 1 ]; then
      most=$(((taken + 1) / 2))
    else
      drop_batch && log "$server refused $taken samples, which are dropped: $message"
    fi
    [ -n "$last" ] || { [ -z "$stopping" ] && [ "$ticks" -lt "$due" ]; } || return 0
    [ -z "$last" ] || [ "$ticks" -lt "$last" ] || return 0
  done
}

# read_options WORDS: the command line, then the environment.
read_options() {
  server=${WAKEFUL_SERVER:-} token=${WAKEFUL_TOKEN:-} token_file=${WAKEFUL_TOKEN_FILE:-} name=${WAKEFUL_NAME:-} state=${WAKEFUL_STATE:-}
  interval=${WAKEFUL_INTERVAL:-60} interfaces=${WAKEFUL_INTERFACES:-} network_disks=${WAKEFUL_NETWORK_FILESYSTEMS:-}
  while [ $# -gt 0 ]; do
    case $1 in
      --network-filesystems) network_disks=1 && shift && continue ;;
      --*=*) option=${1%%=*} value=${1#*=} && shift ;;
      *) [ $# -gt 1 ] || fatal "there is no option \"$1\", or it needs a value (agent.sh help lists them)" && option=$1 value=$2 && shift 2 ;;
    esac
    case $option in
      --server) server=$value ;;
      --token) token=$value ;;
      --token-file) token='' token_file=$value ;;
      --interval) interval=$value ;;
      --name) name=$value ;;
      --state) state=$value ;;
      --interfaces) interfaces=$value ;;
      --network-filesystems) network_disks=$value ;;
      *) fatal "there is no option \"$option\" (agent.sh help lists them)" ;;
    esac
  done
  case $interval in '' | *[!0-9]* | ??????* | 0*) interval=0 ;; esac
  [ "$interval" -ge 1 ] && [ "$interval" -le 86400 ] || fatal "--interval is a number of seconds from 1 to 86400"
  case $network_disks in 1 | true | yes | on) network_disks=1 ;; '' | 0 | false | no | off) network_disks='' ;; *) fatal "--network-filesystems is 1 or 0" ;; esac
  case $server in
    '') ;;
    *[!][A-Za-z0-9.:/_~%-]*) fatal "--server holds a character that no address of a console has" ;;
    http://?* | https://?*) server=${server%/}/ ;;
    *) fatal "--server is the console's address and starts with http:// or https://" ;;
  esac
  if [ -z "$state" ]; then
    state=${STATE_DIRECTORY:-}
    if [ -n "$state" ]; then state=${state%%:*}
    elif [ "$(id -u)" -ne 0 ]; then state=${XDG_STATE_HOME:-${HOME:-/tmp}/.local/state}/wakeful-agent
    else state=/var/lib/wakeful-agent; fi
  fi
}

# Reads the stored enrollment into `enrolled_server`, `agent`, `key` and `token_sum`; empty where there is none.
read_enrollment() {
  enrolled_server='' agent='' key='' token_sum=''
  { IFS= read -r line <"$state/agent.json"; } 2>/dev/null || return 0
  field server "$line" && enrolled_server=$value && field agent "$line" && agent=$value && field token "$line" && token_sum=$value
  field key "$line" && key=$value
}

show_state() {
  read_enrollment && text='' healthy='' process=''
  if [ -r "$state/status.json" ]; then
    IFS= read -r line <"$state/status.json"
    field process "$line" && process=$value && field since "$line" && since=$value && field text "$line" && text=$value
    case $line in *'"healthy":true'*) healthy=1 ;; esac
    field refused "$line" && refused=$value
  fi
  if [ -z "$key" ]; then
    printf '%s\n' "not enrolled: there is no key in $state, or only root can read it" ${text:+"state    $text"}
    return 1
  fi
  alive=$process && [ -z "$process" ] || kill -0 "$process" 2>/dev/null || [ -d "/proc/$process" ] || alive=''
  count_stored "$state"
  case $process/$alive/$healthy/$text in
    //*) text="has not reported yet" ;;
    */?*/*/* | */*//* | */stopped) text="$text since $since" ;;
    *) text="not running" ;;
  esac
  printf '%s\n' "console  $enrolled_server" "agent    $agent" "files    $state" "state    $text"
  [ -z "$alive" ] || [ -z "$refused" ] || printf '%s\n' "token    refused: $refused"
  printf '%s\n' "waiting  $stored samples on disk"
  [ -n "$alive" ] && [ -n "$healthy" ]
}

# Leaves in `client` the program that sends requests, and writes what each needs besides the body.
choose_client() {
  secure='' limit='' base=''
  case $server in https://*) secure=1 ;; esac
  if have timeout && timeout 5 true 2>/dev/null; then limit='timeout 15'; fi
  if have curl && { [ -z "$secure" ] || case $(curl --version) in *https*) ;; *) false ;; esac }; then
    client=curl
  elif have wget && case $(wget --version 2>/dev/null) in *+https*) ;; *'GNU Wget'*) [ -z "$secure" ] ;; *) false ;; esac then
    client=wget
  elif [ -n "$secure" ]; then
    fatal "curl, or GNU wget with TLS, is needed for an address that starts with https://. BusyBox' wget does not check certificates."
  elif have nc; then
    client=nc host=${server#http://} && base=/${host#*/} && host=${host%%/*} && port=80
    case $host in *]) ;; *:*) port=${host##*:} && host=${host%:*} ;; esac
    host=${host#[} && host=${host%]}
  else
    fatal "curl, GNU wget, or BusyBox' nc is needed"
  fi
}

# write_client KEY: headers and settings of requests, in the form of the program that sends them.
write_client() {
  agent_name="Wakeful-agent/$version (light)"
  {
    case $client in
      curl)
        printf '%s\n' silent include 'max-redirs = 0' "user-agent = \"$agent_name\"" 'header = "Content-Type: application/json"' 'header = "Expect:"'
        [ -z "$1" ] || printf 'header = "Authorization: Bearer %s"\n' "$1"
        ;;
      wget)
        printf '%s\n' 'tries = 1' 'max_redirect = 0' 'server_response = on' 'content_on_error = on' 'hsts = off' 'quiet = on' \
          "user_agent = $agent_name" 'header = Content-Type: application/json'
        [ -z "$1" ] || printf 'header = Authorization: Bearer %s\n' "$1"
        ;;
      nc)
        printf '%s\r\n' "Host: ${host}:$port" 'Connection: close' "User-Agent: $agent_name" 'Content-Type: application/json'
        [ -z "$1" ] || printf 'Authorization: Bearer %s\r\n' "$1"
        ;;
    esac
  } >"$state/client"
}

# Reads the token that was given into `token`.
read_token() {
  if [ -z "$token" ] && [ "$token_file" = - ]; then
    IFS= read -r token
  elif [ -z "$token" ] && [ -n "$token_file" ]; then
    { IFS= read -r token <"$token_file"; } 2>/dev/null || [ -n "$token" ] || fatal "--token-file: cannot read $token_file"
  fi
  token=$(printf %s "$token" | tr -d ' \t\r')
  case $token in *[!A-Za-z0-9._~-]*) fatal "this is no token as the console shows them" ;; esac
}

# Leaves the checksum of the token in `sum`.
hash_token() {
  if have sha256sum; then sum=$(printf %s "$token" | sha256sum)
  elif have shasum; then sum=$(printf %s "$token" | shasum -a 256)
  else sum=$(printf %s "$token" | cksum); fi
  sum=${sum%% *}
}

# Uses the stored enrollment, or enrolls when there is none or the token is new. An enrolled machine keeps its enrollment when
# the console refuses the new token.
enroll() {
  read_enrollment && read_token && hash_token
  if [ -n "$key" ] && { [ -z "$token" ] || [ "$sum" = "$token_sum" ]; }; then server=${server:-$enrolled_server} && choose_client && return; fi
  server=${server:-$enrolled_server}
  [ -n "$server" ] || fatal "--server (or WAKEFUL_SERVER) must name the console's address"
  [ -n "$token" ] || fatal "--token-file (or WAKEFUL_TOKEN, or --token) must hold a token; the console's page that adds a server makes one"
  choose_client
  secret='' && { read -r secret <"$state/secret"; } 2>/dev/null
  if [ ${#secret} -ne 43 ]; then
    secret=$(head -c 999 /dev/urandom | tr -dc 'A-Za-z0-9_-' | head -c 43) && write_whole "$state/secret" "$secret" || fatal "$state/secret cannot be written"
  fi
  write_client ''
  quote "$(printf '%.255s' "$name")"
  while [ -z "$stopping" ]; do
    request api/agents/register "{\"token\":\"$token\",\"machine_id\":\"$secret\",${name:+\"name\":$quoted,}$identity}" 10
    now
    case $outcome in
      refused)
        case $code in
          token_invalid) message="it knows no such token. Copy it again from the page that adds a server" ;;
          token_used) message="the token was used already. Make a new one on the page that adds a server" ;;
          token_expired) message="the token has expired. Make a new one on the page that adds a server" ;;
        esac
        refused="$server does not take this machine: ${message%.}."
        [ -n "$key" ] || { text=$refused refused='' && fatal "$text"; }
        log "$refused The earlier enrollment at $enrolled_server stays in use."
        server=$enrolled_server && choose_client
        return
        ;;
      accepted)
        field id "$answer" && id=$value && field key "$answer"
        case $value in
          *[!A-Za-z0-9._~+/=-]* | '') reason="it gives no key, as a console would" ;;
          *)
            key=$value agent=$id
            write_whole "$state/agent.json" "{\"server\":\"$server\",\"agent\":$agent,\"key\":\"$key\",\"token\":\"$sum\"}" || fatal "$state/agent.json cannot be written"
            log "Enrolled at $server as agent $agent. The token is used up and is not needed again."
            return
            ;;
        esac
        ;;
    esac
    failures=$((failures + 1)) && back_off
    [ "$reason" = "$failure" ] || log "Cannot enroll at $server yet: $reason. Trying again until it works."
    [ "$reason" = "$failure" ] || tell_state false "Cannot enroll at $server yet: $reason. Trying again until it works."
    failure=$reason
    pause "$delay"
  done
}

# Ends what still runs, and removes the pipes.
clean_up() {
  [ -z "$child" ] || kill "$child" 2>/dev/null
  rm -f "$state/answers" "$state/answer" "$state/wake" "$state/request"
}

start() {
  stopping='' last='' child='' refused='' started='' fresh='' fresh_count=0 stored=0 sent=0 unstorable='' most=100
  failures=0 failure='' complained=0 reported='' next_try=0 kept='' together='' alone='' sensors=1 faults_before='' planned=''
  measured=0 measured_at=0 settled_at=0 due=0 asked_addresses=-99999 timed_read='' fractions='' addresses=''
  length=$((interval * 100)) system=$(uname -s) node=$(uname -n) kernel=$(uname -r) os_name=$(uname -s)
  [ "$system" != Darwin ] || { os_name=macOS && kernel=$(sw_vers -productVersion); }
  gap=$((3 * (length > 500 ? length : 500))) lead=$((length > 600 ? 300 : length / 2))
  # Closed output must not end the agent.
  trap '' PIPE
  { mkdir -p "$state" && : >"$state/writable" && rm "$state/writable" && rm -f "$state/answers" "$state/answer" "$state/wake" &&
    mkfifo "$state/answers" "$state/answer" "$state/wake"; } 2>/dev/null || fatal "$state cannot be written; choose another directory with --state"
  exec 3<>"$state/answers" 4<>"$state/answer" 5<>"$state/wake"
  trap 'stopping=1 && echo >&5 && [ -n "$child" ] && kill "$child"' TERM INT HUP
  trap clean_up EXIT
  # Shells that can wait for input need no process to sleep.
  # shellcheck disable=SC3045 # tried in a shell of its own
  if (echo >&5 && read -r -t 0.5 _ <&5) 2>/dev/null; then timed_read=1; elif sleep 0.01 2>/dev/null; then fractions=1; fi
  now && seed=$(($$ * 7919 + ticks + $(od -An -N3 -tu4 /dev/urandom 2>/dev/null || echo 0)))
  started=1 && tell_state false "started, has not reported yet"
  measure
  ask
  enroll
  [ -z "$stopping" ] || exit 0
  write_client "$key" && failures=0 failure=''
  tell_state false "started, has not reported yet"
  log "Wakeful agent $version (light, with $client) reports to $server as agent $agent every $interval s; its files are in $state."
  case $server in
    http://localhost[:/]* | http://127.* | 'http://[::1]'* | https:*) ;;
    *) log "The address starts with http://, so the key and all figures are sent unencrypted." ;;
  esac
  count_stored "$state"
  [ "$stored" -eq 0 ] || log "$stored samples of an earlier run will be sent first."
  measured=0 && measure
  while [ -z "$stopping" ]; do
    now
    if [ -z "$planned" ] && [ "$ticks" -ge $((due - lead)) ]; then
      ask && planned=1
      [ $((due - ticks)) -ge "$lead" ] || due=$((ticks + lead))
    elif [ "$ticks" -ge "$due" ]; then
      measure
      [ "$next_try" -gt "$ticks" ] && store_samples || deliver 10
    elif [ "$next_try" -gt 0 ] && [ "$ticks" -ge "$next_try" ]; then
      deliver 10
    else
      until=$due && [ -n "$planned" ] || until=$((due - lead))
      [ "$next_try" -eq 0 ] || [ "$next_try" -ge "$until" ] || until=$next_try
      pause $((until - ticks))
    fi
  done
  # What waits may still be sent for five seconds.
  now && last=$((ticks + 500))
  deliver 5
  store_samples
  tell_state true stopped
  if [ $((stored - sent + fresh_count)) -eq 0 ]; then log "Stopped. Everything is sent."; else log "Stopped. $((stored - sent + fresh_count)) samples kept for the next start."; fi
}

main() {
  refused='' started=''
  action=${1:-} && [ $# -eq 0 ] || shift
  case $action in
    start) read_options "$@" && start ;;
    status) read_options "$@" && show_state ;;
    version) printf '%s\n' "$version" ;;
    help | --help | -h) printf '%s\n' "$help" ;;
    *) fatal "usage: agent.sh start|status|version (agent.sh help explains them)" ;;
  esac
}

# Last, so that a download that was cut short does nothing.
main "$@"
