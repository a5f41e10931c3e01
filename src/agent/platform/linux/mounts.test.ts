import { describe, expect, it } from "bun:test";
import { parseMounts } from "./mounts";

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
