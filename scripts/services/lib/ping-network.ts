// Run by ping.test.ts in a network of its own with one other host. Pings it and others, connects to port 80, and prints what was found.
import { createLog } from "../../../src/core/log";
import { systemClock } from "../../../src/lib/time";
import { createSystemDns } from "../../../src/probe/dns/system-dns";
import { createOutbound } from "../../../src/probe/outbound";
import { probePing } from "../../../src/probe/ping/ping";
import { createPinger } from "../../../src/probe/ping/pinger";
import { probeTcp } from "../../../src/probe/tcp/probe";

const [hosts, ports, programs] = process.argv.slice(2).map((text) => JSON.parse(text)) as [
  string[],
  string[],
  Record<string, string>,
];

/** The name six.test has an IPv6 address only. */
const dns = { ...createSystemDns(), lookup: async () => [{ address: "fd00:9::2", ttl: 60 }] };
const context = { clock: systemClock, log: createLog("silent", false, () => {}) };
const caller = { key: "a test", lookups: 10, allowPrivate: true };

const port = { port: 80, timeout: 20, tls: "no", send: new Uint8Array(), expect: new Uint8Array() } as const;

const addresses: Record<string, string> = {};
for (const [program, path] of Object.entries(programs)) {
  const outbound = createOutbound(context, dns, { pinger: createPinger({ find: () => path }) });
  await Promise.all(
    hosts.map(async (host) => {
      const outcome = await probePing({ host, count: 3, timeout: 1, caller }, outbound).catch(
        ({ condition }) => condition,
      );
      addresses[`${program} ${host}`] = outcome.up ? "up" : (outcome.error?.code ?? outcome);
    }),
  );
}
await Promise.all(
  ports.map(async (host) => {
    const { error } = await probeTcp({ ...port, host, caller }, createOutbound(context));
    addresses[`tcp ${host}`] = error?.code ?? "up";
  }),
);
process.stdout.write(JSON.stringify(addresses));
process.exit(0);
