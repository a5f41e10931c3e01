import { describe, expect, it } from "bun:test";
import { cpuPercent, networkRate } from "../../../../agent/collect";
import { createLinux } from "../../../../agent/platform/linux";
import { filesBelow } from "../../../../agent/platform/proc";
import type { Sample } from "../../../../shared/agents/report";
import { AWKS, runFigures as run } from "../../../../testing/light-agent";
import { makeTree } from "../../../../testing/machine";

const GB = 1024 ** 3;

const MACHINE = {
  "/proc/stat": "cpu  4705 356 584 3699 23 11 26 7 900 80\ncpu0 1 1\ncpu1 1 1\nbtime 1062191376\n",
  "/proc/meminfo":
    "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:   12000000 kB\nSwapCached: 1000 kB\nSwapTotal: 2000000 kB\nSwapFree: 1500000 kB\n",
  "/proc/net/dev":
    "Inter-|   Receive  |  Transmit\n face |bytes    packets\n    lo: 99 1 0 0 0 0 0 0 99 1 0 0 0 0 0 0\n  eth0:123456789012345 1 0 0 0 0 0 0 2000 1 0 0 0 0 0 0\ndocker0: 5000 1 0 0 0 0 0 0 6000 1 0 0 0 0 0 0\n",
  "/proc/net/route":
    "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\nveth9\t00000000\t0\t3\t0\t0\t0\t00000000\n",
  "/proc/loadavg": "0.10 0.20 0.30 1/100 1234\n",
  "/proc/uptime": "1000.50 2000.00\n",
  "/proc/sys/kernel/random/boot_id": "0a1b2c3d-8222-4e2f-9d4b-2f0c4a0e7c11\n",
  "/proc/sys/kernel/hostname": "web-1\n",
  "/proc/self/mountinfo": "27 1 254:1 / / rw shared:1 - ext4 /dev/vda1 rw\n",
  "/etc/os-release": 'NAME=Debian\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
  "/etc/debian_version": "13.0\n",
  "/sys/devices/pci/net/eth0/ifindex": "2\n",
  "/sys/devices/virtual/net/docker0/ifindex": "3\n",
  "/sys/class/net/eth0": "->../../devices/pci/net/eth0",
  "/sys/class/net/docker0": "->../../devices/virtual/net/docker0",
};

/** What df prints of the disks at these points: 30 % of ten gigabytes. */
const spaces = (points: string[]) =>
  points
    .map(
      (point) =>
        `>:alone ${point} Filesystem 1024-blocks Used Available Capacity Mounted on /dev/x y ${10 * 2 ** 20}  ${3 * 2 ** 20} ${7 * 2 ** 20}  30% ${point}\n`,
    )
    .join("");

const mountinfo = (mounts: [device: string, point: string, type: string, source: string, root?: string][]) =>
  mounts
    .map(
      ([device, point, type, source, root = "/"], index) =>
        `${index + 20} 1 ${device} ${root} ${point} rw shared:1 - ${type} ${source} rw`,
    )
    .join("\n");

/** The same machine as the executable reads it. */
const executable = (root: string, interfaces: string[] = [], networkFilesystems = false) =>
  createLinux(
    { interfaces, networkFilesystems },
    filesBelow(root),
    async (paths) => new Map(paths.map((path) => [path, { used: 3 * GB, available: 7 * GB }])),
    async (paths) => new Map(paths.map((path) => [path, { used: 3 * GB, available: 7 * GB }])),
  ).read();

