import { describe, expect, it } from "bun:test";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { writeRunState } from "../agent/state";
import { createSleepyTime, temporaryFolder } from "../testing/agent-program";
import { serveTarget } from "../testing/servers/targets";
import { type Agent, agentSubject } from "./agent";
import { UPDATE_CODES, type Update, update } from "./update";

const zstd = (text: string) => new Uint8Array(Bun.zstdCompressSync(text));
const NAME = "wakeful-linux-amd64";
const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const programOf = (version: string) => `#!/bin/sh\necho ${version}\n`;
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const publicText = Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url").toString("base64");

type Served = {
  version?: string;
  program?: string;
  key?: KeyObject;
  manifest?: object | string;
  files?: Record<string, BodyInit>;
};

const TODAY = new Date().toISOString().slice(0, 10);

/** Serves a release, signed unless another key is given. */
const serveRelease = ({
  version = "0.2.0",
  program = programOf(version),
  key = privateKey,
  manifest,
  files = {},
}: Served = {}) => {
  const described = manifest ?? {
    version,
    date: TODAY,
    files: { [NAME]: { sha256: sha256(program), size: program.length } },
  };
  const text = typeof described === "string" ? described : JSON.stringify(described);
  const all: Record<string, BodyInit> = {
    "wakeful-release.json": text,
    "wakeful-release.json.sig": sign(null, Buffer.from(text), key).toString("base64"),
    [NAME]: program,
    ...files,
  };
  return serveTarget((_, { path }) => {
    const body = all[path.slice(1)];
    return body === undefined ? new Response("", { status: 404 }) : new Response(body);
  });
};

/** An installed agent of version 0.1.0, whose service writes that it reports where the program may do so. */
const install = (
  place: string,
  { reportsAs = /./, more = {} }: { reportsAs?: RegExp; more?: Partial<Update & Agent> } = {},
) => {
  const folder = temporaryFolder();
  const program = join(folder, "wakeful");
  writeFileSync(program, programOf("0.1.0"));
  chmodSync(program, 0o755);
  const state = join(folder, "state");
  mkdirSync(state);
  const started: string[] = [];
  let starts = 0;
  const report = (healthy: boolean) => {
    starts++;
    writeRunState(state, { process: 100 + starts, since: new Date(starts).toISOString(), healthy, text: "reports" });
  };
  report(true);
  const logged: string[] = [];
  const time = createSleepyTime();
  const settings = {
    place: place.replace(/\/$/, ""),
    publicKey: publicText,
    current: "0.1.0",
    name: NAME,
    program,
    state,
    service: {
      restart: () => {
        const version = readFileSync(program, "utf8").trim().split(" ").at(-1) as string;
        started.push(version);
        report(reportsAs.test(version));
      },
    },
    isRunning: () => true,
    time: { ...time, now: Date.now },
    log: (text: string) => void logged.push(text),
    ...more,
  };
  const subject = agentSubject(settings);
  const version = () => readFileSync(program, "utf8").trim().split(" ").at(-1);
  const files = () => readdirSync(folder).toSorted();
  return {
    settings: { ...settings, subject },
    started,
    logged,
    version,
    files,
    program,
    waited: () => time.slept.reduce((sum, each) => sum + each, 0),
  };
};

const KEPT = ["state", "wakeful"];
/** Stands for a web server without a release. */
const NOTHING = "nothing";

describe("an update", () => {
  it("replaces the program by a newer one, restarts the agent and waits for its report", async () => {
    const { settings, started, logged, version, files, program } = install(serveRelease().url);
    expect(await update(settings)).toBe(UPDATE_CODES.done);
    expect([version(), started, files()]).toEqual(["0.2.0", ["0.2.0"], KEPT]);
    expect(statSync(program).mode & 0o777).toBe(0o755);
    expect(logged).toEqual([`Version 0.2.0 of ${TODAY} runs and reports.`]);
  });

  it("fetches the compressed program where the release has one", async () => {
    const { url, requests } = serveRelease({ files: { [`${NAME}.zst`]: zstd(programOf("0.2.0")) } });
    const { settings, version } = install(url);
    expect(await update(settings)).toBe(UPDATE_CODES.done);
    expect(version()).toBe("0.2.0");
    expect(requests.map(({ path }) => path)).not.toContain(`/${NAME}`);
  });

  it("goes back when the new program does not report within three minutes", async () => {
    const { settings, started, logged, version, files, waited } = install(serveRelease().url, { reportsAs: /0\.1\.0/ });
    expect(await update(settings)).toBe(UPDATE_CODES.reverted);
    expect([version(), started, files()]).toEqual(["0.1.0", ["0.2.0", "0.1.0"], KEPT]);
    expect(waited()).toBe(180_000);
    expect(logged).toEqual(["Version 0.2.0 did not report within 3 minutes.", "Version 0.1.0 is back."]);
  });

  it("goes back when the new program has ended", async () => {
    const { settings, version } = install(serveRelease().url, { more: { isRunning: (process) => process === 101 } });
    expect(await update(settings)).toBe(UPDATE_CODES.reverted);
    expect(version()).toBe("0.1.0");
  });

  it("only replaces the program where no service was installed", async () => {
    const { settings, version, files, logged } = install(serveRelease().url, { more: { service: null } });
    expect(await update(settings)).toBe(UPDATE_CODES.done);
    expect([version(), files()]).toEqual(["0.2.0", KEPT]);
    expect(logged).toEqual([expect.stringContaining("Restart the agent")]);
  });

  it("warns of a release that is older than a year", async () => {
    const manifest = { version: "0.1.0", date: "2020-01-31", files: {} };
    const { settings, logged } = install(serveRelease({ manifest }).url);
    expect(await update(settings)).toBe(UPDATE_CODES.done);
    expect(logged[0]).toContain("is of 2020-01-31, more than a year ago");
  });

  it("does nothing when the release is not newer", async () => {
    for (const version of ["0.1.0", "0.0.9", "0.0.10"]) {
      const { settings, started, logged } = install(serveRelease({ version }).url);
      expect(await update(settings)).toBe(UPDATE_CODES.done);
      expect([started, logged]).toEqual([[], ["Version 0.1.0 is up to date."]]);
    }
    const { settings, version } = install(serveRelease({ version: "0.10.0" }).url, { more: { current: "0.9.0" } });
    expect(await update(settings)).toBe(UPDATE_CODES.done);
    expect(version()).toBe("0.10.0");
  });
});

