import { describe, expect, it } from "bun:test";
import { join } from "node:path";
import { COMMANDS } from "../list";

const MAIN = join(import.meta.dir, "../../main.ts");
const SHELLS = ["bash", "zsh", "fish"];

const wakeful = (...words: string[]) => {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, MAIN, ...words], {
    env: { PATH: process.env.PATH ?? "" },
  });
  return { out: stdout.toString(), err: stderr.toString(), code: exitCode };
};

/** What bash offers at the end of a command line. */
const offeredBy = (script: string, ...words: string[]): string[] => {
  const line = ["wakeful", ...words].map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _wakeful; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = Bun.spawnSync(["bash", "--norc", "-c", `${script}\n${ask}`]);
  return stdout.toString().split("\n").filter(Boolean);
};

it("wakeful man prints a manual page with the help of every command, which groff accepts", () => {
  const { out, code } = wakeful("man");
  expect([code, out.split(" ", 3)]).toEqual([0, [".TH", "WAKEFUL", "1"]]);
  const text = out.replaceAll("\\-", "-").replaceAll("\\&", "").replaceAll("\\e", "\\");
  for (const { name, about } of COMMANDS) {
    expect(text).toContain(about);
    expect(text).toContain(wakeful(name, "--help").out.trimEnd());
  }
  if (!Bun.which("groff")) return;
  const drawn = Bun.spawnSync(["groff", "-man", "-ww", "-Tutf8", "-P-c"], { stdin: Buffer.from(out) });
  expect([drawn.exitCode, drawn.stderr.toString()]).toEqual([0, ""]);
});

describe("wakeful completion", () => {
  it("names every command in the script of each shell, and shells accept it", () => {
    for (const shell of SHELLS) {
      const { out, code } = wakeful("completion", shell);
      expect(code).toBe(0);
      for (const { name } of COMMANDS) expect(out).toMatch(new RegExp(`\\b${name}\\b`));
      if (Bun.which(shell)) {
        const checked = Bun.spawnSync([shell, "-n"], { stdin: Buffer.from(out) });
        expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, ""]);
      }
    }
  });

  it("offers commands, then their words and options, then the programs of the machine", () => {
    const { out } = wakeful("completion", "bash");
    expect(offeredBy(out, "he")).toEqual(["healthcheck"]);
    expect(offeredBy(out, "agent", "st")).toEqual(["start", "status"]);
    expect(offeredBy(out, "agent", "start", "--token")).toEqual(["--token-file", "--token"]);
    expect(offeredBy(out, "run", "TOKEN", "--", "bas")).toContain("bash");
    expect(offeredBy(out, "run", "TOKEN", "--", "ls", "--h")).toEqual([]);
    expect(offeredBy(out, "backup", "/tmp/")).toEqual([]);
  });

  it("has the options that the help of each command has", () => {
    for (const { name, words = [] } of COMMANDS) {
      const { out } = wakeful(name, "--help");
      const usage = out.split("\n")[0] ?? "";
      const found = [...out.matchAll(/^ {2}(--[a-z-]+)/gm), ...usage.matchAll(/(--[a-z-]+)/g)];
      const options = new Set(found.map(([, option = ""]) => option));
      expect(words.filter((word) => word.startsWith("--")).toSorted()).toEqual([...options].toSorted());
      for (const word of words) expect(out).toContain(word);
    }
  });

  it("refuses a shell that it has no script for", () => {
    const usage = "wakeful: usage: wakeful completion bash|zsh|fish\n";
    for (const words of [["tcsh"], ["constructor"], [], ["bash", "zsh"]])
      expect(wakeful("completion", ...words)).toEqual({ out: "", err: usage, code: 1 });
  });
});

it("wakeful --help lists every command in a line of its own", () => {
  const { out } = wakeful("--help");
  for (const { name } of COMMANDS) expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
  for (const { about } of COMMANDS) expect(out).toContain(`  ${about}\n`);
});
