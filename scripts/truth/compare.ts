/** Compares the hub's claims with the truth. Times are in epoch milliseconds. */

export type Span = { from: number; to: number };

/**
 * A target and its true failures. A failure that is visible for as long as `certain` must be found (ms). Its checks have
 * an `interval`, and a sender of signs has null.
 */
export type Truth = { name: string; class: string; interval: number | null; certain: number; failures: Span[] };

/** An outage as the hub has it. `recordedAt`: when the check that opened it was stored. */
export type Claim = {
  name: string;
  startedAt: number;
  startedAfter: number | null;
  endedAt: number | null;
  recordedAt: number | null;
};

/** A message as a person received it. */
export type Message = { name: string; event: string; text: string; at: number };

/**
 * The uptime and the watched share that the hub reports, in percent, since the first check of a target. `gaps`: when it says that
 * it knew nothing of the target.
 */
export type Uptime = { name: string; since: number; at: number; uptime: number; watched: number; gaps: Span[] };

export type World = {
  truth: Truth[];
  claims: Claim[];
  messages: Message[];
  /** Messages to a channel that groups them. */
  grouped: string[];
  uptimes: Uptime[];
  /** When the hub could know nothing: it did not run, or had no network. */
  blind: Span[];
  end: number;
};

/** A true failure that the hub found, and the time of its message. */
export type Found = { target: Truth; failure: Span; claim: Claim; told: number | null };

/** Differences of clocks and of the moment of a change (ms). */
export const TOLERANCE = 2000;
/** The longest time from the first failed check of a lasting failure to its alert (ms), also for unstable targets. */
export const LASTING = 180_000;

const isOf = ({ startedAt }: Claim, { from, to }: Span): boolean =>
  startedAt >= from - TOLERANCE && startedAt <= to + TOLERANCE;

const overlapping = ({ from, to }: Span, blind: readonly Span[]): Span[] =>
  blind.filter((span) => span.from < to && span.to > from).sort((a, b) => a.from - b.from);

/** How long the hub could see a failure at most. */
const longestVisible = ({ from, to }: Span, blind: readonly Span[]): number => {
  const cuts = overlapping({ from, to }, blind);
  const starts = [from, ...cuts.map((span) => span.to)];
  const ends = [...cuts.map((span) => span.from), to];
  return Math.max(...starts.map((start, index) => (ends[index] ?? to) - start));
};

/** How much of a span the hub could see. Blind spans do not overlap. */
export const visibleTime = ({ from, to }: Span, blind: readonly Span[]): number =>
  Math.max(0, to - from) -
  overlapping({ from, to }, blind).reduce((sum, one) => sum + Math.min(to, one.to) - Math.max(from, one.from), 0);

