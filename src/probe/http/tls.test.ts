import { beforeAll, describe, expect, it } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "../../testing/servers/certificates";
import { hang, serveRaw } from "../../testing/servers/raw";
import { probe, targetOf } from "../../testing/servers/target-of";
import { serveTarget } from "../../testing/servers/targets";
import type { Outcome } from "../outcome";
import type { Target } from "./probe";

type Pair = ReturnType<typeof makeCertificate>;
let good: Pair;
let wrongName: Pair;
let expired: Pair;

beforeAll(() => {
  good = makeCertificate({ name: "localhost", days: 30 });
  wrongName = makeCertificate({ name: "elsewhere.example", days: 30 });
  expired = makeCertificate({ name: "localhost", days: -1 });
});

/** Probes in a new process that trusts the certificate, because that must be set before a process starts. */
const probeTrusting = async (cert: string, target: Target): Promise<Outcome> => {
  const directory = mkdtempSync(join(tmpdir(), "wakeful-trust-"));
  const file = join(directory, "trusted.pem");
  writeFileSync(file, cert);
  const code = `import { probe } from ${JSON.stringify(join(import.meta.dir, "../../testing/servers/target-of.ts"))};
    console.log(JSON.stringify(await probe(JSON.parse(process.argv.at(-1)))));`;
  const child = Bun.spawn([process.execPath, "-e", code, JSON.stringify(target)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    stdout: "pipe",
  });
  const printed = await new Response(child.stdout).text();
  rmSync(directory, { recursive: true });
  return JSON.parse(printed) as Outcome;
};

const httpsTarget = (pair: Pair, fields: Partial<Target> = {}) => {
  const { port, requests } = serveTarget(() => new Response("fine"), pair);
  return { port, requests, target: targetOf({ url: `https://localhost:${port}/`, ...fields }) };
};

describe("a trusted certificate", () => {
  it("has its expiry date read from the connection of the check", async () => {
    const { target } = httpsTarget(good);
    const outcome = await probeTrusting(good.cert, target);
    expect(outcome).toMatchObject({ up: true, statusCode: 200, error: null });
    const days = ((outcome.certExpiresAt ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThan(30.1);
  });

  it("has its expiry date read also with an unexpected status", async () => {
    const { target } = httpsTarget(good, { expectedStatus: 404 });
    const outcome = await probeTrusting(good.cert, target);
    expect(outcome).toMatchObject({
      up: false,
      error: { code: "status", detail: { actual: 200, expected: "404" } },
      certExpiresAt: expect.any(Number),
    });
  });

  it("is read with the error code of a certificate of another name", async () => {
    const { target, requests } = httpsTarget(wrongName);
    const { up, error } = await probeTrusting(wrongName.cert, target);
    expect({ up, error }).toEqual({ up: false, error: { code: "tls_wrong_name", detail: null } });
    expect(requests).toHaveLength(0);
  });

  it("is refused after it has expired", async () => {
    const { target, requests } = httpsTarget(expired);
    const { error } = await probeTrusting(expired.cert, target);
    expect(error?.code).toBe("tls_expired");
    expect(requests).toHaveLength(0);
  });
});

describe("a monitor that accepts self-signed certificates", () => {
  it("accepts any issuer and any name, and has the expiry date and the fingerprint", async () => {
    for (const pair of [good, wrongName]) {
      const { target } = httpsTarget(pair, { acceptSelfSigned: true });
      const fingerprint = new X509Certificate(pair.cert).fingerprint256.replaceAll(":", "").toLowerCase();
      const outcome = await probe(target);
      expect(outcome).toMatchObject({ up: true, certExpiresAt: expect.any(Number), certFingerprint: fingerprint });
      expect(outcome.phases?.tls).toBeGreaterThan(0);
    }
  });

  it("refuses an expired certificate", async () => {
    const { target } = httpsTarget(expired, { acceptSelfSigned: true });
    expect((await probe(target)).error?.code).toBe("tls_expired");
  });
});

describe("a TLS connection", () => {
  it("fails with a self-signed certificate", async () => {
    const { target, requests } = httpsTarget(good);
    expect((await probe(target)).error?.code).toBe("tls_self_signed");
    expect(requests).toHaveLength(0);
  });

  it("fails with a server of plain HTTP", async () => {
    const { port } = serveTarget();
    expect((await probe(targetOf({ url: `https://127.0.0.1:${port}/` }))).error?.code).toMatch(/^(tls_|reset$)/);
  });

  it("fails after the timeout", async () => {
    const { port } = await serveRaw(hang);
    const { error } = await probe(targetOf({ url: `https://127.0.0.1:${port}/`, timeout: 1 }));
    expect(error).toEqual({ code: "timeout", detail: { seconds: 1, phase: "tls" } });
  });

  it("is required by a TLS port, which refuses plain HTTP", async () => {
    const { port } = httpsTarget(good);
    expect((await probe(targetOf({ url: `http://127.0.0.1:${port}/` }))).error?.code).toMatch(
      /^(reset|invalid_response|status)$/,
    );
  });

  it("the expiry date is read from the first hop of a redirect if only that one uses TLS", async () => {
    const plain = serveTarget();
    const { port } = serveTarget(() => Response.redirect(plain.url), good);
    const outcome = await probeTrusting(good.cert, targetOf({ url: `https://localhost:${port}/` }));
    expect(outcome).toMatchObject({ up: true, certExpiresAt: expect.any(Number) });
  });
});
