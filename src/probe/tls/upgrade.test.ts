import { beforeAll, describe, expect, it, onTestFinished } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { plainFingerprint } from "../../shared/certificate";
import { makeAuthority, makeCertificate } from "../../testing/servers/certificates";
import { failureOf } from "../outcome";
import type { ServerCertificate } from "./certificate";
import { type UpgradeOptions, upgrade } from "./upgrade";

type Pair = { key: string; cert: string };
type Options = Omit<UpgradeOptions, "signal" | "onCertificate">;
type Result = { error: string | null; certificate: ServerCertificate | null; protocol?: string | false | null };

const authority = makeAuthority({ intermediateDays: 5 });
const DAY = 86_400_000;
const fingerprintOf = (cert: string) => plainFingerprint(new X509Certificate(cert).fingerprint256);

let good: Pair;
let self: Pair;
let expired: Pair;
beforeAll(() => {
  good = authority.issue({ name: "good.test", days: 90 });
  self = makeCertificate({ name: "nas.test", days: 90 });
  expired = makeCertificate({ name: "nas.test", days: -1 });
});

const portOf = (server: { address: () => unknown }) => (server.address() as { port: number }).port;

const serve = async (pair: Pair, alpn?: string[]): Promise<number> => {
  const server = createTlsServer({ ...pair, ...(alpn && { ALPNProtocols: alpn }) }, (socket) => {
    socket.on("error", () => {});
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return portOf(server);
};

/** A server without TLS. */
const servePlain = async (behave: (socket: Socket) => void): Promise<number> => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    behave(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return portOf(server);
};

const connected = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => resolve(socket)).once("error", reject);
  });

/** Connects with TLS, and returns the code of the error and what was seen. */
const attempt = async (port: number, options: Options, milliseconds = 5000): Promise<Result> => {
  let certificate: ServerCertificate | null = null;
  const socket = await connected(port);
  try {
    const secure = await upgrade(socket, {
      ...options,
      signal: AbortSignal.timeout(milliseconds),
      onCertificate: (seen) => {
        certificate = seen;
      },
    });
    const protocol = secure.alpnProtocol;
    secure.destroy();
    return { error: null, certificate, protocol };
  } catch (error) {
    expect(socket.destroyed).toBe(true);
    return { error: failureOf(error, { timeout: 5 }).code, certificate };
  }
};

/** Attempts in one new process that trusts a certificate, because that must be set before a process starts. */
const attemptTrusting = async (cert: string, attempts: [number, Options][]): Promise<Result[]> => {
  const directory = mkdtempSync(join(tmpdir(), "wakeful-trust-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const trusted = join(directory, "trusted.pem");
  writeFileSync(trusted, cert);
  const script = join(directory, "attempt.ts");
  writeFileSync(
    script,
    `import { connect } from "node:net";
    import { failureOf } from ${JSON.stringify(join(import.meta.dir, "../outcome.ts"))};
    import { upgrade } from ${JSON.stringify(join(import.meta.dir, "upgrade.ts"))};
    for (const [port, options] of JSON.parse(process.argv.at(-1))) {
      const result = { error: null, certificate: null };
      const onCertificate = (seen) => { result.certificate = seen; };
      const signal = AbortSignal.timeout(5000);
      const socket = connect({ host: "127.0.0.1", port });
      await new Promise((resolve) => socket.once("connect", resolve));
      await upgrade(socket, { ...options, signal, onCertificate }).then(
        (secure) => secure.destroy(),
        (error) => { result.error = failureOf(error, { timeout: 5 }).code; },
      );
      console.log(JSON.stringify(result));
    }`,
  );
  const child = Bun.spawn([process.execPath, script, JSON.stringify(attempts)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted },
    stdout: "pipe",
  });
  const printed = await new Response(child.stdout).text();
  return printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Result);
};

