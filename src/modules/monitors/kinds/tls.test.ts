import { describe, expect, it, onTestFinished } from "bun:test";
import { X509Certificate } from "node:crypto";
import { createServer } from "node:tls";
import { eq } from "drizzle-orm";
import { monitorStates } from "../../../db/schema";
import { plainFingerprint } from "../../../shared/certificate";
import { createTestApp } from "../../../testing/app";
import { makeCertificate } from "../../../testing/servers/certificates";
import { KINDS } from "./registry";

const MONITORS = "/api/monitors";
const CONFIG = { host: "mail.example", port: 587, starttls: "smtp" };
const MAIL = { name: "mail", kind: "tls", config: CONFIG, interval: 60, retries: 0, active: false };

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  return { app, alice: app.as(alice), client: app.as(bob) };
};

const serve = async (days: number) => {
  const pair = makeCertificate({ name: "nas.test", days });
  const server = createServer(pair, (socket) => {
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return {
    port: (server.address() as { port: number }).port,
    fingerprint: plainFingerprint(new X509Certificate(pair.cert).fingerprint256),
  };
};

describe("the certificate of a service over TLS", () => {
  it("is watched by the default thresholds", () => {
    const { tcp, websocket, grpc, dns } = Object.fromEntries(KINDS.map((kind) => [kind.kind, kind]));
    for (const config of [{ tls: "direct" }, { tls: "starttls", preset: "smtp" }])
      expect(tcp?.certificateDays?.(config)).toEqual([21, 7, 1]);
    for (const config of [{}, { tls: "no" }]) expect(tcp?.certificateDays?.(config)).toEqual([]);
    expect(websocket?.certificateDays?.({ url: "WSS://live.example" })).toEqual([21, 7, 1]);
    expect(websocket?.certificateDays?.({ url: "ws://live.example" })).toEqual([]);
    expect(grpc?.certificateDays?.({ url: "https://grpc.example" })).toEqual([21, 7, 1]);
    expect(grpc?.certificateDays?.({ url: "http://grpc.example" })).toEqual([]);
    expect(dns?.certificateDays).toBeUndefined();
  });

  it("is forgotten when the monitor does without TLS", async () => {
    const { app, alice } = await setUp();
    const { port, fingerprint } = await serve(30);
    const monitor = { ...MAIL, kind: "tcp", config: { host: "127.0.0.1", port, tls: "direct" } };
    const { id } = (await alice.post(MONITORS, monitor)).body.monitor;
    const seen = async () => {
      const [row] = await app.db.select().from(monitorStates).where(eq(monitorStates.monitorId, id));
      return [row?.certFingerprint, row?.certExpiresAt === null];
    };
    await alice.post(`${MONITORS}/${id}/check`);
    expect(await seen()).toEqual([fingerprint, false]);
    await alice.put(`${MONITORS}/${id}`, { ...monitor, config: { ...monitor.config, tls: "no" } });
    expect(await seen()).toEqual([null, true]);
  });
});

describe("a certificate monitor", () => {
  it("is created with its fields completed, and its thresholds sorted", async () => {
    const { client } = await setUp();
    const { status, body } = await client.post(MONITORS, MAIL);
    expect(status).toBe(201);
    expect(body.monitor).toMatchObject({ kind: "tls", target: "mail.example:587", cert_expires_at: null });
    expect(body.monitor.config).toEqual({ ...CONFIG, server_name: null, fingerprint: null, days: [21, 7, 1] });
    const given = { server_name: " mx.example ", fingerprint: "AB:".repeat(31).concat("CD"), days: [3, 30, 3] };
    const other = await client.post(MONITORS, { ...MAIL, config: { ...CONFIG, starttls: null, ...given } });
    expect(other.body.monitor.config).toMatchObject({
      server_name: "mx.example",
      fingerprint: "ab".repeat(31).concat("cd"),
      days: [30, 3],
    });
    expect(other.body.monitor.target).toBe("mail.example:587 (mx.example)");
  });

  it("is refused with unknown protocols, names, fingerprints and thresholds", async () => {
    const { client } = await setUp();
    const bad: [string, unknown][] = [
      ["starttls", "gopher"],
      ["starttls", 7],
      ["server_name", "a b"],
      ["server_name", "http://a"],
      ["server_name", 7],
      ["fingerprint", "abc"],
      ["fingerprint", "z".repeat(64)],
      ["fingerprint", "a".repeat(300)],
      ["days", "21"],
      ["days", Array.from({ length: 11 }, (_, index) => index + 1)],
    ];
    for (const [field, value] of bad) {
      const { status, body } = await client.post(MONITORS, { ...MAIL, config: { ...CONFIG, [field]: value } });
      expect([field, value, status, body.errors?.map(({ path }) => path)]).toEqual([
        field,
        value,
        422,
        [`config.${field}`],
      ]);
    }
    for (const days of [[0], [366], [1.5], ["x"], [null]] as unknown[])
      expect((await client.post(MONITORS, { ...MAIL, config: { ...CONFIG, days } })).status).toBe(422);
  });

  it("stores the date and the fingerprint of the certificate, also when the check fails, until its target changes", async () => {
    const { app, alice } = await setUp();
    const { port, fingerprint } = await serve(30);
    const config = { host: "127.0.0.1", port };
    const { id } = (await alice.post(MONITORS, { ...MAIL, config })).body.monitor;
    const state = async () => {
      const [row] = await app.db.select().from(monitorStates).where(eq(monitorStates.monitorId, id));
      return { days: Math.round(((row?.certExpiresAt ?? 0) - Date.now()) / 86_400_000), print: row?.certFingerprint };
    };
    expect((await alice.post(`${MONITORS}/${id}/check`)).body.check).toMatchObject({
      status: "down",
      error_code: "tls_self_signed",
    });
    expect(await state()).toEqual({ days: 30, print: fingerprint });
    await alice.put(`${MONITORS}/${id}`, { ...MAIL, config: { ...config, fingerprint } });
    await app.clock.advance(10_000);
    expect((await alice.post(`${MONITORS}/${id}/check`)).body.check).toMatchObject({ status: "up", error: null });
    await alice.put(`${MONITORS}/${id}`, { ...MAIL, config: { ...config, port: port + 1 } });
    expect((await state()).print).toBeNull();
  });

  it("is down with the reason when the certificate is another one, or has expired", async () => {
    const { alice } = await setUp();
    const [good, old] = [await serve(30), await serve(-1)];
    const probe = async (port: number, fingerprint: string) => {
      const config = { host: "127.0.0.1", port, fingerprint };
      return (await alice.post(`${MONITORS}/probe`, { kind: "tls", config })).body.result;
    };
    expect(await probe(good.port, good.fingerprint)).toMatchObject({ up: true, cert_expires_at: expect.any(String) });
    expect((await probe(good.port, old.fingerprint)).error_code).toBe("tls_wrong_fingerprint");
    expect((await probe(old.port, old.fingerprint)).error_code).toBe("tls_expired");
  });
});
