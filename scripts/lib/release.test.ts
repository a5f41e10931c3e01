/** A release is made here as the workflow makes it, of executables that exist already, and is not published. */
import { afterAll, beforeAll, expect, it } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { EXECUTABLES } from "../../src/shared/agents/downloads";
import { bundleInstaller } from "./bundle-script";
import { createKey } from "./release-files";
import { assertPublishable, imageOf, releaseNotes, withImage } from "./release-notes";

const REPOSITORY = resolve(import.meta.dir, "../..");
const NAMES = Object.keys(EXECUTABLES);
const folder = mkdtempSync(join(tmpdir(), "wakeful-release-"));
const out = join(folder, "out");
const { version } = await Bun.file(join(REPOSITORY, "package.json")).json();
let publicKey = "";

const run = (
  command: string[],
  { cwd = REPOSITORY, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
) => {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, {
    cwd,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdin: "ignore",
  });
  return { out: stdout.toString(), err: stderr.toString(), code: exitCode };
};

beforeAll(() => {
  const from = join(folder, "from");
  mkdirSync(from);
  const built = join(REPOSITORY, "dist/wakeful");
  for (const name of NAMES) {
    if (name === "wakeful-linux-amd64" && existsSync(built)) linkSync(built, join(from, name));
    else writeFileSync(join(from, name), `#!/bin/sh\necho ${name}\n`);
  }
  const key = join(folder, "key");
  publicKey = createKey(key);
  const { err, code } = run([process.execPath, "scripts/release.ts", "--from", from, "--out", out, "--key", key]);
  expect({ err, code }).toEqual({ err: "", code: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string) => readFileSync(join(out, name), "utf8");

it("a release holds the eight executables, and a checksum of each file", () => {
  const names = readdirSync(out);
  expect(names).toEqual(expect.arrayContaining([...NAMES, "install.sh", "wakeful-sbom.cdx.json", "SHA256SUMS"]));
  expect(run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: out }).code).toBe(0);
  const listed = [...read("SHA256SUMS").matchAll(/^[0-9a-f]{64} {2}(.+)$/gm)].map(([, name]) => name);
  expect(listed).toEqual(names.filter((name) => name !== "SHA256SUMS" && !name.endsWith(".sha256")).toSorted());
});

it("the signature of a release is accepted by OpenSSL, and no other text under it", () => {
  // The bytes before the key say that it is one for Ed25519.
  const pem = `-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA${publicKey}\n-----END PUBLIC KEY-----\n`;
  writeFileSync(join(folder, "key.pem"), pem);
  writeFileSync(join(folder, "signature"), Buffer.from(read("wakeful-release.json.sig"), "base64"));
  const verify = (file: string) =>
    run([
      ...["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", join(folder, "key.pem"), "-rawin"],
      ...["-in", file, "-sigfile", join(folder, "signature")],
    ]).code;
  expect(verify(join(out, "wakeful-release.json"))).toBe(0);
  expect(verify(join(out, "SHA256SUMS"))).toBe(1);
  const { files } = JSON.parse(read("wakeful-release.json"));
  expect(Object.keys(files)).toEqual(NAMES);
});

it("the bill of materials names what the executables contain, with versions, checksums and licenses", async () => {
  const { components, dependencies, ...materials } = JSON.parse(read("wakeful-sbom.cdx.json"));
  expect(materials).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", metadata: { component: { version } } });
  const named = new Map(
    components.map((one: { group?: string; name: string }) => [[one.group, one.name].filter(Boolean).join("/"), one]),
  );
  const manifest = await Bun.file(join(REPOSITORY, "package.json")).json();
  for (const [name, wanted] of Object.entries(manifest.dependencies))
    expect([name, named.get(name)]).toEqual([
      name,
      expect.objectContaining({
        version: wanted,
        hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
        licenses: [{ expression: expect.any(String) }],
      }),
    ]);
  for (const name of Object.keys(manifest.devDependencies)) expect([name, named.has(name)]).toEqual([name, false]);
  expect(named.get("bun")).toMatchObject({ version: readFileSync(join(REPOSITORY, ".bun-version"), "utf8").trim() });
  const refs = new Set(components.map((one: { "bom-ref": string }) => one["bom-ref"]));
  expect(refs.size).toBe(components.length);
  const pointed = dependencies.flatMap(({ dependsOn = [] }: { dependsOn?: string[] }) => dependsOn);
  expect(pointed.filter((ref: string) => !refs.has(ref))).toEqual([]);
});

it("the install script is one file that knows its release and its key", () => {
  const text = bundleInstaller("https://example.org/releases/v1", publicKey);
  const file = join(folder, "install.sh");
  writeFileSync(file, text);
  expect(run(["sh", "-n", file])).toEqual({ out: "", err: "", code: 0 });
  expect(text).not.toContain("$here");
  expect(text).toContain("releases='https://example.org/releases/v1'\n");
  expect(text).toContain(`release_key='${publicKey}'\n`);
  expect(run(["sh", file, "--help"], { cwd: folder })).toMatchObject({
    out: expect.stringContaining("--uninstall"),
    code: 0,
  });
  expect(read("install.sh")).toContain(`release_key='${publicKey}'\n`);
});

const CHANGELOG =
  "# Changelog\n\n## 1.1.0 (not released yet)\n\nMore.\n\n## 1.0.0 (2026-05-31)\n\nThe first.\n\n### Servers\n\n- An agent.\n";

it("the notes of a release are the section of its version in the changelog", () => {
  expect(releaseNotes(CHANGELOG, "1.0.0")).toBe("The first.\n\n### Servers\n\n- An agent.\n");
  expect(() => releaseNotes(CHANGELOG, "1.0")).toThrow("CHANGELOG.md says nothing about 1.0");
  const { out: printed, code } = run([process.execPath, "scripts/release.ts", "--notes"]);
  expect({ code, printed }).toEqual({ code: 0, printed: expect.stringContaining("### Monitors") });
});

it("a tag is published only when the version, the changelog and the repository are ready", () => {
  const ready = { version: "1.0.0", repository: "https://github.com/example/wakeful", changelog: CHANGELOG };
  expect(() => assertPublishable("v1.0.0", ready)).not.toThrow();
  expect(() => assertPublishable("v1.0.1", ready)).toThrow("the tag v1.0.1 is not v1.0.0");
  expect(() => assertPublishable("v1.0.0", { ...ready, repository: "" })).toThrow("package.json names no repository");
  expect(() => assertPublishable("v1.1.0", { ...ready, version: "1.1.0" })).toThrow("calls 1.1.0 not released yet");
  expect(() => assertPublishable("v1.2.0", { ...ready, version: "1.2.0" })).toThrow("says nothing about 1.2.0");
});

it("published files for containers name the image of the repository instead of a build", () => {
  expect(imageOf("https://github.com/Example/Wakeful")).toBe("ghcr.io/example/wakeful");
  expect(imageOf("https://git.example.org/wakeful")).toBe(null);
  const compose = readFileSync(join(REPOSITORY, "docs/deploy/compose.yaml"), "utf8");
  const published = withImage(compose, "ghcr.io/example/wakeful:1.0.0");
  expect(Bun.YAML.parse(published)).toMatchObject({
    services: { wakeful: { image: "ghcr.io/example/wakeful:1.0.0", restart: "unless-stopped" } },
  });
  expect(published).not.toContain("build:");
});

it("the image is built for both processors around the executables of the release, and pushed only when asked", () => {
  const tools = join(folder, "tools");
  mkdirSync(tools);
  writeFileSync(join(tools, "docker"), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  chmodSync(join(tools, "docker"), 0o755);
  const copy = join(folder, "repository");
  mkdirSync(join(copy, "scripts/lib"), { recursive: true });
  mkdirSync(join(copy, "dist"));
  for (const name of ["package.json", ".bun-version", "scripts/image", "scripts/lib/lib.sh"])
    writeFileSync(join(copy, name), readFileSync(join(REPOSITORY, name)));
  const image = (...words: string[]) =>
    run(["sh", join(copy, "scripts/image"), ...words], { env: { PATH: `${tools}:${process.env.PATH}` } });
  expect(image("--push", "example/wakeful").err).toContain("run sh scripts/release first");
  Bun.spawnSync(["ln", "-s", out, join(copy, "dist/release")]);
  const pushed = image("--push", "example/wakeful", "--metadata-file", "image.json").out.split("\n");
  expect(pushed).toEqual(
    expect.arrayContaining([
      ...["--push", "linux/amd64,linux/arm64", "executables=dist/release", "--sbom=true", "--provenance=mode=max"],
      ...[`example/wakeful:${version}`, "example/wakeful:latest", "image.json"],
    ]),
  );
  const local = image().out.split("\n");
  expect(local).toContain("--load");
  expect(local).not.toContain("--push");
});

type Step = { uses?: string; run?: string; env?: Record<string, string> };
type Job = { needs?: string | string[]; permissions: Record<string, string>; steps: Step[] };

it("the workflow tests before it builds, runs scripts that exist, and pins each action to a commit", () => {
  const text = readFileSync(join(REPOSITORY, ".github/workflows/release.yml"), "utf8");
  const { jobs, permissions } = Bun.YAML.parse(text) as { jobs: Record<string, Job>; permissions: object };
  expect(permissions).toEqual({});
  expect(Object.entries(jobs).map(([name, { needs }]) => [name, needs])).toEqual([
    ["test", undefined],
    ["files", "test"],
    ["image", "files"],
    ["publish", ["files", "image"]],
  ]);
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
  const scripts = steps.flatMap(({ run }) =>
    [...(run ?? "").matchAll(/\bsh (scripts\/\w+)/g)].map(([, name = ""]) => name),
  );
  expect(new Set(scripts)).toEqual(new Set(["scripts/release", "scripts/image", "scripts/test"]));
  for (const { run: script } of steps) {
    // Values of GitHub would be code in a script: they come in variables.
    if (script) expect(script).not.toContain("${{");
    if (script) expect(run(["bash", "-n", "-c", script])).toEqual({ out: "", err: "", code: 0 });
  }
  expect(text.match(/secrets\.\w+/g)).toEqual(["secrets.WAKEFUL_RELEASE_KEY"]);
});
