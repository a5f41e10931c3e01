/** Plays a scenario in the namespaces that run.ts begins, and returns what was claimed and what was true. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY } from "../../src/shared/limits";
import { makeAuthority } from "../../src/testing/servers/certificates";
import { until } from "../smoke/lib/until";
import { clockOf, inTrueTime } from "./clock";
import { type Beginning, type Certificates, commander } from "./commands";
import type { Span, Truth, World } from "./compare";
import { type Hub, openHub } from "./hub";
import { type Instance, openInstance } from "./instance";
import { ONE_HOST } from "./measures";
import { BESIDE, type Cut, HUBS, type Network, openNetwork } from "./network";
import { startReceiver } from "./receiver";
import { relay } from "./relay";
import { CERTAIN, type Client, type Disturbance, missingPings, REPORT, type Scenario, type Target } from "./scenario";

/** How long the hub may need to find what ended shortly before the end of the run (ms). */
const SETTLE = 3000;
const SAMPLE = {
  cpu: 12.5,
  memory: { total: 16e9, used: 4e9 },
  disk: { total: 100e9, used: 50e9 },
  network: { rx: 8, tx: 2 },
};

const [PORT, DATABASE_PORT] = [18080, 5432];
/** How long the hub may need to notice that its clock was set (s). */
const CLOCK_SET = 10;
/** How long before its first report a machine was started. */
const BOOT = 5000;

type Command = ReturnType<typeof commander>;
type Part = { hub: Hub; instances: Instance[]; network: Network; command: Command };
/** Something to do, in seconds since the beginning. */
type Step = { at: number; run: () => unknown };

/** The certificates of targets with TLS, and the file of the authority that the hub trusts; null without such targets. */
const issueCertificates = (
  folder: string,
  targets: Target[],
): { certificates: Certificates; authority: string } | null => {
  if (!targets.some(({ port }) => port === 443)) return null;
  const { root, issue } = makeAuthority({ intermediateDays: 90 });
  const authority = join(folder, "authority.pem");
  writeFileSync(authority, root);
  const name = "*.truth.test";
  const certificates = {
    valid: issue({ name, days: 90 }),
    expired: issue({ name, days: -1 }),
    wrong_name: issue({ name: "other.test", days: 90 }),
  };
  return { certificates, authority };
};

const startWorld = async (folder: string, network: Network, beginning: Omit<Beginning, "socket">): Promise<Command> => {
  const socket = join(folder, "world");
  const file = join(folder, "world.json");
  writeFileSync(file, JSON.stringify({ ...beginning, socket }));
  const world = Bun.spawn([...network.inWorld, process.execPath, join(import.meta.dir, "world.ts"), file], {
    stdout: "inherit",
    stderr: "inherit",
  });
  const command = commander(socket);
  await until("the world", async () => {
    if (world.exitCode !== null) throw new Error("the world ended");
    return command({ set: "t0.truth.test", state: "up" }).then(
      () => true,
      () => false,
    );
  });
  return command;
};

/** Lets a target fail, or ends that. */
const setFailing = async ({ network, command }: Part, target: Target, failing: boolean): Promise<void> => {
  const { failure, host, address, port } = target;
  if ("answer" in failure) return command({ set: `${address}:${port}`, state: failing ? failure.answer : "up" });
  if ("barrier" in failure) return network[failing ? "block" : "unblock"](address, failure.barrier);
  return command({ set: host, state: failing ? failure.name : "up" });
};

const stepsOfTarget = (part: Part, target: Target): Step[] =>
  target.failures.flatMap(({ from, to }) => [
    { at: from, run: () => setFailing(part, target, true) },
    { at: to, run: () => setFailing(part, target, false) },
  ]);

/** Registers a job or an agent, and begins its pings or reports. */
const startClient = async ({ hub, instances, command }: Part, client: Client): Promise<Step[]> => {
  const at = (path: string) => instances.map((_, index) => `http://${HUBS[index]}:${PORT}${path}`);
  const { name } = client;
  if (client.kind === "job") {
    const send = { urls: at(await hub.addJob(name)) };
    await command({ send });
    return client.pings.map((time) => ({ at: time, run: () => command({ send }) }));
  }
  const key = await hub.enroll(name);
  const machine = { hostname: name, ip_addresses: ["10.0.0.5"], os: "Debian", version: "6.1", interval: REPORT };
  const start = (bootedAt: number) => {
    const sample = { ...SAMPLE, boot_time: new Date(bootedAt).toISOString() };
    const sign = { urls: at("/api/agents/report"), key, body: { ...machine, sample } };
    return command({ repeat: name, every: REPORT * 1000, sign });
  };
  const bootedAt = Date.now() - DAY;
  await start(bootedAt);
  return client.failures.flatMap(({ from, to }) => [
    { at: from, run: () => command({ repeat: name, every: null }) },
    { at: to, run: () => start(client.restarts ? Date.now() - BOOT : bootedAt) },
  ]);
};

