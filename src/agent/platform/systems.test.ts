import { expect, it } from "bun:test";
import { createDarwin } from "./darwin";
import { createWindows } from "./windows";

const GB = 1024 ** 3;
const spaces = (sizes: Record<string, number>) => async (paths: string[]) =>
  new Map(paths.map((path) => [path, sizes[path] ? { used: sizes[path], available: 10 * GB } : { reason: "ENOENT" }]));

it("reads macOS figures from system commands", async () => {
  const answers: Record<string, string> = {
    netstat: "en0 1500 <Link#4> aa:bb:cc:dd:ee:ff 1 0 1000 1 0 2000 0\nutun0 1500 <Link#9> 1 0 5 1 0 6 0\n",
    sw_vers: "15.2\n",
    sysctl: "9D5A2C1E-93A4-4D3B-B40E-0F2B6F0C8A11\n",
  };
  const asked: string[] = [];
  const output = async ([program = ""]: string[]) => {
    asked.push(program);
    return answers[program] ?? "";
  };
  const platform = createDarwin({ interfaces: [], networkFilesystems: false }, output, spaces({ "/": 3 * GB }));
  const reading = await platform.read();
  expect(reading.network).toEqual({ en0: { rx: 1000, tx: 2000 } });
  expect(reading.disks).toEqual([{ mount: "/", total: 13 * GB, used: 3 * GB }]);
  expect(reading.boot).toBe("9d5a2c1e");
  expect(reading.memory).toBeNull();
  expect(reading.cpu).toBeArray();
  expect(await platform.identity()).toMatchObject({ os: "macOS", version: "15.2" });
  await platform.identity();
  expect(asked.filter((program) => program === "sw_vers")).toHaveLength(1);
});

it("runs the slow PowerShell command once on Windows", async () => {
  const asked: string[] = [];
  const output = async ([program = ""]: string[]) => {
    asked.push(program);
    if (program === "powershell.exe") return "Microsoft Windows 11 Pro\r\nC:\r\nE:\r\nboot 214\r\n";
    return program === "netstat.exe" ? "Bytes  10  20\r\n" : "";
  };
  const platform = createWindows(output, spaces({ "C:\\": 5 * GB, "E:\\": 2 * GB }));
  await platform.read();
  const reading = await platform.read();
  expect(reading.disks.map(({ mount }) => mount)).toEqual(["C:\\", "E:\\"]);
  expect(reading.network).toEqual({ all: { rx: 10, tx: 20 } });
  expect([reading.boot, reading.wraps]).toEqual(["214", true]);
  expect(reading.memory?.total).toBeGreaterThan(0);
  expect((await platform.identity()).os).toBe("Microsoft Windows 11 Pro");
  expect(asked.filter((program) => program === "powershell.exe")).toHaveLength(1);
});

it("reports the remaining figures when Windows commands fail", async () => {
  const platform = createWindows(async () => "", spaces({ "C:\\": 5 * GB }));
  expect((await platform.read()).disks).toHaveLength(1);
  expect((await platform.read()).network).toEqual({});
  expect((await platform.identity()).os).toBe("Windows");
});
