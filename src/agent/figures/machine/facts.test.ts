import { describe, expect, it } from "bun:test";
import { createMachine } from "../../../testing/machine";
import type { Fact } from "../figure";
import { arrays } from "./arrays";
import { failedUnits, parseUnits } from "./failed-units";
import { gpus } from "./gpus";
import { processors } from "./processors";
import { rebootRequired } from "./reboot-required";

const readOn = async (fact: Fact, ...machine: Parameters<typeof createMachine>) =>
  fact.open(createMachine(...machine))?.();

const MDSTAT = `Personalities : [raid1] [raid6] [raid5] [raid4] [raid0]
md0 : active raid1 sdb1[1] sda1[0]
      976630464 blocks super 1.2 [2/2] [UU]
      bitmap: 0/8 pages [0KB], 65536KB chunk

md1 : active raid5 sdd1[3](F) sdc1[1] sdb2[0]
      1953260544 blocks super 1.2 level 5, 512k chunk, algorithm 2 [3/2] [UU_]

md2 : active raid1 sde1[2] sdf1[0]
      104320 blocks [2/1] [U_]
      [==>..................]  recovery = 12.6% (37043392/292945152) finish=127.5min speed=33440K/sec

md3 : inactive sdg1[0](S)
      976630464 blocks super 1.2

md4 : active raid0 sdh1[1] sdi1[0]
      1953260544 blocks super 1.2 512k chunks

md5 : active (auto-read-only) raid1 sdj1[1] sdk1[0]
      1000 blocks super 1.2 [2/2] [UU]
      	resync=PENDING

unused devices: <none>
`;

describe("arrays", () => {
  it("are degraded when a disk is missing or they could not be started", async () => {
    const tree = {
      "/proc/mdstat": MDSTAT,
      "/proc/spl/kstat/zfs/tank/state": "ONLINE\n",
      "/proc/spl/kstat/zfs/old pool/state": "DEGRADED\n",
      "/proc/spl/kstat/zfs/arcstats": "c_min 4 1\n",
    };
    const found = (await readOn(arrays, tree))?.arrays ?? [];
    expect(found.map(({ name, kind, state, degraded }) => `${name} ${kind} ${state} ${degraded}`)).toEqual([
      "md1 md degraded true",
      "md2 md recovering true",
      "md3 md inactive true",
      "old pool zfs DEGRADED true",
      "md0 md active false",
      "md4 md active false",
      "md5 md resyncing false",
      "tank zfs ONLINE false",
    ]);
  });

  it("are absent without any, and 32 at most", async () => {
    expect(await readOn(arrays, { "/proc/mdstat": "Personalities : \nunused devices: <none>\n" })).toEqual({});
    const many = Array.from(
      { length: 100 },
      (_, index) => `md${index} : active raid1 sda[0] sdb[1]\n  8 blocks [2/2] [UU]\n`,
    );
    expect((await readOn(arrays, { "/proc/mdstat": many.join("\n") }))?.arrays).toHaveLength(32);
  });
});

describe("failed units", () => {
  const SYSTEMD = { "/run/systemd/system/x": "" };

  it("are listed by systemctl as JSON, or as lines by old versions", () => {
    const json =
      '[{"unit":"backup.service","load":"loaded","active":"failed","sub":"failed","description":"Backup"},{"unit":"mnt-nas.mount","load":"loaded","active":"failed","sub":"failed","description":"/mnt/nas"}]';
    expect(parseUnits(json)).toEqual(["backup.service", "mnt-nas.mount"]);
    const lines = "backup.service loaded failed failed Backup of all\n● mnt-nas.mount  loaded failed failed /mnt/nas\n";
    expect(parseUnits(lines)).toEqual(["backup.service", "mnt-nas.mount"]);
    expect(parseUnits("[]\n")).toEqual([]);
    expect(parseUnits("")).toBeNull();
  });

  it("come from one fixed command, where systemd runs", async () => {
    const asked: string[][] = [];
    const output = async (words: string[]) => {
      asked.push(words);
      return JSON.stringify(Array.from({ length: 50 }, (_, index) => ({ unit: `a\x07${index}@${"x".repeat(300)}` })));
    };
    const found = await readOn(failedUnits, SYSTEMD, { output, has: () => true });
    expect(found?.failed_units).toHaveLength(32);
    expect(found?.failed_units?.[0]).toBe(`a 0@${"x".repeat(124)}`);
    expect(asked).toEqual([
      "systemctl list-units --state=failed --output=json --no-pager --plain --no-legend".split(" "),
    ]);
    expect(await readOn(failedUnits, {}, { output, has: () => true })).toBeUndefined();
    expect(await readOn(failedUnits, SYSTEMD, { output })).toBeUndefined();
  });

  it("are absent when the command fails", async () => {
    expect(await readOn(failedUnits, SYSTEMD, { has: () => true })).toEqual({});
  });
});

describe("GPUs", () => {
  it("of NVIDIA come from nvidia-smi", async () => {
    const output = async () =>
      "37, 24564, 10240, 61, NVIDIA GeForce RTX 4090\n[N/A], [N/A], [N/A], 45, Tesla, odd\nNo devices were found\n";
    expect(await readOn(gpus, {}, { output, has: (program) => program === "nvidia-smi" })).toEqual({
      gpus: [
        {
          name: "NVIDIA GeForce RTX 4090",
          usage: 37,
          memory: { total: 24564 * 1024 ** 2, used: 10240 * 1024 ** 2 },
          celsius: 61,
        },
        { name: "Tesla, odd", usage: null, memory: null, celsius: 45 },
      ],
    });
  });

  it("of AMD come from files", async () => {
    const card = "/sys/class/drm/card1/device";
    const tree = {
      [`${card}/gpu_busy_percent`]: "12\n",
      [`${card}/mem_info_vram_total`]: "8589934592\n",
      [`${card}/mem_info_vram_used`]: "1073741824\n",
      [`${card}/hwmon/hwmon4/temp1_input`]: "52000\n",
      "/sys/class/drm/card1-DP-1/status": "connected\n",
      "/sys/class/drm/card0/device/vendor": "0x1a03\n",
    };
    expect(await readOn(gpus, tree)).toEqual({
      gpus: [{ name: "AMD GPU card1", usage: 12, memory: { total: 8589934592, used: 1073741824 }, celsius: 52 }],
    });
  });

  it("are absent without any", async () => {
    expect(await readOn(gpus)).toBeUndefined();
    expect(await readOn(gpus, {}, { has: () => true })).toEqual({});
  });
});

it("says whether a restart is required where the package manager says so", async () => {
  expect(await readOn(rebootRequired, { "/run/reboot-required": "*** System restart required ***\n" })).toEqual({
    reboot_required: true,
  });
  expect(await readOn(rebootRequired, { "/etc/debian_version": "13.1\n" })).toEqual({ reboot_required: false });
  expect(await readOn(rebootRequired, { "/etc/alpine-release": "3.22\n" })).toEqual({});
  const inContainer = {
    "/etc/debian_version": "13\n",
    "/host/etc/debian_version": "13\n",
    "/host/run/reboot-required": "",
  };
  expect(await readOn(rebootRequired, inContainer, { host: "/host" })).toEqual({ reboot_required: true });
});

it("counts the processors", async () => {
  const stat = "cpu  1 2 3 4\ncpu0 1 2 3 4\ncpu1 1 2 3 4\ncpu10 1 2 3 4\nintr 1\n";
  expect(await readOn(processors, { "/proc/stat": stat })).toEqual({ processors: 3 });
});
