/** The kind of certificates against real services: up, refused, paused, without TLS, and with each wrong certificate. */
import { afterAll, expect, it } from "bun:test";
import { X509Certificate } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY } from "../../src/shared/limits";
import { makeAuthority, makeCertificate } from "../../src/testing/servers/certificates";
import { freePort } from "../smoke/lib/free-port";
import type { Certificate } from "./lib/authority";
import * as daemons from "./lib/daemons";
import { startProbing } from "./lib/probing";
import { type Plan, type Service, startService } from "./lib/service";

const folder = mkdtempSync(join(tmpdir(), "wakeful-certificates-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));
const authority = makeAuthority({ intermediateDays: 5 });
const trusted = join(folder, "root.pem");
const outdated = makeAuthority({ intermediateDays: -1 });
writeFileSync(trusted, authority.root + outdated.root);
const { probe, codeOf } = await startProbing({ NODE_EXTRA_CA_CERTS: trusted });

type Pair = { cert: string; key: string };
let count = 0;
/** The files of a certificate. Every user may read them. */
const filesOf = ({ cert, key }: Pair): Certificate => {
  const name = join(folder, `${count++}`);
  writeFileSync(`${name}.pem`, cert, { mode: 0o644 });
  writeFileSync(`${name}.key`, key, { mode: 0o644 });
  return { cert: `${name}.pem`, key: `${name}.key` };
};

const good = authority.issue({ name: "localhost", days: 90 });
const other = authority.issue({ name: "other.test", days: 90 });

/** The server of OpenSSL; with a second certificate, clients that ask for its name get that one. */
const openssl = (pair: Pair, second?: { name: string; pair: Pair }): Plan => {
  const first = filesOf(pair);
  const more = second && filesOf(second.pair);
  return {
    program: "openssl",
    args: ({ port }) => [
      ...["s_server", "-accept", `127.0.0.1:${port}`, "-quiet", "-www"],
      ...["-cert", first.cert, "-cert_chain", first.cert, "-key", first.key],
      ...(second && more ? ["-servername", second.name, "-cert2", more.cert, "-key2", more.key] : []),
    ],
  };
};

const using = async <T>(plan: Plan, act: (service: Service) => Promise<T>): Promise<T> => {
  const service = await startService(plan);
  try {
    return await act(service);
  } finally {
    await service.stop();
  }
};

const at = ({ port }: Pick<Service, "port">, more: object = {}) => ({ host: "localhost", port, ...more });

it("a port with TLS has the expiry of the intermediate that ends first; paused it is silent, stopped it refuses", async () => {
  const service = await startService(openssl(good));
  const { up, cert_expires_at } = await probe("tls", at(service));
  expect(up).toBe(true);
  expect(Math.round((Date.parse(cert_expires_at ?? "") - Date.now()) / DAY)).toBe(5);
  service.pause();
  expect(await codeOf("tls", at(service), 1)).toBe("timeout");
  service.resume();
  expect(await codeOf("tls", at(service))).toBe("up");
  await service.stop();
  expect(await codeOf("tls", at({ port: freePort() }))).toBe("refused");
});

it("each wrong certificate has its own error, and that of a self-signed one is accepted by its fingerprint", async () => {
  const self = makeCertificate({ name: "nas.test", days: 9 });
  const wrong: [string, Pair][] = [
    ["tls_wrong_name", other],
    ["tls_expired", authority.issue({ name: "localhost", days: -1 })],
    ["tls_expired", outdated.issue({ name: "localhost", days: 90 })],
    ["tls_unknown_issuer", makeAuthority({ intermediateDays: 5 }).issue({ name: "localhost", days: 90 })],
    ["tls_unknown_issuer", { key: good.key, cert: good.leaf }],
    ["tls_self_signed", self],
  ];
  for (const [code, pair] of wrong)
    await using(openssl(pair), async (service) => expect(await codeOf("tls", at(service))).toBe(code));
  await using(openssl(self), async (service) => {
    const fingerprint = new X509Certificate(self.cert).fingerprint256;
    expect(await codeOf("tls", at(service, { fingerprint }))).toBe("up");
    expect(await codeOf("tls", at(service, { fingerprint: "0".repeat(64) }))).toBe("tls_wrong_fingerprint");
  });
});

it("the server name chooses the certificate", async () => {
  await using(openssl(good, { name: "other.test", pair: other }), async (service) => {
    expect(await codeOf("tls", at(service))).toBe("up");
    // The server sends the second certificate without its intermediate.
    const fingerprint = new X509Certificate(other.leaf).fingerprint256;
    expect(await codeOf("tls", at(service, { server_name: "other.test", fingerprint }))).toBe("up");
    expect(await codeOf("tls", at(service, { server_name: "third.test" }))).toBe("tls_wrong_name");
  });
});

const MAIL_AND_DATABASES: [string, (certificate?: Certificate) => Plan][] = [
  ["smtp", (certificate) => daemons.postfix({ certificate })],
  ["imap", (certificate) => daemons.dovecot("imap", { certificate })],
  ["pop3", (certificate) => daemons.dovecot("pop3", { certificate })],
  ["ftp", (certificate) => daemons.vsftpd({ certificate })],
  ["postgres", (certificate) => daemons.postgres({ certificate })],
];

it.each(MAIL_AND_DATABASES)("%s: after STARTTLS the certificate is verified", async (starttls, planOf) => {
  await using(planOf(filesOf(good)), async (service) => {
    expect([starttls, await codeOf("tls", at(service, { starttls }), 3)]).toEqual([starttls, "up"]);
    expect(await codeOf("tls", at(service, { starttls, server_name: "other.test" }), 3)).toBe("tls_wrong_name");
  });
});

it("a service without TLS, and one of another protocol, have their own errors", async () => {
  await using(daemons.postgres(), async (service) => {
    expect(await codeOf("tls", at(service, { starttls: "postgres" }))).toBe("tls_no_starttls");
  });
  await using(daemons.dovecot("imap"), async (service) => {
    expect(await codeOf("tls", at(service, { starttls: "imap" }))).toBe("tls_no_starttls");
    expect(await codeOf("tls", at(service))).toBe("tls_failed");
    expect(await codeOf("tls", at(service, { starttls: "smtp" }))).toBe("protocol_mismatch");
  });
});
