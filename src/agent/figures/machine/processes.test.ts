import { describe, expect, it } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createMachine, makeTree } from "../../../testing/machine";
import { filesBelow } from "../../platform/proc";
import { parsePageSize, parseProcess, processes } from "./processes";

type Made = {
  pid: number;
  name: string;
  ticks?: number;
  start?: number;
  pages?: number;
  shared?: number;
  flags?: number;
};

const statOf = ({ pid, name, ticks = 0, start = 100, pages = 0, flags = 4194560 }: Made) =>
  `${pid} (${name}) S 1 ${pid} ${pid} 0 -1 ${flags} 1 2 3 4 ${ticks} 0 7 8 20 0 3 0 ${start} 5000000 ${pages} 18446744073709551615 1 1\n`;

/** A machine with these processes, and the time of its clock in seconds. */
const machineOf = (made: Made[]) => {
  const init = { pid: 1, name: "systemd" };
  const filesOf = (one: Made): [path: string, text: string][] => [
    [`/proc/${one.pid}/stat`, statOf(one)],
    [`/proc/${one.pid}/statm`, `9000 ${one.pages ?? 0} ${one.shared ?? 0} 1 0 1 0\n`],
  ];
  const root = makeTree(Object.fromEntries([init, ...made].flatMap(filesOf)));
  let seconds = 0;
  const read = processes.open(createMachine({}, { files: filesBelow(root), monotonic: () => seconds * 1000 }));
  return {
    change: (one: Made) => {
      for (const [path, text] of filesOf(one)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
    readAt: async (second: number) => {
      seconds = second;
      return (await read?.())?.processes;
    },
  };
};

describe("top programs", () => {
  it("are those that used most processor time since the report before, by name", async () => {
    const { change, readAt } = machineOf([
      { pid: 10, name: "ffmpeg", ticks: 100_000 },
      { pid: 11, name: "php-fpm", ticks: 50 },
      { pid: 12, name: "php-fpm", ticks: 70 },
      { pid: 13, name: "sleep", ticks: 3 },
    ]);
    change({ pid: 10, name: "ffmpeg", ticks: 100_000 + 9000 });
    change({ pid: 11, name: "php-fpm", ticks: 50 + 600 });
    change({ pid: 12, name: "php-fpm", ticks: 70 + 300 });
    // It started after the first reading.
    change({ pid: 14, name: "cc1", ticks: 1200, start: 90_000 });
    // It has the number of a process that ended.
    change({ pid: 13, name: "sh", ticks: 30, start: 90_000 });
    expect((await readAt(60))?.cpu).toEqual([
      { name: "ffmpeg", value: 150 },
      { name: "cc1", value: 20 },
      { name: "php-fpm", value: 15 },
      { name: "sh", value: 0.5 },
    ]);
    expect((await readAt(120))?.cpu).toEqual([]);
  });

  it("are those with most memory, of which what processes share counts once", async () => {
    const worker = { name: "postgres", pages: 60_000, shared: 50_000 };
    const { readAt } = machineOf([
      ...[20, 21, 22].map((pid) => ({ pid, ...worker })),
      { pid: 30, name: "java", pages: 90_000, shared: 1000 },
      { pid: 31, name: "sshd", pages: 10 },
    ]);
    expect((await readAt(60))?.memory).toEqual([
      { name: "java", value: 90_000 * 4096 },
      { name: "postgres", value: (3 * 10_000 + 50_000) * 4096 },
      { name: "sshd", value: 10 * 4096 },
    ]);
  });

  it("are five at most of each, also among thousands", async () => {
    let now = 0;
    const files = {
      ...filesBelow(""),
      exists: () => true,
      names: () => Array.from({ length: 3000 }, (_, index) => String(index)),
      text: (path: string) => {
        const pid = Number(/\d+/.exec(path)?.[0]);
        return statOf({ pid, name: `p${pid}`, pages: pid + 1 });
      },
    };
    const read = processes.open(createMachine({}, { files, monotonic: () => now }));
    now = 60_000;
    const found = (await read?.())?.processes;
    expect(found?.memory.map(({ name }) => name)).toEqual(["p2999", "p2998", "p2997", "p2996", "p2995"]);
  });

  it("have names on one line, without brackets, processors and tasks of the kernel", () => {
    const nameOf = (name: string, flags?: number) => parseProcess(statOf({ pid: 7, name, flags }))?.name;
    expect(nameOf("(sd-pam) x)")).toBe("(sd-pam) x)");
    expect(nameOf("a\nb\x1b[0m")).toBe("a b [0m");
    expect(nameOf("\n")).toBe("?");
    expect(nameOf("kworker/0:1-events", 0x4208060)).toBe("kworker");
    expect(nameOf("bin/0", 0x400000)).toBe("bin/0");
    expect(parseProcess("")).toBeNull();
    expect(parseProcess("7 (x) S 1")).toBeNull();
  });

  it("are absent where the programs of others are hidden", () => {
    expect(processes.open(createMachine({ "/proc/4711/stat": "x" }))).toBeNull();
  });
});

it("reads the size of a page from the auxiliary vector", () => {
  const words = new BigUint64Array([33n, 7n, 6n, 16_384n, 0n, 0n]);
  expect(parsePageSize(new Uint8Array(words.buffer))).toBe(16_384);
  expect(parsePageSize(null)).toBe(4096);
});

it.if(process.platform === "linux")("finds itself among the programs of this machine", async () => {
  let now = 0;
  const read = processes.open(createMachine({}, { files: filesBelow(""), monotonic: () => now }));
  now = 60_000;
  const found = (await read?.())?.processes;
  // A container may have fewer programs than are listed.
  expect(found?.memory.length).toBeGreaterThan(0);
  expect(found?.memory.length).toBeLessThanOrEqual(5);
  expect(found?.memory[0]?.value).toBeGreaterThan(1_000_000);
});
