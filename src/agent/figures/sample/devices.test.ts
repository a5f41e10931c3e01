import { describe, expect, it } from "bun:test";
import { createMachine } from "../../../testing/machine";
import type { Reading } from "../../platform/platform";
import { diskActivity, parseDiskstats } from "./disk-activity";
import { temperatures } from "./temperatures";

const NOTHING: Reading = { cpu: null, memory: null, disks: [], unreadable: [], network: {} };

// From a server with a RAID array of two disks below an encrypted volume.
const DISKSTATS = `   7       0 loop0 17 0 34 3 0 0 0 0 0 10 3 0 0 0 0 0 0
 253       0 zram0 99 0 792 0 5 0 40 0 0 4 0 0 0 0 0 0 0
  11       0 sr0 9 0 2 0 0 0 0 0 0 10 0 0 0 0 0 0 0
 259       0 nvme0n1 1000 5 80000 400 2000 7 160000 1600 0 900 2000 0 0 0 0 0 0
 259       1 nvme0n1p1 900 5 70000 300 1900 7 150000 1500 0 800 1800 0 0 0 0 0 0
   9       0 md0 1000 0 80000 0 2000 0 160000 0 0 0 0 0 0 0 0 0 0
 252       0 dm-0 1000 0 80000 500 2000 0 160000 1700 0 950 2200
  43       0 nbd0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
 104       0 cciss/c0d0 10 0 80 1 0 0 0 0 0 1 1
`;
const BLOCKS = ["loop0", "zram0", "sr0", "nvme0n1", "md0", "dm-0", "nbd0", "cciss!c0d0"];
const DISKS = {
  "/proc/diskstats": DISKSTATS,
  ...Object.fromEntries(BLOCKS.map((name) => [`/sys/block/${name}/size`, "1\n"])),
  "/sys/block/dm-0/dm/name": "crypt-data\n",
};

describe("activity of disks", () => {
  it("is of whole disks, arrays and named volumes, without partitions and devices in memory", async () => {
    const read = diskActivity.open(createMachine(DISKS));
    expect([...((await read?.(NOTHING)) ?? []).keys()]).toEqual(["nvme0n1", "md0", "crypt-data", "cciss/c0d0"]);
  });

  it("has rates in KB/s, the share of time in use, and the average time of a request", () => {
    const all = () => true;
    const before = parseDiskstats("259 0 sda 1000 5 80000 400 2000 7 160000 1600 0 900 2000", all);
    const after = parseDiskstats("259 0 sda 1100 5 82048 700 2100 7 164096 2300 0 15900 9000", all);
    expect(diskActivity.fields(after, before, 60)).toEqual({
      disk_activity: [{ device: "sda", read: 17.067, write: 34.133, busy: 25, latency: 5 }],
    });
    expect(diskActivity.fields(after, after, 60).disk_activity?.[0]).toMatchObject({ busy: 0, latency: null });
    expect(diskActivity.fields(after, null, 60)).toEqual({});
    // A counter returned to zero.
    expect(diskActivity.fields(before, after, 60)).toEqual({});
  });

  it("is of 32 devices at most", () => {
    const lines = Array.from({ length: 500 }, (_, index) => `8 ${index} sd${index} 1 0 8 1 0 0 0 0 0 1 1`);
    const many = parseDiskstats(lines.join("\n"), () => true);
    expect(diskActivity.fields(many, many, 60).disk_activity).toHaveLength(32);
  });

  it("is absent on a machine without such counters", () => {
    expect(diskActivity.open(createMachine())).toBeNull();
    expect(parseDiskstats("8 0 sda\n\nnonsense", () => true).size).toBe(0);
  });
});

const chip = (number: number, name: string, inputs: Record<string, string>, device = "") => ({
  [`/sys/class/hwmon/hwmon${number}/name`]: `${name}\n`,
  ...Object.fromEntries(
    Object.entries(inputs).map(([file, text]) => [`/sys/class/hwmon/hwmon${number}/${file}`, `${text}\n`]),
  ),
  ...(device ? { [`/sys/class/hwmon/hwmon${number}/device`]: `->../../devices/${device}` } : {}),
});

const sensorsOf = async (tree: Record<string, string>) =>
  (await temperatures.open(createMachine(tree))?.(NOTHING))?.map(({ sensor, celsius }) => `${sensor} ${celsius}`);

describe("temperatures", () => {
  it("are those of all chips, the processor's first and its cores last", async () => {
    const tree = {
      ...chip(0, "acpitz", { temp1_input: "27800" }),
      ...chip(1, "nvme", { temp1_input: "38850", temp1_label: "Composite" }, "nvme/nvme0"),
      ...chip(2, "nvme", { temp1_input: "41850", temp1_label: "Composite" }, "nvme/nvme1"),
      ...chip(3, "coretemp", {
        temp2_input: "51000",
        temp2_label: "Core 0",
        temp1_input: "55000",
        temp1_label: "Package id 0",
        temp10_input: "52000",
        temp10_label: "Core 8",
      }),
    };
    expect(await sensorsOf(tree)).toEqual([
      "coretemp/Package id 0 55",
      "acpitz 27.8",
      "nvme0/Composite 38.9",
      "nvme1/Composite 41.9",
      "coretemp/Core 0 51",
      "coretemp/Core 8 52",
    ]);
  });

  it("leave out what nothing is connected to, and what no device in use has", async () => {
    const tree = chip(0, "nct6798", {
      temp1_input: "35000",
      temp1_label: "SYSTIN",
      temp2_input: "111000",
      temp2_label: "AUXTIN1",
      temp3_input: "-62000",
      temp4_input: "0",
      temp5_input: "216000",
      temp6_input: "nonsense",
      temp7_input: "",
      temp8_input: "30000",
    });
    expect(await sensorsOf(tree)).toEqual(["nct6798/SYSTIN 35", "nct6798/8 30"]);
  });

  it("come from the kernel's thermal zones on a board without chips", async () => {
    const zone = "/sys/class/thermal/thermal_zone0";
    expect(await sensorsOf({ [`${zone}/type`]: "cpu-thermal\n", [`${zone}/temp`]: "48312\n" })).toEqual([
      "cpu-thermal 48.3",
    ]);
    expect(temperatures.open(createMachine())).toBeNull();
  });

  it("are of 16 sensors at most, with names on one line", async () => {
    const inputs = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        [`temp${index}_input`, "30000"],
        [`temp${index}_label`, `a\x1b[31m\n${index}`],
      ]).flat(),
    );
    const read = temperatures.open(createMachine(chip(0, "odd", inputs)));
    const { temperatures: found } = temperatures.fields((await read?.(NOTHING)) ?? [], null, 60);
    expect(found).toHaveLength(16);
    expect(found?.[0]).toEqual({ sensor: "odd/a [31m 0", celsius: 30 });
  });

  it("are reported without those of a chip that does not answer, which is not asked again until it has answered", async () => {
    const machine = createMachine({
      ...chip(0, "k10temp", { temp1_input: "50000", temp1_label: "Tctl" }),
      ...chip(1, "stuck", { temp1_input: "1" }),
    });
    const asked: string[] = [];
    const { slowText } = machine.files;
    machine.files.slowText = (path) => {
      asked.push(path);
      return path.includes("hwmon1") ? new Promise(() => {}) : slowText(path);
    };
    const read = temperatures.open(machine);
    for (let round = 0; round < 2; round++)
      expect(await read?.(NOTHING)).toEqual([{ sensor: "k10temp/Tctl", celsius: 50 }]);
    expect(asked.filter((path) => path.includes("hwmon1"))).toHaveLength(1);
  });
});
