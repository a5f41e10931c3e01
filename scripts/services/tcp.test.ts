/** The TCP kind with each preset against the real service: up, refused, paused, wrong, full, starting, and over TLS. */
import { expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { until } from "../smoke/lib/until";
import { type Certificate, createAuthority } from "./lib/authority";
import * as daemons from "./lib/daemons";
import { startProbing } from "./lib/probing";
import { type Plan, run, type Service, startService } from "./lib/service";

const authority = createAuthority();
const { probe, codeOf } = await startProbing({ NODE_EXTRA_CA_CERTS: authority.cert });

const HOST = "127.0.0.1";
const at = ({ port }: Pick<Service, "port">, preset: string, more: object = {}) => ({
  host: HOST,
  port,
  preset,
  ...more,
});

/** Starts a daemon for one step of a test. */
const using = async <T>(plan: Plan, act: (service: Service) => Promise<T>): Promise<T> => {
  const service = await startService(plan);
  try {
    return await act(service);
  } finally {
    await service.stop();
  }
};

/** Opens a connection, and returns it when the service has answered as it does below its limit of connections. */
const enter = async ({ port }: Service, { says, hears }: Entry): Promise<Socket | null> => {
  const socket = connect({ host: HOST, port });
  socket.on("error", () => {});
  if (says) socket.write(says);
  const answer = await new Promise<string>((resolve) =>
    socket.once("data", (data) => resolve(data.toString("latin1"))).once("close", () => resolve("")),
  );
  if (hears.test(answer)) return socket;
  socket.destroy();
  return null;
};

/** First bytes of a connection, and the expected input. */
type Entry = { says?: Uint8Array | string; hears: RegExp };

/**
 * Takes all connections up to a limit of the service. The connection that showed that it is ready may still count for a
 * moment.
 */
const occupy = async (service: Service, count: number, entry: Entry) => {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n++) sockets.push(await until("a connection is free", () => enter(service, entry)));
  return () => {
    for (const socket of sockets) socket.destroy();
  };
};

/** A session of PostgreSQL: the length, the version and a user. */
const SESSION = Buffer.from("\0\0\0\x17\0\x03\0\0user\0postgres\0\0", "latin1");

const SERVICES: [preset: string, plan: Plan][] = [
  ["redis", daemons.redis()],
  ["mqtt", daemons.mosquitto()],
  ["mysql", daemons.mariadb()],
  ["postgres", daemons.postgres()],
  ["ssh", daemons.sshd()],
  ["ftp", daemons.vsftpd()],
  ["imap", daemons.dovecot("imap")],
  ["pop3", daemons.dovecot("pop3")],
  ["smtp", daemons.postfix()],
];

it.each(SERVICES)(
  "%s: up, without an answer while paused, up again, and refused when it has stopped",
  async (preset, plan) => {
    const service = await startService(plan);
    const config = at(service, preset);
    expect(await codeOf("tcp", config)).toBe("up");
    service.pause();
    expect(await codeOf("tcp", config, 1)).toBe("timeout");
    service.resume();
    expect(await codeOf("tcp", config, 5)).toBe("up");
    await service.stop();
    // A process of the daemon may hold the port a moment longer.
    await until("the port is closed", async () => (await codeOf("tcp", config)) === "refused");
  },
);

it("each preset tells the answer of another service from its own", async () => {
  const [ssh, redis] = [await startService(daemons.sshd()), await startService(daemons.redis())];
  for (const [preset] of SERVICES.filter(([preset]) => preset !== "ssh"))
    expect([preset, await codeOf("tcp", at(ssh, preset))]).toEqual([preset, "protocol_mismatch"]);
  // Redis waits for a command.
  expect(await codeOf("tcp", at(redis, "ssh"), 1)).toBe("timeout");
  const ftp = await startService(daemons.vsftpd());
  expect(await codeOf("tcp", at(ftp, "ssh"))).toBe("protocol_mismatch");
  await Promise.all([ssh.stop(), redis.stop(), ftp.stop()]);
});

