/** Plays a scenario in the namespaces that run.ts begins, and returns what was claimed and what was true. */
import { join } from "node:path";
import { until } from "../smoke/lib/until";
import { commander } from "./commands";
import type { Span, Truth, World } from "./compare";
import { type Hub, openHub } from "./hub";
import { HUB, type Network, openNetwork } from "./network";
import { CERTAIN, type Client, type Disturbance, GRACE, type Scenario, type Target } from "./scenario";

/** How long the hub may need to find what ended shortly before the end of the run (ms). */
const SETTLE = 3000;
const SAMPLE = {
  cpu: 12.5,
  memory: { total: 16e9, used: 4e9 },
  disk: { total: 100e9, used: 50e9 },
  network: { rx: 8, tx: 2 },
};
const EVERY = { job: 60_000, agent: 10_000 };

type Command = ReturnType<typeof commander>;
type Part = { hub: Hub; network: Network; command: Command };
/** Something to do, in seconds since the beginning. */
type Step = { at: number; run: () => unknown };

const startWorld = async (folder: string, network: Network, targets: Target[]): Promise<Command> => {
  const socket = join(folder, "world");
  const listeners = JSON.stringify(targets.map(({ address, port }) => ({ address, port })));
  const world = Bun.spawn(
    [...network.inWorld, process.execPath, join(import.meta.dir, "world.ts"), socket, listeners],
    {
      stdout: "inherit",
      stderr: "inherit",
    },
  );
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
  const { failure, address, port } = target;
  if ("answer" in failure) return command({ set: `${address}:${port}`, state: failing ? failure.answer : "up" });
  if ("barrier" in failure) return network[failing ? "block" : "unblock"](address, failure.barrier);
  const name = new URL((target.monitor as { url: string }).url).hostname;
  return command({ set: name, state: failing ? failure.name : "up" });
};

const stepsOfTarget = (part: Part, target: Target): Step[] =>
  target.failures.flatMap(({ from, to }) => [
    { at: from, run: () => setFailing(part, target, true) },
    { at: to, run: () => setFailing(part, target, false) },
  ]);

/** Registers a job or an agent, and begins its pings or reports. */
const startClient = async ({ hub, command }: Part, { name, kind, failures }: Client): Promise<Step[]> => {
  const origin = `http://${HUB}:${hub.port}`;
  const every = EVERY[kind];
  const call =
    kind === "job"
      ? {
          url:
            origin + (await hub.addMonitor({ name, kind: "heartbeat", config: { every: 60, grace: GRACE } })).pingPath,
        }
      : {
          url: `${origin}/api/agents/report`,
          key: await hub.enroll(name),
          body: {
            hostname: name,
            ip_addresses: ["10.0.0.5"],
            os: "Debian",
            version: "6.1",
            interval: 10,
            sample: SAMPLE,
          },
        };
  const start = () => command({ repeat: name, every, ...call });
  await start();
  return failures.flatMap(({ from, to }) => [
    { at: from, run: () => command({ repeat: name, every: null, ...call }) },
    { at: to, run: start },
  ]);
};

/** Puts a captive portal before the world, which answers for every target and every name, or takes it away. */
const setPortal = async (command: Command, targets: Target[], isThere: boolean): Promise<void> => {
  for (const { address, port } of targets) await command({ set: `${address}:${port}`, state: isThere ? "text" : "up" });
  await command({ set: "*", state: isThere ? "lie" : "up" });
};

const stepsOfDisturbance = (part: Part, targets: Target[], { how, from, to }: Disturbance): Step[] => {
  const { hub, network, command } = part;
  let end = () => {};
  const steps: Record<Disturbance["how"], [() => unknown, () => unknown]> = {
    silent: [() => network.cut("silent"), network.mend],
    unreachable: [() => network.cut("unreachable"), network.mend],
    portal: [() => setPortal(command, targets, true), () => setPortal(command, targets, false)],
    kill: [hub.kill, hub.restart],
    freeze: [hub.freeze, hub.thaw],
    starve: [
      () => {
        end = hub.starve();
      },
      () => end(),
    ],
  };
  const [begin, finish] = steps[how];
  return [
    { at: from, run: begin },
    { at: to, run: finish },
  ];
};

/** The true failures in epoch milliseconds. A job or an agent fails from when its next sign was due. */
const truthOf = ({ targets, clients }: Scenario, start: number): Truth[] => {
  const span = ({ from, to }: Span): Span => ({ from: start + from * 1000, to: start + to * 1000 });
  return [
    ...targets.map(({ name, class: group, failures }) => ({
      ...{ name, class: group, failures: failures.map(span) },
      certain: CERTAIN.monitor * 1000,
    })),
    ...clients.map(({ name, class: group, kind, failures }) => ({
      ...{ name, class: group, failures: failures.map(span) },
      certain: CERTAIN[kind] * 1000,
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
  note: (text: string) => void;
  /** When monitors that are not down are checked outside their schedule, in seconds. */
  checks?: number[];
};

export const play = async ({ place, scenario, settings, note, checks = [] }: Options): Promise<World> => {
  const { targets, clients, disturbances, seconds } = scenario;
  const network = await openNetwork(place.folder, new Set(targets.map(({ address }) => address)).size);
  const command = await startWorld(place.folder, network, targets);
  const hub = await openHub(place, settings);
  const part: Part = { hub, network, command };
  const ids = new Map<string, number>();
  for (const target of targets) ids.set(target.name, (await hub.addMonitor(target.monitor)).id);
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
  const disturbed = disturbances.map((one) => ({
    ...one,
    steps: stepsOfDisturbance(part, targets, one).map(({ at, run }) => ({
      at,
      run: async () => {
        note(`${one.how} ${at === one.from ? "begins" : "ends"}`);
        await run();
      },
    })),
  }));
  const steps = [
    ...targets.flatMap((target) => stepsOfTarget(part, target)),
    ...clientSteps,
    ...disturbed.flatMap((one) => one.steps),
    ...checks.map(checkAt),
  ].filter(({ at }) => at < seconds);
  await runSteps(steps, start, note);
  await Bun.sleep(Math.max(0, start + seconds * 1000 - Date.now()));
  const end = Date.now();
  await Bun.sleep(SETTLE);
  const claims = await hub.claims();
  const { messages } = hub;
  await hub.stop();
  const blind = disturbances.map(({ from, to }) => ({ from: start + from * 1000, to: start + to * 1000 }));
  return { truth: truthOf(scenario, start), claims, messages, blind, end };
};
