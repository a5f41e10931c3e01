import { describe, expect, it, onTestFinished } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { MINUTE } from "../../../shared/limits";
import { createTestClock, until } from "../../../testing/clock";
import { createCompressedFiles } from "./compressed";

describe("the compressed form of the hub's own executable", () => {
  const prepare = () => {
    const folder = mkdtempSync(join(tmpdir(), "wakeful-compressed-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "program");
    writeFileSync(file, "a program ".repeat(100_000));
    const warnings: string[] = [];
    return {
      folder,
      file,
      warnings,
      clock: createTestClock(),
      log: { warn: (message: string) => void warnings.push(message) },
    };
  };

  it("unpacks to the executable, and is made once for all who ask at the same time", async () => {
    const { folder, file, ...deps } = prepare();
    const compressed = createCompressedFiles(join(folder, "cache"), deps);
    const [first, second, gz] = await Promise.all([
      compressed(file, "zst"),
      compressed(file, "zst"),
      compressed(file, "gz"),
    ]);
    expect(second).toBe(first);
    const content = await Bun.file(file).text();
    expect((await Bun.zstdDecompress(await Bun.file(first!).bytes())).toString()).toBe(content);
    expect(new TextDecoder().decode(Bun.gunzipSync(await Bun.file(gz!).bytes()))).toBe(content);
    const { mtimeMs } = statSync(first!);
    expect(await createCompressedFiles(join(folder, "cache"), deps)(file, "zst")).toBe(first);
    expect(statSync(first!).mtimeMs).toBe(mtimeMs);
  });

  it("is also made by xz, and offered once it is there", async () => {
    const { folder, file, ...deps } = prepare();
    const compressed = createCompressedFiles(join(folder, "cache"), { ...deps, findXz: () => Bun.which("xz") });
    expect(await Promise.all([compressed(file, "xz"), compressed(file, "xz")])).toEqual([null, null]);
    await until(async () => (await compressed(file, "xz")) !== null, "xz to end");
    const path = (await compressed(file, "xz")) as string;
    expect(Bun.spawnSync(["xz", "-dc", path]).stdout.toString()).toBe(await Bun.file(file).text());
    expect(readdirSync(join(folder, "cache"))).toEqual([basename(path)]);
  });

  it("is not made by xz where that is missing or fails, which is tried again after a while", async () => {
    const { folder, file, clock, log, warnings } = prepare();
    let xz: string | null = null;
    const compressed = createCompressedFiles(join(folder, "cache"), { clock, log, findXz: () => xz });
    expect(await compressed(file, "xz")).toBeNull();
    expect(existsSync(join(folder, "cache"))).toBe(false);
    xz = "/bin/false";
    expect(await compressed(file, "xz")).toBeNull();
    await until(() => warnings.length > 0, "xz to fail");
    xz = Bun.which("xz");
    expect(await compressed(file, "xz")).toBeNull();
    await clock.advance(10 * MINUTE);
    await until(async () => (await compressed(file, "xz")) !== null, "xz to end");
    expect(warnings).toHaveLength(1);
  });

  it("replaces the one of an earlier executable and what an interrupted run left", async () => {
    const { folder, file, ...deps } = prepare();
    const cache = join(folder, "cache");
    mkdirSync(cache);
    writeFileSync(join(cache, "wakeful-1-1.zst"), "old");
    writeFileSync(join(cache, "wakeful-1-2.zst.77.new"), "half");
    const path = await createCompressedFiles(cache, deps)(file, "zst");
    expect(readdirSync(cache)).toEqual([basename(path!)]);
  });

  it("is absent where it cannot be written, and tried again after a while", async () => {
    const { folder, file, clock, log, warnings } = prepare();
    writeFileSync(join(folder, "cache"), "a file");
    const compressed = createCompressedFiles(join(folder, "cache"), { clock, log });
    expect([await compressed(file, "gz"), await compressed(file, "gz")]).toEqual([null, null]);
    expect(warnings).toHaveLength(1);
    rmSync(join(folder, "cache"));
    await clock.advance(10 * MINUTE);
    expect(await compressed(file, "gz")).toContain("cache");
  });

  it("ends xz when the process exits", async () => {
    const { folder, file } = prepare();
    const pidFile = join(folder, "pid");
    const xz = join(folder, "xz");
    writeFileSync(xz, `#!/bin/sh\necho $$ > ${pidFile}.new\nmv ${pidFile}.new ${pidFile}\nexec sleep 300\n`, {
      mode: 0o700,
    });
    const program = `
      import { existsSync } from "node:fs";
      import { createCompressedFiles } from ${JSON.stringify(join(import.meta.dir, "compressed.ts"))};
      const tools = { clock: { now: Date.now }, log: { warn: console.error }, findXz: () => ${JSON.stringify(xz)} };
      await createCompressedFiles(${JSON.stringify(join(folder, "cache"))}, tools)(${JSON.stringify(file)}, "xz");
      while (!existsSync(${JSON.stringify(pidFile)})) await Bun.sleep(10);
      process.exit();
    `;
    expect(await Bun.spawn([process.execPath, "-e", program]).exited).toBe(0);
    const isRunning = (pid: number) => existsSync(`/proc/${pid}/exe`);
    await until(() => !isRunning(Number(readFileSync(pidFile, "utf8"))), "xz to end");
  });
});
