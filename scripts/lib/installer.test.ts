/** Refusals of the hub's install script that need no machine. scripts/systems installs with it. */
import { afterAll, expect, it } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const SCRIPT = resolve(import.meta.dir, "../install");
const folder = mkdtempSync(join(tmpdir(), "wakeful-installer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script in a shell, with other answers of some programs. */
const run = (shell: string[], words: string[], tools: Record<string, string> = {}) => {
  const path = mkdtempSync(join(folder, "tools-"));
  for (const [name, answer] of Object.entries({ id: "echo 0", ...tools })) {
    writeFileSync(join(path, name), `#!/bin/sh\n${answer}\n`);
    chmodSync(join(path, name), 0o755);
  }
  const { stdout, stderr, exitCode } = Bun.spawnSync([...shell, SCRIPT, ...words], {
    cwd: folder,
    env: { PATH: `${path}:/usr/bin:/bin` },
    stdin: "ignore",
  });
  return { out: stdout.toString(), err: stderr.toString(), code: exitCode };
};

for (const shell of [["dash"], ["bash"], ["busybox", "ash"]])
  it(`words that cannot be used are refused with a sentence, in ${shell.join(" ")}`, () => {
    for (const [words, message] of [
      [["--unistall"], "there is no option --unistall"],
      [["missing"], "there is no file missing"],
      [[SCRIPT, SCRIPT], "there is more than one file"],
      [["--sha256"], "--sha256 needs a value"],
      [["--sha256", "abc"], "--sha256 is no checksum"],
      [["DATA_DIR=/data"], "mount another disk there"],
      [["A-B=1"], "A-B is no name of a setting"],
      [["LOG_LEVEL=a\nb"], "LOG_LEVEL has more than one line"],
    ] as [string[], string][]) {
      const { err, code } = run(shell, words);
      expect({ words, err, code }).toEqual({ words, err: expect.stringContaining(message), code: 1 });
    }
    expect(run(shell, ["--help"])).toMatchObject({ out: expect.stringContaining("usage: install.sh"), code: 0 });
    expect(run(shell, ["--print-unit"])).toMatchObject({ out: expect.stringContaining("\n[Install]\n"), code: 0 });
  });

it("ordinary users and other systems are told what to do instead", () => {
  expect(run(["sh"], [], { id: "echo 1000" })).toMatchObject({
    err: expect.stringContaining("put sudo before sh"),
    code: 1,
  });
  expect(run(["sh"], [], { uname: "echo Darwin" })).toMatchObject({
    err: expect.stringContaining("on Linux only"),
    code: 1,
  });
});
