import { describe, expect, it } from "bun:test";
import {
  parseContainerCpu,
  parseContainerMemory,
  parseDefaultRoutes,
  parseLoad,
  parseMeminfo,
  parseMounts,
  parseNetDev,
  parseOsRelease,
  parseStat,
  parseUptime,
  reclaimableArc,
} from "./proc";

it("parses the CPU line of /proc/stat with iowait as idle", () => {
  const text = `cpu  4705 356 584 3699 23 11 26 7 900 80
cpu0 1393280 32966 572056 13343292 6130 0 17875 0 23933 0
cpu1 1335942 34566 574061 13342292 5130 0 17475 0 23933 0
intr 114930548 113199788 3 0 5 263
ctxt 1990473
btime 1062191376
`;
  // Guest time (900 and 80) is inside user and nice already.
  expect(parseStat(text)).toEqual({
    cpu: [{ busy: [4705, 356, 584, 11, 26, 7], idle: [3699, 23] }],
    cpuParts: { user: 4705 + 356, system: 584 + 11 + 26, iowait: 23, steal: 7, total: 9411 },
  });
});

it("parses the short CPU line of old kernels", () => {
  expect(parseStat("cpu  100 5 50 1000\ncpu0 100 5 50 1000\n").cpu).toEqual([
    { busy: [100, 5, 50, 0, 0, 0], idle: [1000, 0] },
  ]);
});

it("returns null without a CPU line", () => {
  expect(parseStat("")).toEqual({ cpu: null });
  expect(parseStat("intr 1 2 3\n")).toEqual({ cpu: null });
});

it("derives a container's processors from its quota", () => {
  const stat = "usage_usec 8420000\nuser_usec 6000000\nsystem_usec 2420000\nnr_periods 0\n";
  expect(parseContainerCpu(stat, "150000 100000\n", 8)).toEqual({ microseconds: 8_420_000, processors: 1.5 });
  expect(parseContainerCpu(stat, "max 100000\n", 8)).toEqual({ microseconds: 8_420_000, processors: 8 });
  expect(parseContainerCpu(stat, "1600000 100000\n", 8)).toEqual({ microseconds: 8_420_000, processors: 8 });
  expect(parseContainerCpu(stat, null, 2)).toEqual({ microseconds: 8_420_000, processors: 2 });
  expect(parseContainerCpu("", null, 2)).toBeNull();
});

it("uses the display name of /etc/os-release", () => {
  expect(parseOsRelease('NAME="Debian GNU/Linux"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n')).toBe(
    "Debian GNU/Linux 12 (bookworm)",
  );
  expect(parseOsRelease("NAME=Alpine\nPRETTY_NAME='Alpine Linux v3.22'\n")).toBe("Alpine Linux v3.22");
  expect(parseOsRelease("NAME=Void\n")).toBe("Void");
  expect(parseOsRelease('PRETTY_NAME="Some \\"quoted\\" \\$ystem"\n')).toBe('Some "quoted" $ystem');
  expect(parseOsRelease("")).toBeNull();
});

it("parses uptime and load, or omits them", () => {
  expect(parseUptime("4363.69 8531.02\n")).toBe(4363.69);
  expect(parseUptime("")).toBeUndefined();
  expect(parseLoad("0.52 1.20 3.40 2/345 6789\n")).toEqual([0.52, 1.2, 3.4]);
  expect(parseLoad("")).toBeUndefined();
});

const KB = 1024;
const lines = (fields: Record<string, number>) =>
  Object.entries(fields)
    .map(([name, value]) => `${`${name}:`.padEnd(16)}${String(value).padStart(8)} kB\n`)
    .join("");

const DEBIAN = {
  MemTotal: 16_318_480,
  MemFree: 1_024_000,
  MemAvailable: 9_000_000,
  Buffers: 300_000,
  Cached: 7_000_000,
};

