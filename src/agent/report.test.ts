import { expect, it } from "bun:test";
import type { Report } from "../shared/agents/report";
import { createSleepyTime, IDENTITY } from "../testing/agent-program";
import { createTestApp } from "../testing/app";
import { START } from "../testing/clock";
import { enrollAgent, sendReport } from "../testing/fixtures/agents";
import { createMachine } from "../testing/machine";
import { readMoment, sampleOf } from "./collect";
import { openFigures } from "./figures/registry";
import { createLinux } from "./platform/linux";
import { type Files, filesBelow } from "./platform/proc";
import { reportOf } from "./send/send";

const GB = 1024 ** 3;
const many = <Value>(count: number, each: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => each(index));

/** A name as a program may choose it: with control characters, halves of characters beyond the basic plane, and too long. */
const ODD = `\x1b[31m\u202e${"x".repeat(125)}😀😀`;

/** A machine with more of everything than fits, all of whose names are odd. It answers from memory. */
const oddMachine = () => {
  const texts: Record<string, string> = {
    "/proc/stat": `cpu  10 0 5 100 2 0 0 7 0 0\n${many(256, (n) => `cpu${n} 1 0 0 1`).join("\n")}\n`,
    "/proc/meminfo": "MemTotal: 16000000 kB\nMemAvailable: 12000000 kB\nSwapTotal: 8 kB\nSwapFree: 4 kB\n",
    "/proc/loadavg": "0.10 0.20 0.30 1/100 1234\n",
    "/proc/uptime": "1000.5 2000.0\n",
    "/proc/sys/kernel/random/boot_id": "0a1b2c3d-8222-4e2f-9d4b-2f0c4a0e7c11\n",
    "/proc/net/dev": `\n\n${many(300, (n) => `e${n}😀\x07: ${2 ** 40 + n} 1 0 0 0 0 0 0 ${n} 1 0 0 0 0 0 0`).join("\n")}\n`,
    "/proc/self/mountinfo": many(500, (n) => `27 1 8:${n} / /${"é".repeat(1022)}😀\\012${n} rw - ext4 /dev/sd rw`).join(
      "\n",
    ),
    "/proc/diskstats": many(300, (n) => `8 ${n} sd${n}😀 9 0 8 1 0 0 0 0 0 1 1`).join("\n"),
    "/proc/mdstat": many(99, (n) => `md${n}😀 : active raid1 sda[0]\n 8 blocks [2/1] [U_]\n`).join("\n"),
    "/sys/class/hwmon/a/name": "\x1b[31m😀\n",
    ...Object.fromEntries(many(99, (n) => [`/sys/class/hwmon/a/temp${n}_input`, "30000\n"])),
  };
  const names: Record<string, string[]> = {
    "/sys/block": many(300, (n) => `sd${n}😀`),
    "/sys/class/hwmon": ["a"],
    "/sys/class/hwmon/a": many(99, (n) => `temp${n}_input`),
    "/proc": many(400, (n) => String(n + 1)),
    "/proc/spl/kstat/zfs": [ODD],
  };
  const text = (path: string) =>
    texts[path] ??
    (/^\/proc\/\d+\/stat$/.test(path)
      ? `1 (${ODD}) S 1 1 1 0 -1 0 0 0 0 0 5 5 0 0 20 0 1 0 9 1 ${path.length} 1`
      : null) ??
    (path.endsWith("/state") ? `${ODD}\n` : null);
  const files: Files = {
    ...filesBelow("/does/not/exist"),
    text,
    names: (path) => names[path] ?? [],
    exists: (path) => text(path) !== null || path === "/run/systemd/system",
    slowText: async (path) => text(path),
    link: () => "../../devices/pci0000:00/net",
  };
  const output = async ([program]: string[]) =>
    program === "systemctl"
      ? JSON.stringify(many(99, (n) => ({ unit: `${n}${ODD}` })))
      : many(99, () => `250, 1, 2, -5, ${ODD}`).join("\n");
  return { files, output };
};

it("is accepted by the hub from a machine with more of everything than fits, and odd names", async () => {
  const { files, output } = oddMachine();
  const time = createSleepyTime();
  const machine = createMachine({}, { files, output, has: () => true, monotonic: time.monotonic });
  const figures = openFigures(machine, time);
  const spaces = async (paths: string[]) =>
    new Map(
      paths.map((path, n) => [
        path,
        n % 2 ? { reason: ODD } : { used: GB, available: GB, inodes: { total: 9, used: 1 } },
      ]),
    );
  const platform = createLinux({ interfaces: [], networkFilesystems: false }, files, spaces);
  const before = await readMoment({ platform, figures, time });
  await time.sleep(60_000);
  const after = await readMoment({ platform, figures, time });
  const unreadable_disks = after.reading.unreadable;
  const sample = {
    ...sampleOf(before, after, true),
    at: new Date(START).toISOString(),
  };
  const facts = await figures.facts(new AbortController().signal);
  const report: Report = reportOf({ ...IDENTITY, ...facts, unreadable_disks }, 60, [sample]);

  const sizes = Object.entries({ ...sample, ...facts }).flatMap(([name, value]) =>
    Array.isArray(value) ? [[name, value.length]] : [],
  );
  expect(Object.fromEntries(sizes)).toEqual({
    disks: 32,
    load: 3,
    disk_activity: 32,
    interfaces: 32,
    temperatures: 16,
    failed_units: 32,
    gpus: 8,
    arrays: 32,
  });
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  expect((await sendReport(app, agent.key, report)).body).toMatchObject({ success: true, accepted: 1 });
});
