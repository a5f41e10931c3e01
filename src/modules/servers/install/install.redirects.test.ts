import { expect, it, onTestFinished } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  PROGRAM,
  prepareMachine,
  read,
  runIn,
  serveDownloads,
  sha256,
  shells,
  TOKEN,
} from "../../../testing/installer";
import { makeCertificate } from "../../../testing/servers/certificates";
import { serveTarget } from "../../../testing/servers/targets";

prepareMachine();

const WORDS = ["--token", TOKEN, "--executable", "--no-service"];
const byName = (origin: string) => origin.replace("127.0.0.1", "localhost");

/** A machine with BusyBox, this program of Debian, and an authority that both programs trust. */
const machineWith = (program: "curl" | "wget", ca: string) => {
  const { path } = shells["BusyBox ash"]!();
  const folder = mkdtempSync(join(tmpdir(), "wakeful-redirect-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "ca.pem"), ca);
  writeFileSync(join(folder, "wgetrc"), `ca_certificate = ${folder}/ca.pem\n`);
  rmSync(join(path, program), { force: true });
  symlinkSync(Bun.which(program) as string, join(path, program));
  // BusyBox' shell would run its own wget.
  return {
    shell: { command: [Bun.which("dash") ?? "sh"], path },
    env: { CURL_CA_BUNDLE: join(folder, "ca.pem"), WGETRC: join(folder, "wgetrc"), HOME: folder },
  };
};

for (const program of ["curl", "wget"] as const)
  it(`a command with https follows redirects to https only, by ${program}`, async () => {
    const certificate = makeCertificate({ name: "localhost", days: 2 });
    const { shell, env } = machineWith(program, certificate.cert);
    const plain = serveDownloads();
    const files = serveTarget((_, { path }) => fetch(`${plain.origin}${path}`), certificate);
    let to = plain.origin;
    const hub = serveTarget((_, { path }) => Response.redirect(`${to}${path}`, 302), certificate);
    for (const more of [[], ["--sha256", sha256(PROGRAM)]]) {
      const { code, err } = await runIn(shell, byName(hub.origin), [...WORDS, ...more], { env });
      expect([code, err]).toEqual([1, expect.stringContaining("could not download https://")]);
    }
    expect(plain.requests).toEqual([]);
    to = byName(files.origin);
    expect(await runIn(shell, byName(hub.origin), WORDS, { env })).toMatchObject({ err: "", code: 0 });
    expect(read("usr/local/bin/wakeful")).toBe(PROGRAM);
    to = plain.origin;
    expect((await runIn(shell, byName(hub.origin), [...WORDS, "--allow-http"], { env })).code).toBe(0);
  });

it("a wget that checks no certificates needs a command with checksums for https", async () => {
  const { code, err } = await runIn(shells["BusyBox ash"]!(), "https://localhost:9", WORDS);
  expect([code, err]).toEqual([1, expect.stringContaining("this wget checks no certificates: install curl")]);
});