describe("memory", () => {
  it("counts memory as used unless it is available, as `free` does", () => {
    expect(parseMeminfo(lines(DEBIAN)).memory).toEqual({
      total: 16_318_480 * KB,
      used: (16_318_480 - 9_000_000) * KB,
    });
  });

  it("estimates available memory on kernels without MemAvailable", () => {
    const old = {
      MemTotal: 1_000_000,
      MemFree: 100_000,
      Buffers: 50_000,
      Cached: 300_000,
      Shmem: 20_000,
      SReclaimable: 10_000,
    };
    expect(parseMeminfo(lines(old)).memory).toEqual({ total: 1_000_000 * KB, used: 560_000 * KB });
  });

  it("is null when more memory is available than exists, as on old OpenVZ", () => {
    expect(parseMeminfo(lines({ MemTotal: 524_288, MemFree: 400_000, MemAvailable: 18_000_000 })).memory).toBeNull();
    expect(parseMeminfo("").memory).toBeNull();
  });

  it("does not count the reclaimable ZFS cache", () => {
    const arcstats = `13 1 0x01 147 39984 4218305112 1391824386514
name                            type data
hits                            4    123456
c_min                           4    1073741824
c_max                           4    8589934592
size                            4    4294967296
`;
    expect(reclaimableArc(arcstats)).toBe(3 * 1024 ** 3);
    const { memory } = parseMeminfo(lines(DEBIAN), reclaimableArc(arcstats));
    expect(memory?.used).toBe((16_318_480 - 9_000_000) * KB - 3 * 1024 ** 3);
    expect(reclaimableArc(arcstats.replace("4294967296", "1000"))).toBe(0);
  });
});

describe("swap", () => {
  it("counts swap as used unless it is free or cached", () => {
    const { swap } = parseMeminfo(lines({ ...DEBIAN, SwapTotal: 2000, SwapFree: 500, SwapCached: 300 }));
    expect(swap).toEqual({ total: 2000 * KB, used: 1200 * KB });
  });

  it("reports zero swap when there is none, and omits it when it is unknown", () => {
    expect(parseMeminfo(lines({ ...DEBIAN, SwapTotal: 0, SwapFree: 0 })).swap).toEqual({ total: 0, used: 0 });
    expect(parseMeminfo(lines(DEBIAN)).swap).toBeUndefined();
  });
});

describe("a container's memory", () => {
  const stat = "anon 52428800\nfile 104857600\ninactive_file 83886080\n";

  it("counts a container's memory without the file cache, relative to its limit", () => {
    expect(parseContainerMemory({ current: "157286400\n", max: "536870912\n", stat }, 16e9)).toEqual({
      total: 536_870_912,
      used: 157_286_400 - 83_886_080,
    });
  });

  it("counts a container's memory relative to the host's memory without a limit", () => {
    expect(parseContainerMemory({ current: "157286400\n", max: "max\n", stat }, 16e9)?.total).toBe(16e9);
    expect(parseContainerMemory({ current: "157286400\n", max: "99999999999999\n", stat }, 16e9)?.total).toBe(16e9);
    expect(parseContainerMemory({ current: "", max: null, stat: "" }, 16e9)).toBeNull();
  });
});

it("parses the bytes of every interface from /proc/net/dev, also without a space after the colon", () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1234567    8901    0    0    0     0          0         0  1234567    8901    0    0    0     0       0          0
  eth0:98765432109876  123    0    0    0     0          0         0 5432109876    456    0    0    0     0       0          0
wlp3s0.100: 10 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0
`;
  expect(parseNetDev(text)).toEqual({
    lo: { rx: 1_234_567, tx: 1_234_567 },
    eth0: { rx: 98_765_432_109_876, tx: 5_432_109_876 },
    "wlp3s0.100": { rx: 10, tx: 20 },
  });
  expect(parseNetDev("")).toEqual({});
});

it("finds the interfaces with a default route", () => {
  const route = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
`;
  const zeros = "0".repeat(32);
  const ipv6 = `${zeros} 00 ${zeros} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth1
fd000000000000000000000000000000 40 ${zeros} 00 ${zeros} 00000100 00000001 00000000 00000001     eth2
${zeros} 00 ${zeros} 00 ${zeros} ffffffff 00000001 00000000 00200200       lo
`;
  expect(parseDefaultRoutes(route, ipv6)).toEqual(["eth0", "eth1"]);
  expect(parseDefaultRoutes("", "")).toEqual([]);
});