it("a service that asks for a password is up", async () => {
  await using(daemons.redis("--requirepass", "secret"), async (service) => {
    expect(await codeOf("tcp", at(service, "redis"))).toBe("up");
    const login = { send: "AUTH secret\\r\\nPING\\r\\n", expect: "+OK\\r\\n+PONG" };
    expect(await codeOf("tcp", at(service, "redis", login))).toBe("up");
    expect(await codeOf("tcp", at(service, "redis", { ...login, send: "AUTH wrong\\r\\n" }))).toBe("reply_mismatch");
  });
  await using(daemons.mosquitto({ password: "secret" }), async (service) => {
    expect(await codeOf("tcp", at(service, "mqtt"))).toBe("up");
  });
  await using(daemons.postgres({ auth: "scram-sha-256" }), async (service) => {
    expect(await codeOf("tcp", at(service, "postgres"))).toBe("up");
  });
});

it("a service that has reached its limit of connections is down with the code of that", async () => {
  const full = (preset: string, plan: Plan, connections: number, entry: Entry) =>
    using(plan, async (service) => {
      const free = await occupy(service, connections, entry);
      const { error_code, error_detail } = await probe("tcp", at(service, preset));
      free();
      return [preset, error_code, error_detail?.code];
    });
  const oneSession = ["max_connections=1", "superuser_reserved_connections=0", "max_wal_senders=0"];
  // MariaDB keeps a connection for an administrator.
  const ten = ["--max-connections=10", "--connect-timeout=20"];
  expect([
    await full("redis", daemons.redis("--maxclients", "1"), 1, { says: "PING\r\n", hears: /^\+/ }),
    await full("mysql", daemons.mariadb(...ten), 11, { hears: /MariaDB/ }),
    await full("postgres", daemons.postgres({ settings: oneSession }), 1, { says: SESSION, hears: /^R/ }),
    await full("ssh", daemons.sshd("MaxStartups=1"), 1, { hears: /^SSH/ }),
    await full("ftp", daemons.vsftpd({ clients: 1 }), 1, { hears: /^220/ }),
  ]).toEqual([
    ["redis", "protocol_error", "max number of clients"],
    ["mysql", "protocol_error", 1040],
    ["postgres", "protocol_error", "53300"],
    ["ssh", "protocol_error", "MaxStartups"],
    ["ftp", "protocol_error", "421"],
  ]);
});

it("MariaDB that is full is down to a check that signs in as a user, who needs no rights", async () => {
  await using(daemons.mariadbOfAlice("--max-connections=10"), async (service) => {
    const own = at(service, "mysql", { user: "alice", password: "secret" });
    const wrong = at(service, "mysql", { user: "alice", password: "wrong" });
    expect((await probe("tcp", own, 5)).error).toBeNull();
    expect((await probe("tcp", wrong)).error).toBe("protocol: the MySQL server refuses the login (1045)");
    const clients = Array.from({ length: 10 }, () =>
      Bun.spawn(
        [
          ...["mariadb", "--no-defaults", "--protocol=tcp", "-h", HOST, "-P", `${service.port}`, "--skip-ssl"],
          ...["-u", "alice", "-psecret", "-e", "select 'in' from dual; select sleep(600)", "--unbuffered"],
        ],
        { stdout: "pipe", stderr: "ignore" },
      ),
    );
    // Each client has written its first answer when it is signed in.
    for (const { stdout } of clients) await stdout.getReader().read();
    expect((await probe("tcp", own)).error).toBe("protocol: the MySQL server has too many connections (1040)");
    // An unknown user is refused before the connections are counted.
    expect(await codeOf("tcp", at(service, "mysql"))).toBe("up");
    for (const client of clients) client.kill("SIGKILL");
    await until("a connection is free", async () => (await codeOf("tcp", own)) === "up" || null);
  });
});

it("a check signs in to PostgreSQL with SCRAM or MD5, and to Redis with or without a user", async () => {
  const refused = (protocol: string, code: string) => `protocol: the ${protocol} server refuses the login (${code})`;
  for (const auth of ["scram-sha-256", "md5"] as const)
    await using(daemons.postgres({ auth }), async (service) => {
      const login = { user: "postgres", password: "sécret" };
      expect([auth, await codeOf("tcp", at(service, "postgres", login))]).toEqual([auth, "up"]);
      const wrong = await probe("tcp", at(service, "postgres", { ...login, password: "wrong" }));
      expect([auth, wrong.error]).toEqual([auth, refused("PostgreSQL", "28P01")]);
    });
  await using(daemons.redis("--requirepass", "two words"), async (service) => {
    expect(await codeOf("tcp", at(service, "redis", { password: "two words" }))).toBe("up");
    expect(await codeOf("tcp", at(service, "redis", { user: "default", password: "two words" }))).toBe("up");
    const wrong = await probe("tcp", at(service, "redis", { password: "wrong" }));
    expect(wrong.error).toBe(refused("Redis", "WRONGPASS"));
  });
});

