import { afterEach, expect, it, spyOn } from "bun:test";
import { Socket as UdpSocket } from "node:dgram";
import { isIP, Socket } from "node:net";
import { createLog } from "../../core/log";
import { systemClock } from "../../lib/time";
import { KINDS, kindOf } from "../../modules/monitors/kinds/registry";
import { isPublicAddress } from "../../probe/addresses";
import { createOutbound } from "../../probe/outbound";
import { createRdap } from "../../probe/rdap/rdap";
import { RegistryUnavailable } from "../../probe/rdap/request";
import { DAY } from "../../shared/limits";
import type { Config } from "../../shared/monitor-kinds/field";
import { createRandom, type Random, seedOr } from "../random";
import { serveTarget } from "../servers/targets";

const SEED = seedOr(20_261_122);

const PUBLIC = ["1.1.1.1", "8.8.8.8", "9.9.9.9", "2606:4700::1111", "2a00:1450::8"];
const PRIVATE = ["127.0.0.1", "10.0.0.7", "169.254.169.254", "192.168.1.1", "::1", "fd00::7", "::ffff:10.0.0.1"];

/** The fields of each kind that connects to something, for a host that is a name or an address. */
const TARGETS: Record<string, (host: string, random: Random) => Config> = {
  http: (host, random) => ({
    url: `${random.pick(["http", "https"])}://${isIP(host) === 6 ? `[${host}]` : host}/`,
    ip_family: random.pick(["any", "4", "6"]),
    accept_self_signed: random.oneIn(2),
  }),
  tcp: (host, random) => ({ host, port: 5432, tls: random.pick(["no", "direct"]) }),
  tls: (host) => ({ host, port: 443 }),
  dns: (_, random) => ({ name: "shop.example", type: "A", server: random.pick([...PUBLIC, ...PRIVATE]) }),
  ping: (host) => ({ host }),
  websocket: (host, random) => ({ url: `${random.pick(["ws", "wss"])}://${isIP(host) === 6 ? `[${host}]` : host}/` }),
  grpc: (host, random) => ({ url: `${random.pick(["http", "https"])}://${isIP(host) === 6 ? `[${host}]` : host}/` }),
  domain: (_, random) => ({ domain: `n${random.below(1e6)}.example` }),
};

const restored: (() => void)[] = [];
afterEach(() => {
  for (const restore of restored.splice(0)) restore();
});

/** Records the addresses of every connection, and leads TCP connections to a server on loopback instead. */
const recordConnections = (port: number) => {
  const reached: string[] = [];
  const connect = Socket.prototype.connect as (...given: unknown[]) => Socket;
  const tcp = spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...given: unknown[]) {
    const [options, ...rest] = given as [Record<string, unknown> | [Record<string, unknown>], ...unknown[]];
    const inner = Array.isArray(options) ? options[0] : options;
    if (typeof inner?.host !== "string") return connect.apply(this, given);
    reached.push(inner.host);
    Object.assign(inner, { host: "127.0.0.1", port });
    return connect.apply(this, [options, ...rest]);
  } as never);
  const udp = spyOn(UdpSocket.prototype, "connect").mockImplementation(function (
    this: UdpSocket,
    _: number,
    address: string,
    done: (error?: Error) => void,
  ) {
    reached.push(address);
    done(new Error("not connected"));
  } as never);
  restored.push(
    () => tcp.mockRestore(),
    () => udp.mockRestore(),
  );
  return reached;
};

it(`no kind connects to an address that was not judged, whatever its name resolves to from one lookup to the next (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  // Redirects to another name, which is looked up again.
  const { port = 0 } = serveTarget(
    () => new Response(null, { status: 302, headers: { location: `http://n${random.below(1e6)}.example/` } }),
  );
  const reached = recordConnections(port);
  const pinger = {
    isAvailable: async () => true,
    echo: async ({ address }: { address: string }) => {
      reached.push(address);
      return { received: 1, average: 1 };
    },
  };
  const lookup = async () =>
    Array.from({ length: 1 + random.below(4) }, () => ({
      address: random.pick(random.oneIn(2) ? PUBLIC : [...PUBLIC, ...PRIVATE]),
      ttl: 0,
    }));
  // Each check asks for the list of registries again, and follows its redirects.
  let time = 0;
  const now = () => (time += DAY);
  const rdap = createRdap({ clock: { now } }, { bootstrap: "http://registries.example/dns.json", spacing: 0 });
  const outbound = createOutbound(
    { clock: systemClock, log: createLog("silent", false, () => {}) },
    { lookup, lookupByLibc: lookup, isAnswering: async () => true, shortage: () => null },
    { pinger: pinger as never, rdap },
  );
  const context = {
    outbound,
    caller: { key: "a user", lookups: 10, allowPrivate: false },
    privateBlockedForAll: false,
    timeout: 1,
  };
  const checked = KINDS.filter(({ passive }) => !passive).map(({ kind }) => kind);
  for (const name of checked) {
    const kind = kindOf(name);
    const fields = TARGETS[name];
    if (!kind || !fields) throw new Error(`${name} has no fields in this test`);
    reached.length = 0;
    for (let round = 0; round < 60; round++) {
      const host = random.oneIn(4) ? random.pick([...PUBLIC, ...PRIVATE]) : `n${random.below(1e6)}.example`;
      const config = { ...kind.defaults, ...kind.read(fields(host, random)) };
      // Without the list there is no result.
      await kind.probe(config, context).catch((error) => expect(error).toBeInstanceOf(RegistryUnavailable));
    }
    // Name servers in examples of the API, which other tests of this process may still be asking.
    const own = reached.filter((address) => !address.startsWith("192.0.2."));
    const wrong = own.filter((address) => isIP(address) === 0 || !isPublicAddress(address));
    expect([name, wrong, reached.length > 10]).toEqual([name, [], true]);
  }
});