describe("an update is refused, and nothing is changed, when", () => {
  const program = programOf("0.2.0");
  const described = (more: object) => ({
    version: "0.2.0",
    date: TODAY,
    files: { [NAME]: { sha256: sha256(program), size: program.length, ...more } },
  });
  const other = generateKeyPairSync("ed25519").privateKey;
  const cases: [what: string, served: Served, message: string, more?: Partial<Update & Agent>][] = [
    ["the signature is another's", { key: other }, "the signature of the release is wrong"],
    [
      "the signature is missing",
      { files: { "wakeful-release.json.sig": "" } },
      "the signature of the release is wrong",
    ],
    [
      "the description was changed",
      { files: { "wakeful-release.json": JSON.stringify(described({ size: 1 })) } },
      "the signature of the release is wrong",
    ],
    [
      "the description is endless",
      { files: { "wakeful-release.json": "x".repeat(100_000) } },
      "longer than a release's description",
    ],
    ["the release names no version", { manifest: { ...described({}), version: "latest" } }, "names no version"],
    ["the release describes no files", { manifest: described({ size: -1 }) }, "describes no files"],
    [
      "the release is for other platforms",
      { manifest: { ...described({}), files: {} } },
      "has no wakeful-linux-amd64, the file for this machine",
    ],
    ["the download was cut short", { files: { [NAME]: program.slice(0, 10) } }, "damaged or was cut short"],
    [
      "the download was tampered with",
      { files: { [NAME]: program.replace("echo", "evil") } },
      "damaged or was cut short",
    ],
    ["the download is longer", { files: { [NAME]: `${program}more` } }, "longer than the release says"],
    [
      "the compressed download is cut",
      { files: { [`${NAME}.zst`]: zstd(program).slice(0, 20) } },
      "damaged or was cut short",
    ],
    [
      "the compressed download is a bomb",
      { files: { [`${NAME}.zst`]: zstd("0".repeat(10_000_000)) } },
      "longer than the release says",
    ],
    ["the program calls itself otherwise", { program: programOf("0.3.0") }, "calls itself 0.3.0, not 0.2.0"],
    ["the program does not run", { program: "not a program" }, "does not run here"],
    ["the disk is too full", {}, "has 1 MB free", { freeBytes: () => 1_000_000 }],
    ["the agent does not report", {}, "does not report at present", { isRunning: () => false }],
    ["the place does not answer", {}, "cannot be fetched", { place: "http://127.0.0.1:1" }],
    ["the place has no release", {}, "answers 404", { place: NOTHING }],
  ];

  for (const [what, served, message, more] of cases)
    it(what, async () => {
      const { settings, started, version, files } = install(serveRelease({ program, ...served }).url, more && { more });
      const place =
        settings.place === NOTHING ? serveTarget(() => new Response("", { status: 404 })).origin : settings.place;
      await expect(update({ ...settings, place })).rejects.toThrow(message);
      expect([version(), started, files()]).toEqual(["0.1.0", [], KEPT]);
    });

  it("another one is running, unless that was interrupted long ago", async () => {
    const { settings, program: path, version } = install(serveRelease().url);
    writeFileSync(`${path}.new`, "half");
    await expect(update(settings)).rejects.toThrow("another update is running");
    expect(existsSync(`${path}.new`)).toBe(true);
    utimesSync(`${path}.new`, 1, 1);
    expect(await update(settings)).toBe(UPDATE_CODES.done);
    expect(version()).toBe("0.2.0");
  });
});
