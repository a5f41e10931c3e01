import { describe, expect, it } from "bun:test";
import { makeTree } from "../../testing/machine";
import { createLinux } from "./linux";
import { filesBelow } from "./proc";

const GB = 1024 ** 3;
const NET_DEV = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 99 1 0 0 0 0 0 0 99 1 0 0 0 0 0 0
  eth0: 1000 1 0 0 0 0 0 0 2000 1 0 0 0 0 0 0
docker0: 5000 1 0 0 0 0 0 0 6000 1 0 0 0 0 0 0
`;
const ROUTE =
  "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\neth0\t00000000\t0\t3\t0\t0\t0\t00000000\n";
const MACHINE = {
  "/proc/stat": "cpu  10 0 5 100 2 0 0 0 0 0\n",
  "/proc/meminfo": "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:   12000000 kB\n",
  "/proc/net/dev": NET_DEV,
  "/proc/net/route": ROUTE,
  "/proc/loadavg": "0.10 0.20 0.30 1/100 1234\n",
  "/proc/uptime": "1000.5 2000.0\n",
  "/proc/sys/kernel/random/boot_id": "0a1b2c3d-8222-4e2f-9d4b-2f0c4a0e7c11\n",
  "/proc/self/mountinfo": "27 1 254:1 / / rw shared:1 - ext4 /dev/vda1 rw\n",
  "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
};

/** A Linux machine made of these files, each of whose disks is used by 30 %. */
const machineOf = (files: Record<string, string>) => {
  const root = makeTree(files);
  const asked: string[] = [];
  const spaces = async (paths: string[]) => {
    asked.push(...paths);
    return new Map(paths.map((path) => [path, { used: 3 * GB, available: 7 * GB }]));
  };
  return { platform: createLinux({ interfaces: [], networkFilesystems: false }, filesBelow(root), spaces), asked };
};

describe("a server", () => {
  const files = {
    ...MACHINE,
    "/sys/class/net/eth0": "->../../devices/pci0000:00/0000:00:03.0/virtio0/net/eth0",
    "/sys/class/net/docker0": "->../../devices/virtual/net/docker0",
    // A container engine's host has accounts of its own, too, but is no container.
    "/sys/fs/cgroup/cpu.stat": "usage_usec 5\n",
  };

  it("reports every figure of a Linux server", async () => {
    const { platform, asked } = machineOf(files);
    expect(await platform.read()).toEqual({
      cpu: [{ busy: [10, 0, 5, 0, 0, 0], idle: [100, 2] }],
      cpuParts: { user: 10, system: 5, iowait: 2, steal: 0, total: 117 },
      memory: { total: 16_000_000 * 1024, used: 4_000_000 * 1024 },
      network: { eth0: { rx: 1000, tx: 2000 } },
      disks: [{ mount: "/", total: 10 * GB, used: 3 * GB }],
      unreadable: [],
      load: [0.1, 0.2, 0.3],
      uptime: 1000.5,
      boot: "0a1b2c3d",
    });
    expect(asked).toEqual(["/"]);
    expect(platform.remarks).toEqual([]);
    expect((await platform.identity()).os).toBe("Debian GNU/Linux 13 (trixie)");
  });

  it("does not count the reclaimable ZFS cache as used memory", async () => {
    const { platform } = machineOf({
      ...files,
      "/proc/spl/kstat/zfs/arcstats": "c_min 4 1073741824\nsize 4 2147483648\n",
    });
    expect((await platform.read()).memory?.used).toBe(4_000_000 * 1024 - GB);
  });
});

describe("a container", () => {
  const files = {
    ...MACHINE,
    "/run/systemd/container": "lxc",
    "/sys/class/net/eth0": "->../../devices/virtual/net/eth0",
    "/sys/fs/cgroup/cpu.stat": "usage_usec 42\n",
    "/sys/fs/cgroup/cpu.max": "50000 100000\n",
    "/sys/fs/cgroup/memory.current": "1500000000\n",
    "/sys/fs/cgroup/memory.max": "2000000000\n",
    "/sys/fs/cgroup/memory.stat": "inactive_file 500000000\n",
  };

  it("reads a container's own cgroup figures and logs that it does", async () => {
    const { platform } = machineOf(files);
    const { cpu, memory, network } = await platform.read();
    expect(cpu).toEqual({ microseconds: 42, processors: 0.5 });
    expect(memory).toEqual({ total: 2_000_000_000, used: 1_000_000_000 });
    expect(network).toEqual({ eth0: { rx: 1000, tx: 2000 } });
    expect(platform.remarks.join()).toContain("the container's own");
  });

  it("reads the host's figures in a container with the host's files mounted", async () => {
    const { platform, asked } = machineOf({
      ...files,
      "/host/proc/1/mountinfo": "27 1 254:1 / / rw - ext4 /dev/vda1 rw\n28 27 8:1 / /srv rw - xfs /dev/sda1 rw\n",
      "/host/etc/os-release": 'PRETTY_NAME="Alpine Linux v3.22"\n',
      "/host/etc/machine-id": "a".repeat(32),
    });
    const { cpu, disks } = await platform.read();
    expect(cpu).toBeArray();
    expect(disks.map(({ mount }) => mount)).toEqual(["/", "/srv"]);
    expect(asked).toEqual(["/host/", "/host/srv"]);
    expect((await platform.identity()).os).toBe("Alpine Linux v3.22");
  });
});

it("reads network filesystems apart from disks, and 64 filesystems at most", async () => {
  const nfs = (number: number) => `9${number} 27 0:${number} / /nas${number} rw - nfs4 nas:/v${number} rw`;
  const disk = (number: number) => `27 1 8:${number} / /srv/${number} rw - ext4 /dev/sd${number} rw`;
  const lines = [nfs(1), nfs(2), ...Array.from({ length: 500 }, (_, index) => disk(index))];
  const root = makeTree({ ...MACHINE, "/proc/self/mountinfo": `${lines.join("\n")}\n` });
  const full = { used: 3 * GB, available: 7 * GB };
  const asked = { local: 0, remote: [] as string[] };
  const platform = createLinux(
    { interfaces: [], networkFilesystems: true },
    filesBelow(root),
    async (paths) => {
      asked.local = paths.length;
      return new Map(paths.map((path) => [path, full]));
    },
    async (paths) => {
      asked.remote = paths;
      return new Map(paths.map((path) => [path, { reason: "timeout" }]));
    },
  );
  const { disks, unreadable } = await platform.read();
  expect([disks.length, asked]).toEqual([62, { local: 62, remote: ["/nas1", "/nas2"] }]);
  expect(unreadable).toEqual(["/nas1", "/nas2"].map((mount) => ({ mount, reason: "timeout" })));
});

it("reports null for every figure that cannot be read", async () => {
  const { platform } = machineOf({ "/proc/x": "" });
  expect(await platform.read()).toMatchObject({ cpu: null, memory: null, network: {}, disks: [] });
  expect((await platform.identity()).os).toBe("Linux");
});

it.if(process.platform === "linux")("reads plausible figures from the machine that runs the tests", async () => {
  const platform = createLinux({ interfaces: [], networkFilesystems: false });
  const { cpu, memory, disks, uptime } = await platform.read();
  expect(cpu).not.toBeNull();
  expect(memory?.used).toBeGreaterThan(0);
  expect(memory?.used).toBeLessThan(memory?.total ?? 0);
  expect(disks.length).toBeGreaterThan(0);
  expect(uptime).toBeGreaterThan(0);
});