const paths = (mountinfo: string, networkFilesystems = false) =>
  parseMounts(mountinfo, networkFilesystems).map(({ path }) => path);

describe("on a usual server", () => {
  const DEBIAN = `22 27 0:21 / /proc rw,relatime shared:12 - proc proc rw
23 27 0:22 / /sys rw,relatime shared:7 - sysfs sysfs rw
24 27 0:6 / /dev rw,relatime shared:2 - devtmpfs udev rw,size=8123456k,mode=755
25 24 0:23 / /dev/shm rw,nosuid shared:3 - tmpfs tmpfs rw
27 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,errors=remount-ro
28 27 254:15 / /boot/efi rw,relatime shared:30 - vfat /dev/vda15 rw
29 27 254:16 / /boot rw,relatime shared:31 - ext4 /dev/vda16 rw
30 27 0:40 / /run rw,nosuid shared:5 - tmpfs tmpfs rw
31 27 7:0 / /snap/core22/1122 ro,nodev shared:61 - squashfs /dev/loop0 ro
32 27 7:1 / /mnt/image rw shared:62 - ext4 /dev/loop1 rw
33 27 8:17 / /mnt/My\\040Disk\\134two rw,relatime shared:63 - xfs /dev/sdb1 rw
34 23 0:24 / /sys/fs/cgroup rw,nosuid shared:8 - cgroup2 cgroup2 rw
`;

  it("lists the disks by their mount points", () => {
    expect(paths(DEBIAN)).toEqual(["/", "/boot", "/mnt/My Disk\\two"]);
  });

  it("counts a disk once when it is mounted several times", () => {
    const bound = `${DEBIAN}40 27 8:17 /backups /srv/backups rw shared:63 - xfs /dev/sdb1 rw
41 27 254:1 /var/www /w rw shared:1 - ext4 /dev/vda1 rw
`;
    expect(paths(bound)).toEqual(["/", "/boot", "/mnt/My Disk\\two"]);
  });

  it("lists the mount on top when mounts hide each other", () => {
    const over = `${DEBIAN}50 29 8:33 / /boot rw shared:70 - ext4 /dev/sdc1 rw\n`;
    expect(parseMounts(over).find(({ path }) => path === "/boot")?.key).toBe("8:33");
    expect(paths(`${DEBIAN}51 33 0:99 / /mnt/My\\040Disk\\134two rw - tmpfs tmpfs rw\n`)).toEqual(["/", "/boot"]);
  });

  it("excludes network filesystems unless the option includes them", () => {
    const remote = `${DEBIAN}60 27 0:50 / /mnt/nas rw shared:80 - nfs4 nas:/volume1 rw,addr=192.0.2.9
61 27 0:51 / /mnt/share rw shared:81 - cifs //nas/share rw
62 27 0:52 / /mnt/remote rw shared:82 - fuse.sshfs alice@host:/ rw
63 27 0:53 / /home/auto rw shared:83 - autofs systemd-1 rw
`;
    expect(paths(remote)).toEqual(["/", "/boot", "/mnt/My Disk\\two"]);
    expect(paths(remote, true)).toEqual(["/", "/boot", "/mnt/My Disk\\two", "/mnt/nas", "/mnt/share", "/mnt/remote"]);
  });

  it("excludes Docker's mounts", () => {
    const docker = `${DEBIAN}70 27 0:60 / /var/lib/docker/overlay2/a1/merged rw - overlay overlay rw,lowerdir=/l
71 27 254:1 /var/lib/docker/volumes/v /var/lib/docker/volumes/v rw - ext4 /dev/vda1 rw
72 27 0:61 / /run/docker/netns/x rw - nsfs nsfs rw
73 27 8:49 / /var/lib/kubelet/pods/p/volumes/v rw - ext4 /dev/sdd1 rw
`;
    expect(paths(docker)).toEqual(["/", "/boot", "/mnt/My Disk\\two"]);
  });
});