it("a service that is starting is down with the code of that", async () => {
  await using(daemons.postgres({ isStarting: true }), async (service) => {
    const { error_detail } = await probe("tcp", at(service, "postgres"));
    expect(error_detail).toEqual({ protocol: "PostgreSQL", code: "57P03" });
  });
  // A file of keys that are loaded one by one, with a pause after each.
  const slow = ["--key-load-delay", "2000", "--loading-process-events-interval-bytes", "1024"];
  await using(daemons.redis("--enable-debug-command", "yes"), async (full) => {
    run(["redis-cli", "-p", `${full.port}`, "debug", "populate", "20000"]);
    run(["redis-cli", "-p", `${full.port}`, "save"]);
    const plan = daemons.redis(...slow);
    const dump = readFileSync(join(full.folder, "dump.rdb"));
    await using({ ...plan, files: () => ({ "dump.rdb": dump }) }, async (service) => {
      const { error_detail } = await probe("tcp", at(service, "redis"), 5);
      expect(error_detail).toEqual({ protocol: "Redis", code: "LOADING" });
    });
  });
});

it("over TLS, from the start or after STARTTLS, the service answers and its certificate is read", async () => {
  const certificate = authority.issue({ days: 20 });
  const direct: [string, Plan][] = [
    ["redis", daemons.secureRedis(certificate)],
    ["mqtt", daemons.mosquitto({ certificate })],
    ["imap", daemons.dovecot("imap", { certificate, isDirect: true })],
    ["pop3", daemons.dovecot("pop3", { certificate, isDirect: true })],
    ["smtp", daemons.postfix({ certificate, isDirect: true })],
  ];
  const starttls: [string, Plan][] = [
    ["postgres", daemons.postgres({ certificate })],
    ["ftp", daemons.vsftpd({ certificate })],
    ["imap", daemons.dovecot("imap", { certificate })],
    ["pop3", daemons.dovecot("pop3", { certificate })],
    ["smtp", daemons.postfix({ certificate })],
  ];
  const check = async (tls: string, services: [string, Plan][]) => {
    for (const [preset, plan] of services)
      await using(plan, async (service) => {
        const { up, error_code, cert_expires_at } = await probe("tcp", at(service, preset, { tls }), 5);
        expect([tls, preset, up, error_code]).toEqual([tls, preset, true, null]);
        expect(Date.parse(cert_expires_at ?? "")).toBeGreaterThan(Date.now());
      });
  };
  await Promise.all([check("direct", direct), check("starttls", starttls)]);
});

it("a broken certificate, and a service without TLS, have their own errors", async () => {
  const other = createAuthority();
  const broken: [string, Certificate][] = [
    ["tls_expired", authority.issue({ days: -1 })],
    ["tls_wrong_name", authority.issue({ name: "mail.example" })],
    ["tls_unknown_issuer", other.issue()],
  ];
  for (const [code, certificate] of broken) {
    await using(daemons.secureRedis(certificate), async (service) => {
      expect(await codeOf("tcp", at(service, "redis", { tls: "direct" }))).toBe(code);
    });
    await using(daemons.dovecot("imap", { certificate }), async (service) => {
      expect(await codeOf("tcp", at(service, "imap", { tls: "starttls" }), 3)).toBe(code);
    });
  }
  await using(daemons.dovecot("imap"), async (service) => {
    expect(await codeOf("tcp", at(service, "imap", { tls: "starttls" }))).toBe("tls_no_starttls");
    expect(await codeOf("tcp", at(service, "imap", { tls: "direct" }))).toBe("tls_failed");
  });
});

it("MariaDB does not block an address that checks it often", async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const host = addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  // It keeps no count for loopback.
  if (!host) return;
  await using(daemons.strictMariadb(), async ({ port }) => {
    const connection = { host, port };
    for (let round = 0; round < 3; round++) expect(await codeOf("tcp", { host, port, preset: "mysql" }, 5)).toBe("up");
    // It blocks clients that leave after the greeting.
    for (let round = 0; round < 3; round++) await codeOf("tcp", connection, 5);
    const { error_detail } = await probe("tcp", { host, port, preset: "mysql" }, 5);
    expect(error_detail?.code).toBe(1129);
  });
});
