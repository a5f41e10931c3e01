import { type Container, REPORT_LIMITS } from "../../../shared/agents/report";
import { round } from "../../platform/rates";
import { type Fact, type Machine, nameOf } from "../figure";
import { createEngine, type Engine, isId } from "./container-engine";

/** The most containers that are read. */
const LOOKED_AT = 1000;
/** Concurrent calls, and the time for all of them (ms). Late containers are absent until the next report. */
const AT_ONCE = 4;
const DEADLINE_MS = 20_000;
/** A container with this label set to 1 is not reported. */
const IGNORE = "wakeful.ignore";
const HEALTHS = ["healthy", "unhealthy", "starting"] as const;

type Listed = Container & { id: string };

const record = (value: unknown): Record<string, unknown> => Object(value);

const healthOf = (text: unknown): Container["health"] => HEALTHS.find((health) => health === text);

const wholeOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31 ? (value as number) : undefined;

/** Without fields that have no value. */
const present = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

/** Parses an entry of the list; null for an entry to ignore. */
export const parseListed = (value: unknown): Listed | null => {
  const { Id, Names, Image, State, Status, Labels } = record(value);
  if (!isId(Id) || record(Labels)[IGNORE] === "1") return null;
  const names = (Array.isArray(Names) ? Names : []).map(String);
  // A container that others are linked to has names like "/other/alias" as well.
  const name = names.find((text) => text.lastIndexOf("/") <= 0) ?? names[0] ?? Id.slice(0, 12);
  const status = String(Status ?? "");
  return present({
    id: Id,
    name: nameOf(name.replace(/^\//, "")),
    image: nameOf(String(Image ?? "")),
    state: nameOf(String(State ?? "unknown")).slice(0, 32),
    // "Up 2 hours (unhealthy)", "Up 5 seconds (health: starting)"; Podman leaves it out.
    health: healthOf(/\((?:health: )?(\w+)\)$/.exec(status)?.[1]),
    // "Exited (137) 3 hours ago", "Restarting (1) 5 seconds ago"
    exit_status: wholeOf(Number(/^(?:Exited|Restarting) \((\d+)\)/.exec(status)?.[1] ?? Number.NaN)),
  });
};

/** Parses what only a container's details say. */
const parseDetails = (value: unknown): Pick<Container, "health" | "restarts"> => {
  const { State, RestartCount } = record(value);
  return present({ health: healthOf(record(record(State).Health).Status), restarts: wholeOf(RestartCount) });
};

/** Parses nanoseconds of processor time, and bytes of memory without the file cache that can be given back. */
const parseStats = (value: unknown): { cpu?: number; memory?: number } => {
  const { cpu_stats, memory_stats } = record(value);
  const { usage, stats } = record(memory_stats);
  const { inactive_file, total_inactive_file } = record(stats);
  const cpu = record(record(cpu_stats).cpu_usage).total_usage;
  const cache = Number(inactive_file ?? total_inactive_file ?? 0);
  const memory = Number(usage) - Math.max(0, cache);
  return present({
    cpu: typeof cpu === "number" && cpu >= 0 ? cpu : undefined,
    memory: memory > 0 ? memory : undefined,
  });
};

/** Those that need attention first, then those that run. */
const rank = ({ state, health }: Listed): number =>
  health === "unhealthy" || ["restarting", "dead"].includes(state) ? 0 : state === "running" ? 1 : 2;

const byName = (a: Listed, b: Listed): number => (a.name < b.name ? -1 : Number(a.name > b.name));

/** Calls `each` for all items, a few at a time. Failures are skipped, such as for a container that is gone. */
const forEach = async <Item>(all: Item[], each: (item: Item) => Promise<void>): Promise<void> => {
  const waiting = [...all];
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await each(item).catch(() => {});
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

type CpuReading = { nanoseconds: number; at: number };

/** Reads the containers of an engine, with the processor time of each since the reading before. */
const createReader = (engine: Engine, monotonic: Machine["monotonic"]) => {
  let before = new Map<string, CpuReading>();
  return async (): Promise<{ containers: Container[]; containers_total?: number }> => {
    const entries = await engine.list(LOOKED_AT);
    if (!Array.isArray(entries)) throw new Error("the container engine answers no list");
    const all = entries.flatMap((entry) => parseListed(entry) ?? []);
    const listed = all.toSorted((a, b) => rank(a) - rank(b) || byName(a, b)).slice(0, REPORT_LIMITS.containers);
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const after = new Map<string, CpuReading>();
    const detail = async (container: Listed): Promise<void> => {
      Object.assign(container, parseDetails(await engine.inspect(container.id, deadline)));
      if (container.state !== "running") return;
      const { cpu, memory } = parseStats(await engine.stats(container.id, deadline));
      const at = monotonic();
      if (memory !== undefined) container.memory = memory;
      if (cpu === undefined) return;
      after.set(container.id, { nanoseconds: cpu, at });
      const earlier = before.get(container.id);
      // The counter starts again when the container does.
      if (earlier && at > earlier.at && cpu >= earlier.nanoseconds)
        container.cpu = round((cpu - earlier.nanoseconds) / 1e4 / (at - earlier.at), 2);
    };
    await forEach(
      listed.filter(({ state }) => state === "running" || state === "restarting"),
      detail,
    );
    before = after;
    return {
      containers: listed.toSorted(byName).map(({ id: _, ...container }) => container),
      ...(all.length > listed.length ? { containers_total: all.length } : {}),
    };
  };
};

/** The containers of Docker or Podman, where the agent's operator switched them on. */
export const containers: Fact = {
  every: 30,
  open: ({ engines, files, monotonic }) => {
    if (engines.length === 0) return null;
    const readers = new Map<string, ReturnType<typeof createReader>>();
    return () => {
      // Looked for each time, since an engine may be installed or started later.
      const address = engines.find((one) => !one.startsWith("/") || files.exists(one)) ?? (engines[0] as string);
      const read = readers.get(address) ?? createReader(createEngine(address), monotonic);
      readers.set(address, read);
      return read();
    };
  },
};