describe.each(Object.keys(AWKS))("by %s", (awk) => {
  it("measures what the executable does", async () => {
    const root = makeTree(MACHINE);
    const first = run(awk, root, { settled: false });
    expect(first.sample).toMatchObject({ cpu: null, network: null, disks: [] });
    expect(first.alone).toEqual(["/"]);
    const later = makeTree({
      ...MACHINE,
      // Idle decreased, as it does on some machines.
      "/proc/stat": "cpu  5705 356 684 3690 123 11 26 107 900 80\ncpu0 1 1\ncpu1 1 1\n",
      "/proc/net/dev": MACHINE["/proc/net/dev"].replace("123456789012345", "123456790012345").replace("2000", "63440"),
    });
    const { sample, identity, facts, together, state } = run(awk, later, { input: first.state + spaces(["/"]) });
    const [before, after] = [await executable(root), await executable(later)];
    expect(sample).toEqual({
      at: "2026-01-15T12:20:00.000Z",
      cpu: cpuPercent(before.cpu, after.cpu, 60),
      memory: after.memory as Sample["memory"],
      disk: { total: 10 * GB, used: 3 * GB },
      disks: after.disks,
      network: networkRate(before.network, after.network, 60),
      swap: after.swap,
      load: after.load,
      boot_time: "2026-01-15T12:03:20.000Z",
      cpu_parts: { user: 76.92, system: 7.69, iowait: 7.69, steal: 7.69 },
      interfaces: [{ name: "eth0", rx: 16.276, tx: 1 }],
      traffic: { boot: "0a1b2c3d", interfaces: { eth0: [123_456_790_012_345, 63_440] } },
    } as Sample);
    expect(identity).toEqual({
      hostname: "web-1",
      ip_addresses: [],
      os: "Debian GNU/Linux 13 (trixie)",
      version: "6.1.0",
    });
    const clock = { boot: "0a1b2c3d", boot_time: "2026-01-15T12:03:20.000Z" };
    expect(facts).toEqual({ processors: 2, ...clock, reboot_required: false, unreadable_disks: [] });
    expect(together).toEqual(["/"]);
    expect(state).toContain("<cpu 6061 721 123 107 3690\n");
  });

  it("finds the disks that the executable finds", async () => {
    const mounts = mountinfo([
      ["0:21", "/proc", "proc", "proc"],
      ["254:1", "/", "ext4", "/dev/vda1"],
      ["254:1", "/srv/again", "ext4", "/dev/vda1", "/srv"],
      ["254:2", "/data\\040disk", "xfs", "/dev/vdb"],
      ["254:9", "/hidden", "xfs", "/dev/vdh"],
      ["0:50", "/hidden", "tmpfs", "tmpfs"],
      ["0:31", "/pool/data", "zfs", "tank/data"],
      ["0:30", "/pool", "zfs", "tank"],
      ["0:40", "/home", "btrfs", "/dev/sdc", "/@home"],
      ["0:41", "/var", "btrfs", "/dev/sdc", "/@var"],
      ["7:1", "/snap/core/1", "squashfs", "/dev/loop1"],
      ["254:3", "/boot/efi", "vfat", "/dev/vda15"],
      ["0:60", "/mnt/nas", "nfs4", "nas:/share"],
      ["0:61", "/mnt/ssh", "fuse.sshfs", "host:"],
      ["254:5", "/etc/hosts", "ext4", "/dev/vdq", "/hosts"],
      ["254:6", "/var/lib/docker/overlay2/x", "ext4", "/dev/vdr"],
      ["254:7", "/odd\\134name\\011tab", "ext4", "/dev/vds"],
    ]);
    const root = makeTree({ ...MACHINE, "/proc/self/mountinfo": `${mounts}\n` });
    for (const network of [false, true]) {
      const { alone, state } = run(awk, root, { network });
      const { sample } = run(awk, root, { network, input: state + spaces(alone) });
      const { disks } = await executable(root, [], network);
      const sorted = (all: { mount: string }[] = []) => all.toSorted((a, b) => (a.mount < b.mount ? -1 : 1));
      expect(sorted(sample.disks)).toEqual(sorted(disks));
      expect(disks.length).toBe(network ? 7 : 5);
    }
  });

  it("asks a disk that does not answer alone, names it, and takes its late answer", () => {
    const root = makeTree({
      ...MACHINE,
      "/proc/self/mountinfo": mountinfo([
        ["254:1", "/", "ext4", "/dev/vda1"],
        ["254:2", "/dead", "ext4", "/dev/vdb"],
      ]),
    });
    let { state, alone, together, sample, facts } = run(awk, root);
    expect(alone.toSorted()).toEqual(["/", "/dead"]);
    ({ state, alone, together } = run(awk, root, { input: state + spaces(["/", "/dead"]) }));
    expect([together.toSorted(), alone]).toEqual([["/", "/dead"], []]);
    // Without answers, earlier values are reported once more, and each source is asked separately.
    ({ state, alone, together, sample, facts } = run(awk, root, { input: state }));
    expect([sample.disks?.length, together, alone.toSorted(), facts.unreadable_disks]).toEqual([
      2,
      [],
      ["/", "/dead"],
      [],
    ]);
    for (const asked of [["/"], []]) {
      const answers =
        asked.length > 0 ? spaces(["/"]) : `>/dev/vda1 ${10 * 2 ** 20} ${3 * 2 ** 20} ${7 * 2 ** 20} 30% /\n`;
      ({ state, alone, together, sample, facts } = run(awk, root, { input: state + answers }));
      expect([sample.disks?.map(({ mount }) => mount), together, alone]).toEqual([["/"], ["/"], []]);
      expect(facts.unreadable_disks).toEqual([{ mount: "/dead", reason: "timeout" }]);
    }
    ({ state, together, facts } = run(awk, root, { input: `${state}${spaces(["/", "/dead"])}` }));
    expect([together.toSorted(), facts.unreadable_disks]).toEqual([["/", "/dead"], []]);
  });

  it("names why a disk cannot be read, and leaves out mounted files", () => {
    const points = ["/a", "/b", "/c", "/d"];
    const root = makeTree({
      ...MACHINE,
      "/proc/self/mountinfo": mountinfo(
        points.map((point, index) => [`254:${index}`, point, "ext4", `/dev/vd${index}`]),
      ),
    });
    const { state } = run(awk, root);
    const answers = [
      ">:alone /a df: /a: Permission denied",
      ">:alone /b file",
      ">:alone /c df: /c: Input/output error",
      ">:alone /d df: /d: No such file or directory",
    ];
    const { facts, faults, alone } = run(awk, root, { input: `${state}${answers.join("\n")}\n` });
    const reasons = (facts.unreadable_disks as { mount: string; reason: string }[]).map(
      ({ mount, reason }) => mount + reason,
    );
    expect(reasons.toSorted()).toEqual(["/apermission", "/cEIO", "/derror"]);
    expect(faults).toContain("/a (permission)");
    expect(alone.toSorted()).toEqual(points);
  });

  it("bounds 500 disks and 300 interfaces, and keeps control characters out of lines", () => {
    const names = Array.from({ length: 300 }, (_, index) => `eth${index + 1}`);
    const many = Array.from({ length: 500 }, (_, index) => `/disk${index}`);
    const root = makeTree({
      ...MACHINE,
      "/proc/self/mountinfo": mountinfo(many.map((point, index) => [`9:${index}`, point, "ext4", `/dev/sd${index}`])),
      "/proc/net/dev": `${MACHINE["/proc/net/dev"]}${names.map((name) => `${name}: 1 0 0 0 0 0 0 0 2 0 0`).join("\n")}\n e"\u0007\\x: 1 0 0 0 0 0 0 0 2 0 0\n`,
      "/proc/sys/kernel/hostname": 'a"b\\c\u0001d\n',
    });
    const first = run(awk, root, { globs: "eth*,e?*x" });
    expect(Object.keys(first.sample.traffic?.interfaces ?? {}).length).toBe(32);
    expect(first.identity.hostname).toBe('a"b\\c\u0001d');
    expect(first.alone.length).toBeGreaterThan(64);
    expect(first.alone.length).toBeLessThan(130);
    const second = run(awk, root, { globs: "e?*x", input: first.state + spaces(first.alone) });
    expect(second.sample.disks?.length).toBe(64);
    expect(second.sample.traffic?.interfaces).toEqual({ 'e"\u0007\\x': [1, 2] });
  });

  it("counts the interfaces that the executable counts", async () => {
    const root = makeTree(MACHINE);
    const virtual = makeTree({
      ...MACHINE,
      "/sys/class/net/eth0": "->../../devices/virtual/net/eth0",
      "/sys/devices/virtual/net/eth0/ifindex": "2\n",
      "/proc/net/dev": MACHINE["/proc/net/dev"].replace("docker0", "veth9"),
    });
    for (const [tree, globs] of [
      [root, ""],
      [root, "*"],
      [root, "!eth0"],
      [root, "d*,!docker?"],
      [root, "[de]*,!eth[1-9]"],
      [virtual, ""],
    ] as const) {
      const { network } = await executable(tree, globs ? globs.split(",") : []);
      expect(Object.keys(run(awk, tree, { globs }).sample.traffic?.interfaces ?? {})).toEqual(Object.keys(network));
    }
  });

  it("reports memory as the executable does, with ZFS and without MemAvailable, and temperatures", async () => {
    const old =
      "MemTotal: 1000000 kB\nMemFree: 100000 kB\nBuffers: 10000 kB\nCached: 200000 kB\nShmem: 5000 kB\nSReclaimable: 1000 kB\n";
    for (const more of [
      { "/proc/meminfo": old },
      { "/proc/spl/kstat/zfs/arcstats": "9 1\nc_min 4 1073741824\nsize 4 2147483648\n" },
      { "/proc/meminfo": "MemTotal: 100 kB\nMemAvailable: 200 kB\n" },
      { "/proc/meminfo": "" },
    ] as Record<string, string>[]) {
      const root = makeTree({ ...MACHINE, ...more });
      const { memory } = await executable(root);
      expect(run(awk, root).sample.memory).toEqual(memory ?? { total: 0, used: 0 });
    }
    const lines =
      ">:sensor 45500 coretemp/Package id 0\n>:sensor 127840 nvme\n>:sensor 30000 nvme\n>:sensor -5000 x\n>:sensor 255000 y\n>:sensor 40000 nct/AUXTIN1\n";
    expect(run(awk, makeTree(MACHINE), { input: lines }).sample.temperatures).toEqual([
      { sensor: "coretemp/Package id 0", celsius: 45.5 },
      { sensor: "nvme", celsius: 127.8 },
    ]);
  });

  it("keeps the mark of a start where that is a time, which changes with the clock", () => {
    const freebsd = (start: number) =>
      [
        "kern.cp_time: 100 0 50 0 850",
        "hw.physmem: 4294967296",
        "hw.ncpu: 2",
        `kern.boottime: { sec = ${start}, usec = 5 } Thu Jan 15`,
        "em0  1500 <Link#1> 00:00:5e:00:53:01 10 0 0 2000 20 0 3000 0",
      ]
        .map((line) => `@${line}\n`)
        .join("");
    const [root, system] = [makeTree({}), "FreeBSD"];
    const first = run(awk, root, { system, input: freebsd(1_768_000_000) });
    expect(first.sample).toMatchObject({ traffic: { boot: "1768000000", interfaces: { em0: [2000, 3000] } } });
    const later = run(awk, root, { system, input: first.state + freebsd(1_768_003_600) });
    expect(later.sample).toMatchObject({ boot_time: "2026-01-10T00:06:40.000Z", traffic: { boot: "1768000000" } });
    const session = "@kern.bootsessionuuid: 9D5A2C1E-8222-4E2F-9D4B-2F0C4A0E7C11\n";
    const darwin = freebsd(1_768_000_000).replace("em0", "en0") + session;
    expect(run(awk, root, { system: "Darwin", input: darwin }).sample.traffic?.boot).toBe("9d5a2c1e");
  });

  it("orders the machine's addresses, from ip and from ifconfig", () => {
    const ip = [
      "1: lo    inet 127.0.0.1/8 scope host lo",
      "2: eth0    inet 192.0.2.7/24 brd 192.0.2.255 scope global eth0",
      "2: eth0    inet6 fe80::1/64 scope link",
      "3: docker0    inet 172.17.0.1/16 scope global docker0",
      "4: veth9@if5    inet 198.51.100.2/24 scope global veth9",
      "4: veth9@if5    inet6 2001:db8::2/64 scope global",
    ];
    const root = makeTree(MACHINE);
    const addresses = (lines: string[]) =>
      run(awk, root, { input: lines.map((line) => `=${line}\n`).join("") }).identity.ip_addresses;
    expect(addresses(ip)).toEqual(["198.51.100.2", "2001:db8::2", "192.0.2.7"]);
    const linux = [
      "eth0      Link encap:Ethernet",
      "          inet addr:192.0.2.8  Bcast:192.0.2.255",
      "          inet6 addr: 2001:db8::8/64 Scope:Global",
    ];
    expect(addresses(linux)).toEqual(["192.0.2.8", "2001:db8::8"]);
    const bsd = [
      "em0: flags=8863<UP> metric 0",
      "\tether 00:00:5e:00:53:01",
      "\tinet 192.0.2.9 netmask 0xffffff00",
      "\tinet6 fe80::1%em0 prefixlen 64",
    ];
    expect(addresses(bsd)).toEqual(["192.0.2.9"]);
  });
});
