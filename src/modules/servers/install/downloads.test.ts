import { describe, expect, it, onTestFinished } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXECUTABLES } from "../../../shared/agents/downloads";
import { startTestServer } from "../../../testing/servers/hub";

const NAMES = Object.keys(EXECUTABLES);

/** A directory as written by the release script, beside a file that must not be served. */
const makeReleases = (names: string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-downloads-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const releases = join(folder, "releases");
  mkdirSync(releases);
  for (const name of names) writeFileSync(join(releases, name), `the program ${name}`);
  writeFileSync(join(folder, "secret"), "a secret");
  writeFileSync(join(releases, "wakeful.db"), "a secret");
  return releases;
};

/** The answer to a request whose path and host are sent without normalization. */
const sendRaw = (port: number, path: string, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on("end", () => resolve(Buffer.concat(chunks).toString()));
    socket.on("error", reject);
    onTestFinished(() => socket.destroy());
  });

const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

describe("a download", () => {
  it("is the file of the operator, and its checksum is available", async () => {
    const server = await startTestServer({ DOWNLOADS_DIR: makeReleases(NAMES) });
    for (const name of NAMES) {
      const { status, text, headers } = await server.call(`/downloads/${name}`);
      expect([status, text]).toEqual([200, `the program ${name}`]);
      expect(headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      const sum = await server.call(`/downloads/${name}.sha256`);
      expect([sum.status, sum.text]).toEqual([200, `${sha256(`the program ${name}`)}  ${name}\n`]);
      expect(sum.headers.get("content-type")).toStartWith("text/plain");
    }
  });

  it("is the new file with its checksum after the file was replaced", async () => {
    const releases = makeReleases(NAMES);
    const server = await startTestServer({ DOWNLOADS_DIR: releases });
    const download = async () => (await server.call("/downloads/wakeful-linux-arm64")).text;
    const sum = async () => (await server.call("/downloads/wakeful-linux-arm64.sha256")).text.split(" ")[0];
    expect([await download(), await sum()]).toEqual([
      "the program wakeful-linux-arm64",
      sha256("the program wakeful-linux-arm64"),
    ]);
    writeFileSync(join(releases, "wakeful-linux-arm64"), "a newer program");
    expect([await download(), await sum()]).toEqual(["a newer program", sha256("a newer program")]);
  });

  it("answers range requests, and HEAD without a body", async () => {
    const server = await startTestServer({ DOWNLOADS_DIR: makeReleases(NAMES) });
    const path = "/downloads/wakeful-linux-arm64";
    const part = await server.call(path, { headers: { range: "bytes=4-10" } });
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "program", "bytes 4-10/31"]);
    const head = await server.call(path, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("is compressed where the operator put such files beside it", async () => {
    const server = await startTestServer({
      DOWNLOADS_DIR: makeReleases(["wakeful-linux-arm64", "wakeful-linux-arm64.xz", "wakeful-linux-amd64.gz"]),
    });
    const { status, text, headers } = await server.call("/downloads/wakeful-linux-arm64.xz");
    expect([status, text]).toEqual([200, "the program wakeful-linux-arm64.xz"]);
    expect(headers.get("content-encoding")).toBeNull();
    expect(headers.get("content-disposition")).toBe(`attachment; filename="wakeful-linux-arm64.xz"`);
    for (const name of ["wakeful-linux-arm64.zst", "wakeful-linux-arm64.gz", "wakeful-linux-amd64.gz"]) {
      const missing = await server.call(`/downloads/${name}`);
      expect([name, missing.status, missing.body.code]).toEqual([name, 404, "no_download"]);
    }
  });

  it("that is missing answers how to provide it", async () => {
    const settings: Record<string, string>[] = [{}, { DOWNLOADS_DIR: makeReleases([]) }, { DOWNLOADS_DIR: "/nowhere" }];
    for (const env of settings) {
      const server = await startTestServer(env);
      for (const name of [...NAMES, "wakeful-linux-amd64.sha256"]) {
        const { status, body } = await server.call(`/downloads/${name}`);
        expect([status, body.success, body.code]).toEqual([404, false, "no_download"]);
        expect(body.message).toMatch(/DOWNLOADS_DIR.*RELEASE_URL/);
        expect(body.message).toInclude(name.replace(".sha256", ""));
      }
    }
  });

  it("is redirected to RELEASE_URL if it is not on the hub", async () => {
    const releases = makeReleases(["wakeful-linux-arm64"]);
    const server = await startTestServer({ RELEASE_URL: "https://example.org/v1/", DOWNLOADS_DIR: releases });
    for (const name of ["wakeful-darwin-arm64", "wakeful-darwin-arm64.sha256", "wakeful-linux-amd64-musl.xz"]) {
      const { status, headers } = await server.call(`/downloads/${name}`);
      expect([status, headers.get("location")]).toEqual([302, `https://example.org/v1/${name}`]);
    }
    expect((await server.call("/downloads/wakeful-linux-arm64")).text).toBe("the program wakeful-linux-arm64");
  });

  it("has one of eight names; other paths are not found", async () => {
    const server = await startTestServer({
      DOWNLOADS_DIR: makeReleases(NAMES),
      RELEASE_URL: "https://example.org/v1",
    });
    const tricks = ["secret", "..%2fsecret", "%2e%2e%2fsecret", "..%5csecret", "wakeful.db", ""];
    tricks.push("wakeful-linux-amd64%00", "wakeful-linux-amd64%2f..%2f..%2fsecret", "wakeful-windows-amd64", "sha256");
    tricks.push(
      "wakeful-linux-amd64.exe",
      "wakeful-linux-386",
      "wakeful-linux-amd64.sha256.sha256",
      "wakeful-linux-amd64.xz.sha256",
      "wakeful-linux-amd64.br",
      "WAKEFUL-linux-amd64",
    );
    tricks.push("%", "%ff", "wakeful-linux-amd64%0d%0aLocation:%20x", "wakeful-linux-amd64.sha256%2f..%2f..%2fsecret");
    for (const trick of tricks) {
      const { status, text, headers } = await server.call(`/downloads/${trick}`);
      expect([trick, status, headers.get("location")]).toEqual([trick, 404, null]);
      expect(text).not.toInclude("a secret");
    }
    for (const path of [
      "/downloads/../secret",
      "/downloads/./wakeful.db",
      "/downloads//wakeful.db",
      "/downloads/..\\secret",
    ])
      expect(await sendRaw(server.port, path, "hub.example")).not.toInclude("a secret");
  });
});

it("a new token is answered with the names of the available programs", async () => {
  const offered = async (env: Record<string, string>) => {
    const server = await startTestServer(env);
    const { bob } = await server.people();
    const { body } = await server.as(bob).post("/api/agents/token/generate");
    for (const name of NAMES) {
      const { status } = await server.call(`/downloads/${name}`);
      expect([name, status !== 404]).toEqual([name, body.downloads.includes(name)]);
    }
    return body.downloads;
  };
  expect(await offered({})).toEqual([]);
  expect(await offered({ DOWNLOADS_DIR: makeReleases(["wakeful-darwin-arm64", "wakeful-linux-386"]) })).toEqual([
    "wakeful-darwin-arm64",
  ]);
  expect(await offered({ RELEASE_URL: "https://example.org/v1" })).toEqual(NAMES);
});

describe("the installer", () => {
  type Sent = { env?: Record<string, string>; headers?: Record<string, string>; path?: string };
  const script = async ({ env = {}, headers = {}, path = "/install.sh" }: Sent) => {
    const server = await startTestServer(env);
    const answer = await server.call(path, { headers });
    expect(answer.status).toBe(200);
    return answer;
  };
  /** Whether the script contains this address and no placeholder. */
  const expectOrigin = ({ text }: { text: string }, address: string) => {
    expect(text).toInclude(address);
    expect(text).not.toInclude("@SERVER@");
  };

  it("is a shell script that contains the address of its hub", async () => {
    const answer = await script({ headers: { host: "hub.example:8443" } });
    expect(answer.headers.get("content-type")).toStartWith("text/x-shellscript");
    expectOrigin(answer, "http://hub.example:8443");
    for (const host of ["nas", "192.168.1.5:8080", "[fd00::5]:8080", "[::1]", "under_score.local"])
      expectOrigin(await script({ headers: { host } }), `http://${host}`);
  });

  it("contains PUBLIC_URL, whichever address it was requested from", async () => {
    const env = { PUBLIC_URL: "https://status.example/wakeful/" };
    const answer = await script({ env, headers: { host: "192.0.2.1" } });
    expectOrigin(answer, "https://status.example/wakeful");
    expect(answer.text).not.toInclude("192.0.2.1");
  });

  it("contains BASE_PATH", async () => {
    const sent = { env: { BASE_PATH: "/wakeful" }, headers: { host: "hub.example" } };
    for (const path of ["/install.sh", "/wakeful/install.sh"])
      expectOrigin(await script({ ...sent, path }), "http://hub.example/wakeful");
  });

  it("uses the X-Forwarded-Proto header of trusted proxies only", async () => {
    const headers = (proto: string) => ({ host: "hub.example", "x-forwarded-proto": proto });
    const trusted = { TRUST_PROXY: "1" };
    for (const proto of ["https", "https, http", "https,http"])
      expectOrigin(await script({ env: trusted, headers: headers(proto) }), "https://hub.example");
    expectOrigin(await script({ headers: headers("https") }), "http://hub.example");
    for (const proto of ["http", "http, https", "javascript", "https$(id)"])
      expectOrigin(await script({ env: trusted, headers: headers(proto) }), "http://hub.example");
  });

  it("assumes https behind a trusted proxy without X-Forwarded-Proto", async () => {
    expectOrigin(
      await script({ env: { TRUST_PROXY: "1" }, headers: { host: "watch.example.com" } }),
      "https://watch.example.com",
    );
  });

  it("refuses a host name with characters that a shell interprets", async () => {
    const { port } = await startTestServer();
    const signs = [..."$`;'\"|&\\/?#@*()<>!{}~%^,"];
    const tricks = [
      ...signs.flatMap((sign) => [`evil${sign}`, `${sign}evil`]),
      "evil:x",
      "[evil]",
      "[::1];evil",
      "evil:80:80",
      "evil x",
    ];
    for (const host of [...tricks, "$(evil)", "http://evil", "evil:8080;id", "[::1]:80evil"]) {
      const answer = await sendRaw(port, "/install.sh", host);
      expect([host, answer.length > 0, answer.includes("evil")]).toEqual([host, true, false]);
    }
    expect(await sendRaw(port, "/install.sh", "good:8080")).toInclude("http://good:8080");
  });
});