it("counts the subvolumes of a btrfs disk once", () => {
  const fedora = `60 1 0:32 /root / rw,relatime shared:1 - btrfs /dev/nvme0n1p3 rw,subvol=/root
61 60 0:33 /home /home rw,relatime shared:2 - btrfs /dev/nvme0n1p3 rw,subvol=/home
62 60 259:2 / /boot rw,relatime shared:3 - ext4 /dev/nvme0n1p2 rw
`;
  expect(paths(fedora)).toEqual(["/", "/boot"]);
});

it("finds the disk of an image-based system", () => {
  const silverblue = `60 1 0:30 / / ro,relatime shared:1 - overlay composefs ro
61 60 0:32 /root /sysroot ro,relatime shared:2 - btrfs /dev/nvme0n1p3 rw,subvol=/root
62 60 0:33 /root/ostree/deploy/fedora/var /var rw shared:3 - btrfs /dev/nvme0n1p3 rw
63 60 0:33 /root/ostree/deploy/x/etc /etc rw shared:4 - btrfs /dev/nvme0n1p3 rw
`;
  expect(paths(silverblue)).toEqual(["/sysroot"]);
});

it("counts a ZFS pool as one disk", () => {
  const zfs = `60 1 0:30 / / rw,relatime shared:1 - zfs rpool/ROOT/debian rw
61 60 0:31 / /home rw,relatime shared:2 - zfs rpool/home rw
62 60 0:32 / /tank rw,relatime shared:3 - zfs tank rw
63 60 0:33 / /tank/media rw,relatime shared:4 - zfs tank/media rw
64 60 0:34 / /a rw,relatime shared:5 - zfs tank/a rw
`;
  expect(parseMounts(zfs).map(({ path, parts }) => [path, parts])).toEqual([
    ["/", ["/home"]],
    ["/tank", ["/a", "/tank/media"]],
  ]);
});

it("finds the disk of an OpenVZ container", () => {
  const openvz = `100 90 0:50 / / rw,relatime - simfs /dev/simfs rw
101 100 0:51 / /proc rw,relatime - proc proc rw
102 100 0:52 / /run rw - tmpfs tmpfs rw
`;
  expect(paths(openvz)).toEqual(["/"]);
});

it("finds the disk of an LXC container", () => {
  const lxc = `700 600 252:7 / / rw,relatime shared:400 - ext4 /dev/mapper/pve-vm--101--disk--0 rw
701 700 0:70 / /dev rw,relatime - tmpfs none rw,size=492k
702 700 0:21 /proc/meminfo /proc/meminfo rw - fuse.lxcfs lxcfs rw
`;
  expect(paths(lxc)).toEqual(["/"]);
});

it("uses the root filesystem of a Docker container without other disks", () => {
  const docker = `800 700 0:90 / / rw,relatime - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A
801 800 0:91 / /proc rw - proc proc rw
802 800 254:1 /var/lib/docker/containers/c/hosts /etc/hosts rw - ext4 /dev/vda1 rw
803 800 254:1 /var/lib/docker/containers/c/resolv.conf /etc/resolv.conf rw - ext4 /dev/vda1 rw
`;
  expect(paths(docker)).toEqual(["/"]);
  expect(paths("800 700 0:90 / / rw - tmpfs tmpfs rw\n")).toEqual([]);
});

it("ignores malformed lines of mountinfo", () => {
  expect(paths("nonsense\n\n1 2 3\n27 1 254:1 / / rw -\n")).toEqual([]);
});