describe("a certificate of a trusted issuer", () => {
  it("is verified for the name, with the earliest expiry of the chain and the fingerprint of the leaf", async () => {
    const late = await serve(authority.issue({ name: "good.test", days: -1 }));
    const port = await serve(good);
    const [right, wrong, overridden, old, address] = await attemptTrusting(authority.root, [
      [port, { hostname: "good.test" }],
      [port, { hostname: "other.test" }],
      [port, { hostname: "other.test", acceptSelfSigned: true }],
      [late, { hostname: "good.test", acceptSelfSigned: true }],
      [port, { hostname: "127.0.0.1" }],
    ]);
    expect(right?.error).toBeNull();
    expect(right?.certificate?.fingerprint).toBe(fingerprintOf(good.cert));
    const days = ((right?.certificate?.expiresAt ?? 0) - Date.now()) / DAY;
    expect(days).toBeGreaterThan(4.9);
    expect(days).toBeLessThan(5.1);
    expect([wrong?.error, overridden?.error, old?.error, address?.error]).toEqual([
      "tls_wrong_name",
      null,
      "tls_expired",
      "tls_wrong_name",
    ]);
  });

  it("is accepted with another certificate beside its chain that has expired", async () => {
    const { intermediate } = makeAuthority({ intermediateDays: -1 });
    const port = await serve({ key: good.key, cert: good.cert + intermediate });
    const [seen] = await attemptTrusting(authority.root, [[port, { hostname: "good.test" }]]);
    expect(seen).toMatchObject({ error: null, certificate: { dates: "valid" } });
    expect(seen?.certificate?.expiresAt).toBeGreaterThan(Date.now());
  });

  it("is refused after its intermediate has expired, or without the intermediate", async () => {
    const old = makeAuthority({ intermediateDays: -1 });
    const leaf = old.issue({ name: "good.test", days: 90 });
    const [expiredIntermediate, missing] = await attemptTrusting(old.root, [
      [await serve(leaf), { hostname: "good.test" }],
      [await serve({ key: leaf.key, cert: leaf.leaf }), { hostname: "good.test" }],
    ]);
    expect(expiredIntermediate?.error).toBe("tls_expired");
    expect(expiredIntermediate?.certificate?.dates).toBe("expired");
    expect(missing?.error).toBe("tls_unknown_issuer");
    expect(missing?.certificate?.fingerprint).toBe(fingerprintOf(leaf.leaf));
  });
});

describe("a certificate of an unknown issuer", () => {
  it("is read and then refused", async () => {
    const result = await attempt(await serve(self), { hostname: "nas.test" });
    expect(result).toMatchObject({
      error: "tls_self_signed",
      certificate: { fingerprint: fingerprintOf(self.cert), dates: "valid", expiresAt: expect.any(Number) },
    });
    expect((await attempt(await serve(good), { hostname: "good.test" })).error).toBe("tls_unknown_issuer");
  });

  it("is accepted with the switch or with its fingerprint, of any name, until it expires", async () => {
    const port = await serve(self);
    const fingerprint = new X509Certificate(self.cert).fingerprint256;
    expect((await attempt(port, { hostname: "elsewhere.test", acceptSelfSigned: true })).error).toBeNull();
    expect((await attempt(port, { hostname: "elsewhere.test", fingerprint })).error).toBeNull();
    const old = await serve(expired);
    expect((await attempt(old, { hostname: "nas.test", acceptSelfSigned: true })).error).toBe("tls_expired");
    expect((await attempt(old, { hostname: "nas.test", fingerprint: fingerprintOf(expired.cert) })).error).toBe(
      "tls_expired",
    );
  });

  it("is refused with another fingerprint", async () => {
    const port = await serve(self);
    expect((await attempt(port, { hostname: "nas.test", fingerprint: "0".repeat(64) })).error).toBe(
      "tls_wrong_fingerprint",
    );
  });
});

describe("a TLS connection over a socket", () => {
  it("sends the name of the host, but no address", async () => {
    const hellos: string[] = [];
    const port = await servePlain((socket) =>
      socket.once("data", (chunk) => {
        hellos.push(chunk.toString("latin1"));
        socket.end();
      }),
    );
    await attempt(port, { hostname: "nas.test" });
    await attempt(port, { hostname: "127.0.0.1" });
    expect(hellos.map((hello) => [hello.includes("nas.test"), hello.includes("127.0.0.1")])).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  it("offers protocols", async () => {
    const port = await serve(self, ["h2"]);
    const result = await attempt(port, { hostname: "nas.test", acceptSelfSigned: true, alpnProtocols: ["h2"] });
    expect(result.protocol).toBe("h2");
  });

  it("carries data in both directions", async () => {
    const server = createTlsServer(self, (socket) => {
      socket.on("error", () => {}).on("data", (chunk) => socket.end(chunk));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const secure = await upgrade(await connected(portOf(server)), {
      hostname: "nas.test",
      acceptSelfSigned: true,
      signal: AbortSignal.timeout(5000),
    });
    const answer = new Promise<string>((resolve) => secure.once("data", (chunk) => resolve(String(chunk))));
    secure.write("hello");
    expect(await answer).toBe("hello");
    secure.destroy();
  });

  it("closes the connection below when the returned socket is destroyed", async () => {
    const socket = await connected(await serve(self));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const signal = AbortSignal.timeout(5000);
    (await upgrade(socket, { hostname: "nas.test", acceptSelfSigned: true, signal })).destroy();
    await closed;
    expect(socket.destroyed).toBe(true);
  });

  it("fails with servers that have no TLS, that close the connection, and that are silent", async () => {
    const banner = await servePlain((socket) => socket.write("220 mail.test ESMTP\r\n"));
    expect((await attempt(banner, { hostname: "nas.test" })).error).toBe("tls_failed");
    const closing = await servePlain((socket) => socket.once("data", () => socket.end()));
    expect((await attempt(closing, { hostname: "nas.test" })).error).toBe("reset");
    const silent = await servePlain(() => {});
    expect((await attempt(silent, { hostname: "nas.test" }, 50)).error).toBe("timeout");
  });
});