type Each = (act: (instance: Instance, index: number) => unknown) => () => Promise<void>;

const cutting = (network: Network, each: Each) => {
  const cut = (how: Cut): [() => unknown, () => unknown] => [
    each((_, index) => network.cut(how, index)),
    each((_, index) => network.mend(how, index)),
  ];
  return { silent: cut("silent"), unreachable: cut("unreachable"), unplugged: cut("unplugged") };
};

/** Puts a captive portal before the world, which answers for every target and every name, or takes it away. */
const setPortal = async (command: Command, targets: Target[], isThere: boolean): Promise<void> => {
  const answers = targets.map(({ address, port }) => {
    const state = port === 443 ? "wrong_name" : "text";
    return command({ set: `${address}:${port}`, state: isThere ? state : "up" });
  });
  // At once, as a portal that is switched on or off.
  await Promise.all([...answers, command({ set: "*", state: isThere ? "lie" : "up" })]);
};

const stepsOfDisturbance = (part: Part, targets: Target[], disturbance: Disturbance): Step[] => {
  const { hub, instances, network, command } = part;
  const { how, from, to } = disturbance;
  const chosen = [...instances.entries()].filter(
    ([index]) => !("instance" in disturbance) || disturbance.instance === index,
  );
  const each = (act: (instance: Instance, index: number) => unknown) => async () => {
    for (const [index, instance] of chosen) await act(instance, index);
  };
  let ends: (() => void)[] = [];
  const steps: Record<Disturbance["how"], [() => unknown, () => unknown]> = {
    ...cutting(network, each),
    portal: [() => setPortal(command, targets, true), () => setPortal(command, targets, false)],
    liar: [() => command({ set: "*", state: "lie" }), () => command({ set: "*", state: "up" })],
    kill: [
      each(({ kill }) => kill()),
      async () => {
        await each(({ restart }) => restart())();
        await hub.signInAgain();
      },
    ],
    freeze: [each(({ freeze }) => freeze()), each(({ thaw }) => thaw())],
    starve: [
      () => {
        ends = chosen.map(([, { starve }]) => starve());
      },
      () => {
        for (const end of ends) end();
      },
    ],
    clock: [
      each(({ setClock }) => setClock("ahead" in disturbance ? disturbance.ahead : 0)),
      each(({ setClock }) => setClock(0)),
    ],
  };
  const [begin, finish] = steps[how];
  return [
    { at: from, run: begin },
    { at: to, run: finish },
  ];
};

/** When the hub could know nothing, in seconds. It includes the seconds after its clock was set. */
const blindIn = ({ disturbances }: Scenario): Span[] =>
  disturbances.flatMap((one) => {
    if ("instance" in one) return [];
    if (one.how === "clock") return [one.from, one.to].map((at) => ({ from: at, to: at + CLOCK_SET }));
    return [{ from: one.from, to: one.to }];
  });

/** The true failures in epoch milliseconds. A job or an agent fails from when its next sign was due. */
const truthOf = ({ targets, clients, seconds }: Scenario, start: number): Truth[] => {
  const span = ({ from, to }: Span): Span => ({ from: start + from * 1000, to: start + to * 1000 });
  return [
    ...targets.map(({ name, class: group, monitor: { interval }, certain, failures }) => ({
      ...{ name, class: group, interval: interval * 1000, certain: certain * 1000, failures: failures.map(span) },
    })),
    ...clients.map((client) => ({
      ...{ name: client.name, class: client.class, interval: null, certain: CERTAIN[client.kind] * 1000 },
      failures: (client.kind === "job" ? missingPings(client.pings, seconds) : client.failures).map(span),
    })),
  ];
};

/** Runs steps at their times, one after the other. */
const runSteps = async (steps: Step[], start: number, note: (text: string) => void): Promise<void> => {
  for (const { at, run } of steps.toSorted((a, b) => a.at - b.at)) {
    await Bun.sleep(Math.max(0, start + at * 1000 - Date.now()));
    await run();
    const late = Date.now() - start - at * 1000;
    if (late > 2000) note(`a step of second ${at} ended ${late} ms late`);
  }
};

