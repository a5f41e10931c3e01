# The figures of the light agent, in one run of awk for each sample. It reads what it left at the previous sample (<), what
# disks and sensors answered (>), the addresses of the machine (=), and what commands of FreeBSD and macOS print (@). It prints
# the sample, the identity of the machine, other facts, the disks that cannot be read, the disks to ask together, those to ask
# alone, and what the next run needs. No apostrophe may stand here, because all of it becomes a word of a shell script.
function first(file,   text) { text = ""; getline text < file; close(file); return text }
function exists(file,   text, found) { found = (getline text < file); close(file); return found >= 0 }
function bytes(kib) { return sprintf("%.0f", kib * 1024) }
function usage(total, used) { return "{\"total\":" bytes(total) ",\"used\":" bytes(used) "}" }
function list(items) { return "[" substr(items, 2) "]" }
function grown(now, then) { return now > then ? now - then : 0 }
function percent(part) { return sprintf("%.2f", 100 * part / all) }
function rate(count) { return sprintf("%.3f", count * 100 / hundredths / 1024) }
function quote(text, most,   i, c, out) {
  out = ""; text = substr(text, 1, most)
  for (i = 1; i <= length(text); i++) { c = substr(text, i, 1); out = out (c in escaped ? escaped[c] : c) }
  return "\"" out "\""
}
# A path as printf %b takes it, where \0040 is a space.
function plain(path,   out) {
  for (out = ""; match(path, /\\0[0-7][0-7][0-7]/); path = substr(path, RSTART + 5))
    out = out substr(path, 1, RSTART - 1) sprintf("%c", substr(path, RSTART + 2, 1) * 64 + substr(path, RSTART + 3, 1) * 8 + substr(path, RSTART + 4, 1))
  return out path
}
function iso(time,   days, left, era, of_era, year, of_year, month) {
  days = int(time / 86400); left = time - days * 86400; days += 719468; era = int(days / 146097); of_era = days - era * 146097
  year = int((of_era - int(of_era / 1460) + int(of_era / 36524) - int(of_era / 146096)) / 365)
  of_year = of_era - (365 * year + int(year / 4) - int(year / 100)); month = int((5 * of_year + 2) / 153)
  return sprintf("%04d-%02d-%02dT%02d:%02d:%02d.000Z", year + era * 400 + (month > 9), month < 10 ? month + 3 : month - 9,
    of_year - int((153 * month + 2) / 5) + 1, int(left / 3600), int(left % 3600 / 60), left % 60)
}
# Whether a line holds figures of df, in KiB. They are left in space_used and space_free, and the path in where.
function read_df(line) {
  if (!match(line, / [0-9]+ +[0-9]+ +-?[0-9]+ +[0-9]+% /)) return 0
  where = substr(line, RSTART + RLENGTH); split(substr(line, RSTART, RLENGTH), f, " ")
  space_used = f[2] + 0; space_free = f[3] > 0 ? f[3] + 0 : 0; return 1
}
function add_disk(key, point, rank, type) {
  if (!(key in best)) keys[++disks] = key
  if (!(key in best) || rank < rank_of[key]) { best[key] = point; rank_of[key] = rank }
  if (type == "zfs") pool[point] = key
}
BEGIN {
  for (i = 1; i < 32; i++) escaped[sprintf("%c", i)] = sprintf("\\u%04x", i)
  escaped["\""] = "\\\""; escaped["\\"] = "\\\\"; proc = root "/proc"; processors = total = 0; swap_total = -1
}
/^<cpu / { for (i = 2; i <= 6; i++) cpu_before[i] = $i; known_cpu = 1 }
/^<net / { rx_before[$2] = $3; tx_before[$2] = $4 }
/^<boot / { boot_before = $2 }
/^<start / { start_before = $2 }
/^<disk / { used[$2] = $3; free[$2] = $4 }
/^<good / { good[$2] = 1 }
/^<asked / { asked[$2] = 1; if ($3 != "") fault[$2] = $3 }
/^>:sensor / {
  name = substr($0, index($0, $3)); if ($2 <= 0 || $2 > 150000 || name ~ /\/(AUXTIN|PCH_|Virtual_TEMP)/) next
  # Of sensors with the same name the hottest stands for all.
  if (!(name in degrees)) sensor[++sensors] = name
  if ($2 > degrees[name]) degrees[name] = $2 + 0
}
/^>:cpu / { for (i = 2; i <= 4; i++) iostat[i] = $i; known_iostat = 1 }
/^>:alone / {
  delete asked[$2]; delete fault[$2]; delete used[$2]
  if (read_df($0 " ")) {
    used[$2] = space_used; free[$2] = space_free
    # Only names that df prints as they are can be recognised among those of others.
    if ($2 ~ /^[!-~]+$/ && $2 !~ /\\/) good[$2] = answered[$2] = 1
  } else fault[$2] = $3 == "file" || / [-0-9]+%? \// ? "file" : /ermission denied|not permitted/ ? "permission" : /nput\/output/ ? "EIO" : /not connected/ ? "ENOTCONN" : "error"
}
/^>[^:]/ { if (read_df($0)) { used[where] = space_used; free[where] = space_free; answered[where] = 1 } }
# Addresses: lines of ip, as in `2: eth0 inet 192.0.2.1/24 …`, or the paragraphs of ifconfig.
/^=[^ \t]/ { interface = $1 ~ /^=[0-9]+:$/ ? $2 : substr($1, 2); sub(/[:@].*/, "", interface) }
/^=/ {
  for (i = 1; i < NF; i++) if ($i == "inet" || $i == "inet6") {
    address = $(i + 1) == "addr:" ? $(i + 2) : $(i + 1); sub(/^addr:/, "", address); sub(/[\/%].*/, "", address)
    if (address ~ /^[0-9a-fA-F:.]+$/ && address !~ /^127\.|^::1$|^[fF][eE][89abAB]/) { addresses[++found] = address; on[found] = interface }
  }
}
/^@kern.cp_time:/ { cpu[2] = $2 + $3; cpu[3] = $4 + $5; cpu[4] = cpu[5] = 0; cpu[6] = $6; known = 1 }
/^@hw.(physmem|memsize):/ { total = $2 / 1024 }
/^@hw.pagesize:/ { page = $2 / 1024 }
/^@hw.ncpu:/ { processors = $2 }
/^@vm.stats.vm/ { pages -= $2 }
/^@kstat.*arcstats.(size|c_min):/ { arc += ($1 ~ /size/ ? 1 : -1) * $2 / 1024 }
/^@vm.loadavg:/ { load = $3 "," $4 "," $5 }
/^@kern.boottime:/ { match($0, /sec = [0-9]+/); booted = substr($0, RSTART + 6, RLENGTH - 6) }
/^@kern.bootsessionuuid:/ { boot = tolower(substr($2, 1, 8)) }
/^@vm.swapusage:/ { swap_total = $4 * 1024; swap_used = $7 * 1024 }
/^@.*page size of/ { match($0, /of [0-9]+/); page = substr($0, RSTART + 3, RLENGTH - 3) / 1024; total_pages = 1 }
/^@(Anonymous pages|Pages wired down|Pages occupied by compressor):/ { pages += $NF }
/^@Pages purgeable:/ { pages -= $NF }
/^@(\/dev|Total).* [0-9]+%$/ { swap_total = $2; swap_used = $3 }
/^@.*<Link#/ { name = substr($1, 2); sub(/\*$/, "", name); rx[name] = $(NF - 4); tx[name] = $(NF - 1); order[++interfaces] = name }
/^@.* on \/.* \((ufs|zfs),/ { key = substr($1, 2); if (/\(zfs/) sub(/\/.*/, "", key); add_disk(key, $3, length($3), /\(zfs/ ? "zfs" : "") }

# The mounts of the machine, each disk once. Later mounts hide earlier ones on the same path.
function read_mounts(   line, n, i, dash, point, type, source, key, whole) {
  while ((getline line < (proc "/self/mountinfo")) > 0) {
    gsub(/\\/, "\\0", line); n = split(line, f, " ")
    for (dash = 6; dash < n && f[dash] != "-"; dash++);
    if (dash + 2 > n || length(f[5]) > 1000) continue
    if (!(f[5] in entry)) points[++mounts] = f[5]
    entry[f[5]] = f[3] " " f[4] " " f[dash + 1] " " f[dash + 2]
  }
  for (i = 1; i <= mounts; i++) {
    point = points[i]; split(entry[point], f, " "); key = f[1]; whole = f[2] == "/"; type = f[3]; source = f[4]
    if (type ~ /^(autofs|binfmt_misc|bpf|cgroup2?|configfs|debugfs|devpts|devtmpfs|fusectl|hugetlbfs|iso9660|mqueue|nsfs|overlay)$/) continue
    if (type ~ /^(proc|procfs|pstore|rpc_pipefs|securityfs|selinuxfs|squashfs|erofs|sysfs|tracefs|tmpfs|ramfs)$/) continue
    if (point ~ /^\/(dev|proc|run\/credentials\/.+|sys|var\/lib\/docker\/.+|var\/lib\/containers\/storage\/.+)($|\/)/) continue
    if (point ~ /^\/(var\/lib\/kubelet|snap|boot\/efi)($|\/)/ || point ~ /^\/etc\/(hosts|hostname|resolv.conf)$/) continue
    if (type ~ /^(nfs[0-9]?|cifs|smb3|smbfs|ceph|glusterfs|afs|9p|fuse\..+)$/) { if (!network_disks) continue; key = source }
    else if (type == "zfs") { whole = source !~ /\//; key = source; sub(/\/.*/, "", key); key = "zfs " key }
    else if (type == "btrfs" || type == "bcachefs") key = source
    else if (type != "simfs" && (source !~ /^\/dev\// || source ~ /^\/dev\/loop/)) continue
    # The root of the system stands for its disk, or else a whole filesystem, or else the shortest path.
    add_disk(key, point, point == "/" ? 0 : point == "/sysroot" ? 1 : length(point) + (whole ? 2 : 100000), type)
  }
  # Inside a container only the disk of the root filesystem may be visible.
  if (!disks && "/" in entry && entry["/"] !~ / (tmpfs|ramfs) [^ ]*$/) add_disk("/", "/", 0, "")
}
function read_linux(   line, field) {
  while ((getline line < (proc "/stat")) > 0) {
    # Guest time, after steal, is in user and nice already.
    if (line ~ /^cpu /) { known = split(line, f, " ") > 4; cpu[2] = f[2] + f[3]; cpu[3] = f[4] + f[7] + f[8]; cpu[4] = f[6] + 0; cpu[5] = f[9] + 0; cpu[6] = f[5] }
    if (line ~ /^cpu[0-9]/) processors++
  }
  while ((getline line < (proc "/meminfo")) > 0) { split(line, f, " "); field[f[1]] = f[2] }
  # Kernels before 3.14 and some containers have no MemAvailable.
  if (!("MemAvailable:" in field)) field["MemAvailable:"] = field["MemFree:"] + field["Buffers:"] + field["Cached:"] + field["SReclaimable:"] - field["Shmem:"]
  total = field["MemTotal:"] + 0; pages = -field["MemAvailable:"]; page = 1
  if ("SwapTotal:" in field) { swap_total = field["SwapTotal:"]; swap_used = swap_total - field["SwapFree:"] - field["SwapCached:"] }
  # The cache of ZFS, which the kernel counts as used, shrinks to a size that it keeps.
  while ((getline line < (proc "/spl/kstat/zfs/arcstats")) > 0) { split(line, f, " "); arc += f[1] == "size" ? f[3] / 1024 : f[1] == "c_min" ? -f[3] / 1024 : 0 }
  if (split(first(proc "/loadavg"), f, " ") >= 3) load = f[1] "," f[2] "," f[3]
  if (split(first(proc "/uptime"), f, " ") > 0) booted = int(epoch - f[1] + 0.5)
  boot = substr(first(proc "/sys/kernel/random/boot_id"), 1, 8)
  while ((getline line < (proc "/net/dev")) > 0) if (sub(/:/, " ", line)) { split(line, f, " "); rx[f[1]] = f[2]; tx[f[1]] = f[10]; order[++interfaces] = f[1] }
  while ((getline line < (proc "/net/route")) > 0) { split(line, f, " "); if (f[2] f[8] == "0000000000000000") routes[f[1]] = 1 }
  while ((getline line < (proc "/net/ipv6_route")) > 0) { split(line, f, " "); if (f[2] == "00" && f[1] ~ /^0+$/ && f[10] != "lo") routes[f[10]] = 1 }
  read_mounts()
}
function matches(glob, name) {
  gsub(/[.+$(){}|]/, "[&]", glob); gsub(/\*/, ".*", glob); gsub(/\?/, ".", glob); gsub(/\[!/, "[^", glob); return name ~ ("^" glob "$")
}
# Whether the traffic of an interface counts: virtual ones would count that of the physical ones again, but containers have none.
function counts(name, routed,   n, i, wanted) {
  n = split(globs, f, ",")
  for (i = 1; i <= n; i++) if (f[i] ~ /^!/ && matches(substr(f[i], 2), name)) return 0; else if (f[i] ~ /^[^!]/) wanted = 1
  for (i = 1; i <= n; i++) if (f[i] ~ /^[^!]/ && matches(f[i], name)) return 1
  if (wanted || routed) return !wanted && name in routes
  if (system_name == "Darwin") return name ~ /^en[0-9]+$/
  if (system_name != "Linux") return name !~ /^(lo|bridge|tun|tap|wg|epair|vlan|lagg|pf|enc|gif|ovpn)/
  return exists(root "/sys/class/net/" name "/ifindex") && !exists(root "/sys/devices/virtual/net/" name "/ifindex")
}
function compare_network(   routed, i, name, back, compared, rx_grown, tx_grown, rx_all, tx_all) {
  for (routed = 0; routed < 2 && !counted; routed++) for (i = 1; i <= interfaces; i++) {
    name = order[i]; if (rx[name] tx[name] !~ /^[0-9]+$/ || name == "lo" || !counts(name, routed)) continue
    state = state "<net " name " " rx[name] " " tx[name] "\n"
    if (++counted <= 32) traffic = traffic "," quote(name, 128) ":[" rx[name] "," tx[name] "]"
    if (!(name in rx_before)) continue
    rx_grown = rx[name] - rx_before[name]; tx_grown = tx[name] - tx_before[name]; compared = 1
    if (rx_grown < 0 || tx_grown < 0) { back = 1; continue } # an interface that was created again counts from zero
    rx_all += rx_grown; tx_all += tx_grown
    if (counted <= 32) rates = rates ",{\"name\":" quote(name, 128) ",\"rx\":" rate(rx_grown) ",\"tx\":" rate(tx_grown) "}"
  }
  network = settled && compared && !back ? "{\"rx\":" rate(rx_all) ",\"tx\":" rate(tx_all) "}" : "null"
}
function compare_disks(   i, point, part, sum, left, reason, listed) {
  for (point in good) if (!(point in answered)) delete good[point] # what did not answer with the others keeps its figures once, and is asked alone from now on
  for (i = 1; i <= disks; i++) {
    point = best[keys[i]]
    if (!(point in used)) {
      reason = point in fault ? fault[point] : point in asked ? "timeout" : "file"; if (reason == "file" || ++dark > 64) continue
      unreadable = unreadable ",{\"mount\":" quote(plain(point), 1024) ",\"reason\":\"" reason "\"}"; faults = faults ", " plain(point) " (" reason ")"; continue
    }
    sum = used[point]; left = free[point]
    # Each dataset of a pool knows only its own usage; they share the free space.
    for (part in pool) if (part != point && pool[part] == keys[i] && part in used) { sum += used[part]; if (free[part] > left) left = free[part] }
    if (sum + left <= 0 || ++listed > 64) continue
    disk_total += sum + left; disk_used += sum; each = each ",{\"mount\":" quote(plain(point), 1024) "," substr(usage(sum + left, sum), 2)
  }
}
# Disks that answered are asked together the next time. Others are asked alone, and not again before they answer.
function plan_disks(   i, point, size) {
  for (i = 1; i <= disks; i++) pool[best[keys[i]]] = keys[i]
  for (point in pool) {
    if ((size += length(point) + 120) > 15000) break # all answers must fit into a pipe
    if (point in good) { together = together " " point; state = state "<good " point "\n<disk " point " " used[point] " " free[point] "\n"; continue }
    if (!(point in asked)) { alone = alone " " point; delete fault[point] }
    state = state "<asked " point " " (point in fault ? fault[point] : "") "\n"
  }
}
function identity(   pass, i, text, line, file) {
  for (pass = 1; pass <= 2; pass++) for (i = 1; i <= found; i++) {
    if (addresses[i] in told || pass == 1 && !(on[i] in routes)) continue
    if (pass == 2 && on[i] ~ /^(lo$|docker|br-|veth|virbr|cni|flannel|cali|lxcbr|lxdbr|podman|vnet|tap)/) continue
    told[addresses[i]] = 1; if (++count <= 16) text = text ",\"" addresses[i] "\""
  }
  file = root (exists(root "/etc/os-release") ? "/etc/os-release" : "/usr/lib/os-release")
  while ((getline line < file) > 0) if (sub(/^PRETTY_NAME=/, "", line) && line != "") { gsub(/^["\047]|["\047]$|\\/, "", line); os_name = line }
  if ((line = first(proc "/sys/kernel/hostname")) != "") node = line
  return "\"hostname\":" quote(node, 255) ",\"ip_addresses\":" list(text) ",\"os\":" quote(os_name, 255) ",\"version\":" quote(kernel, 255)
}
END {
  if (system_name == "Linux") read_linux(); else if (system_name == "Darwin") add_disk("/", "/", 0, "")
  if (known_iostat) { cpu[2] = cpu_before[2] + iostat[2]; cpu[3] = cpu_before[3] + iostat[3]; cpu[6] = cpu_before[6] + iostat[4]; known = known_cpu = 1 }
  for (i = 2; i <= 6; i++) all += part[i] = grown(cpu[i], cpu_before[i]) # idle and iowait are known to decrease slightly
  usable = settled && known && known_cpu && all > 0
  if (known) state = "<cpu " cpu[2] " " cpu[3] " " cpu[4] " " cpu[5] " " cpu[6] "\n"
  memory = (total_pages ? 0 : total) + pages * page; if (memory < 0 || memory > total) total = memory = 0
  compare_network(); compare_disks(); plan_disks()
  sample = "{\"at\":\"" iso(epoch) "\",\"cpu\":" (usable ? percent(part[2] + part[3] + part[5]) : "null") ",\"memory\":" usage(total, arc > 0 ? grown(memory, arc) : memory)
  sample = sample ",\"disk\":" usage(disk_total, disk_used) ",\"disks\":" list(each) ",\"network\":" network
  if (swap_total >= 0) sample = sample ",\"swap\":" usage(swap_total, swap_used > 0 ? swap_used : 0)
  if (load != "") sample = sample ",\"load\":[" load "]"
  # FreeBSD marks a start by its time only, which changes with the clock: the first one stands until this agent ends.
  if (boot == "" && system_name != "Linux") boot = start_before != "" ? start_before : booted
  state = state "<start " boot "\n"
  if (booted != "") {
    if (booted - boot_before <= 2 && boot_before - booted <= 2) booted = boot_before # the same second in all samples, unless the clock was set
    state = state "<boot " booted "\n"; sample = sample ",\"boot_time\":\"" iso(booted) "\""
  }
  if (usable && system_name == "Linux") sample = sample ",\"cpu_parts\":{\"user\":" percent(part[2]) ",\"system\":" percent(part[3]) ",\"iowait\":" percent(part[4]) ",\"steal\":" percent(part[5]) "}"
  if (settled && rates != "") sample = sample ",\"interfaces\":" list(rates)
  for (i = 1; i <= sensors && i <= 16; i++) temperatures = temperatures ",{\"sensor\":" quote(sensor[i], 128) ",\"celsius\":" sprintf("%.1f", degrees[sensor[i]] / 1000) "}"
  if (temperatures != "") sample = sample ",\"temperatures\":" list(temperatures)
  if (boot != "" && traffic != "") sample = sample ",\"traffic\":{\"boot\":\"" boot "\",\"interfaces\":{" substr(traffic, 2) "}}"
  facts = (processors > 0 ? ",\"processors\":" processors : "") (booted != "" ? ",\"boot_time\":\"" iso(booted) "\"" : "") (boot != "" ? ",\"boot\":\"" boot "\"" : "")
  restart = exists(root "/run/reboot-required") || exists(root "/run/reboot-needed")
  if (restart || exists(root "/etc/debian_version") || exists(root "/etc/SUSE-brand")) facts = facts ",\"reboot_required\":" (restart ? "true" : "false")
  gsub(/[[:cntrl:]]/, " ", faults)
  print sample "}\n" identity() "\n" facts ",\"unreadable_disks\":" list(unreadable) "\n" substr(faults, 3) "\n" together "\n" alone "\n" state
}