export const median = (values: number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;
export const mean = (values: number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

const isOpening = (event: string): boolean => /^(down|offline)$/.test(event);

const at = (time: number): string => new Date(time).toISOString();

/** How far the middle between the last good and the first failed check is from the true beginning (ms). */
export const startError = ({ claim, failure }: Found): number =>
  Math.abs((claim.startedAt + (claim.startedAfter ?? claim.startedAt)) / 2 - failure.from);

/** Whether the hub could see a failure begin. */
export const isStartSeen = ({ claim, failure }: Found, { blind }: World): boolean =>
  visibleTime({ from: failure.from, to: claim.startedAt }, blind) === Math.max(0, claim.startedAt - failure.from);

/** How late a failure ended for the hub (ms); null if the hub could not see it end. */
export const endError = ({ claim: { endedAt }, failure: { to } }: Found, { blind, end }: World): number | null =>
  endedAt === null || to >= end || overlapping({ from: to, to: endedAt }, blind).length > 0 ? null : endedAt - to;

/** The true uptime in percent of the time that the hub says it watched. */
const trueUptime = ({ failures }: Truth, { since, at, gaps }: Uptime): number => {
  const down = failures.map(({ from, to }) => visibleTime({ from: Math.max(from, since), to: Math.min(to, at) }, gaps));
  return 100 - (100 * down.reduce((sum, length) => sum + length, 0)) / visibleTime({ from: since, to: at }, gaps);
};

/** How far the uptime of each target is from the true one, in points. */
export const uptimeErrors = ({ truth, uptimes }: World): { target: Truth; uptime: Uptime; error: number }[] =>
  truth.flatMap((target) => {
    const uptime = uptimes.find(({ name }) => name === target.name);
    return uptime ? [{ target, uptime, error: Math.abs(uptime.uptime - trueUptime(target, uptime)) }] : [];
  });

/** Compares one target. */
const compareTarget = (target: Truth, world: World) => {
  const { blind, end } = world;
  const { name, certain, failures } = target;
  const claims = world.claims.filter((one) => one.name === name);
  const openings = world.messages.filter((one) => one.name === name && isOpening(one.event));
  const found: Found[] = [];
  const wrong: string[] = [];
  let [missed, unseen] = [0, 0];
  const invented = claims.filter((one) => !failures.some((failure) => isOf(one, failure)));
  for (const { startedAt } of invented) wrong.push(`invented: ${name} at ${at(startedAt)}`);
  for (const failure of failures) {
    const claim = claims.find((one) => isOf(one, failure));
    const seen = longestVisible({ from: failure.from, to: Math.min(failure.to, end) }, blind);
    if (!claim && seen >= certain) {
      missed++;
      wrong.push(`missed: ${name} from ${at(failure.from)}`);
    } else if (!claim) unseen++;
    if (!claim) continue;
    const next = Math.min(...claims.map(({ startedAt }) => startedAt).filter((time) => time > claim.startedAt));
    const told = openings.find((one) => one.at >= claim.startedAt - TOLERANCE && one.at < next);
    found.push({ target, failure, claim, told: told?.at ?? null });
    const visible = visibleTime({ from: claim.startedAt, to: Math.min(claim.endedAt ?? end, end) }, blind);
    if (!told && visible >= LASTING + TOLERANCE) wrong.push(`never told: ${name} from ${at(failure.from)}`);
    if (claim.startedAfter !== null && claim.startedAfter > failure.from + TOLERANCE)
      wrong.push(`begins too late: ${name} after ${at(claim.startedAfter)}`);
  }
  for (const message of openings)
    if (!failures.some(({ from, to }) => message.at >= from - TOLERANCE && message.at <= to + certain))
      wrong.push(`told wrongly: ${name} at ${at(message.at)}`);
  return { found, wrong, missed, unseen, invented: invented.length };
};

/** Compares one class of targets. */
const compareClass = (name: string, targets: Truth[], world: World) => {
  const compared = targets.map((target) => compareTarget(target, world));
  const sum = (of: "missed" | "unseen" | "invented") => compared.reduce((total, one) => total + one[of], 0);
  const found = compared.flatMap((one) => one.found);
  const names = new Set(targets.map((target) => target.name));
  const uptimes = uptimeErrors(world).filter(({ target }) => names.has(target.name));
  const row = {
    class: name,
    targets: targets.length,
    failures: found.length + sum("missed") + sum("unseen"),
    found: found.length,
    missed: sum("missed"),
    unseen: sum("unseen"),
    invented: sum("invented"),
    /** From the beginning to the first failed check. */
    detected: median(found.map(({ claim, failure }) => claim.startedAt - failure.from)),
    start: median(found.filter((one) => isStartSeen(one, world)).map(startError)),
    end: median(found.flatMap((one) => endError(one, world) ?? [])),
    /** From the record of the check to the message. */
    told: median(
      found.flatMap(({ claim: { recordedAt }, told }) =>
        told === null || recordedAt === null ? [] : told - recordedAt,
      ),
    ),
    uptime: mean(uptimes.map(({ error }) => error)),
    watched: mean(uptimes.map(({ uptime }) => uptime.watched)),
    messages: world.messages.filter((message) => names.has(message.name)).length,
  };
  return { row, found, wrong: compared.flatMap((one) => one.wrong) };
};

export type Row = ReturnType<typeof compareClass>["row"];

/** One row for each class, what was found, and every claim that is wrong. */
export const compare = (world: World): { rows: Row[]; found: Found[]; wrong: string[] } => {
  const classes = [...Map.groupBy(world.truth, (target) => target.class)];
  const compared = classes.map(([name, targets]) => compareClass(name, targets, world));
  return {
    rows: compared.map(({ row }) => row),
    found: compared.flatMap(({ found }) => found),
    wrong: compared.flatMap(({ wrong }) => wrong),
  };
};