type Options = {
  place: { folder: string; executable: string };
  scenario: Scenario;
  /** Further settings of the hub. */
  settings: Record<string, string>;
  /** The database on PostgreSQL, and the socket of the file system that leads to it; null for SQLite. */
  postgres: { url: string; socket: string } | null;
  note: (text: string) => void;
};

/** Starts the instances of the hub, one after the other. */
const startInstances = async (
  { place, scenario, settings, postgres }: Options,
  inSecond: string[],
): Promise<Instance[]> => {
  const hasClock = scenario.disturbances.some(({ how }) => how === "clock");
  if (postgres) await relay({ host: "0.0.0.0", port: DATABASE_PORT }, postgres.socket);
  const places = [
    { enter: [], address: "127.0.0.1", port: PORT },
    { enter: inSecond, address: BESIDE[1], port: PORT },
  ].slice(0, scenario.instances ?? 1);
  const instances: Instance[] = [];
  for (const [index, where] of places.entries()) {
    const url = postgres && new URL(postgres.url);
    if (url) Object.assign(url, { hostname: index === 0 ? "127.0.0.1" : BESIDE[0], port: DATABASE_PORT });
    const own = url ? { ...settings, DATABASE_URL: url.href } : settings;
    instances.push(await openInstance(place, own, { where, hasClock, number: index }));
  }
  return instances;
};

/** Starts everything. */
const openAll = async (options: Options) => {
  const { place, scenario, settings } = options;
  const { targets, instances: count = 1 } = scenario;
  const network = await openNetwork(
    place.folder,
    targets.map(({ address }) => address),
    count === 2,
  );
  const secure = issueCertificates(place.folder, targets);
  const command = await startWorld(place.folder, network, { targets, certificates: secure?.certificates ?? null });
  const trusting = { ...settings, ...(secure && { NODE_EXTRA_CA_CERTS: secure.authority }) };
  const instances = await startInstances({ ...options, settings: trusting }, network.inSecond);
  const receiver = startReceiver(count === 2 ? BESIDE[0] : "127.0.0.1");
  return { network, command, instances, receiver, hub: await openHub(instances, receiver) };
};

export const play = async (options: Options): Promise<{ world: World; log: string[] }> => {
  const { scenario, note } = options;
  const { targets, clients, disturbances, seconds, checks = [] } = scenario;
  const { receiver, ...part } = await openAll(options);
  const { hub, instances } = part;
  const ids = new Map<string, number>();
  for (const target of targets)
    ids.set(
      target.name,
      (await hub.addMonitor({ ...target.monitor, name: target.name }, target.class === ONE_HOST)).id,
    );
  const clientSteps = [];
  for (const client of clients) clientSteps.push(...(await startClient(part, client)));
  await hub.allChecked();
  const start = Date.now();
  note(`${targets.length} targets and ${clients.length} clients are up`);
  const checkAt = (at: number): Step => ({
    at,
    run: async () => {
      const down = new Set((await hub.claims()).filter(({ endedAt }) => endedAt === null).map(({ name }) => name));
      await hub.checkAll([...ids].filter(([name]) => !down.has(name)).map(([, id]) => id));
    },
  });
  const disturbed = disturbances.flatMap((one) =>
    stepsOfDisturbance(part, targets, one).map(({ at, run }) => ({
      at,
      run: async () => {
        note(`${one.how} ${at === one.from ? "begins" : "ends"}`);
        await run();
      },
    })),
  );
  const steps = [
    ...targets.flatMap((target) => stepsOfTarget(part, target)),
    ...clientSteps,
    ...disturbed,
    ...checks.map(checkAt),
  ].filter(({ at }) => at < seconds);
  await runSteps(steps, start, note);
  await Bun.sleep(Math.max(0, start + seconds * 1000 - Date.now()));
  const end = Date.now();
  await Bun.sleep(SETTLE);
  const truth = truthOf(scenario, start);
  const claims = inTrueTime(await hub.claims(), truth, clockOf(scenario, start));
  const uptimes = await hub.uptimes();
  const { messages, grouped } = receiver;
  for (const instance of instances) await instance.stop();
  await receiver.stop();
  const blind = blindIn(scenario).map(({ from, to }) => ({ from: start + from * 1000, to: start + to * 1000 }));
  const log = instances.flatMap(({ logs }) => logs.flat());
  return { world: { truth, claims, messages, grouped, uptimes, blind, end }, log };
};
