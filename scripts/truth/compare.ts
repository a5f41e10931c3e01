/** Compares the hub's claims with the truth. Times are in epoch milliseconds. */

export type Span = { from: number; to: number };

/** A target and its true failures. A failure that is visible for as long as `certain` must be found (ms). */
export type Truth = { name: string; class: string; certain: number; failures: Span[] };

/** An outage as the hub has it. */
export type Claim = { name: string; startedAt: number; startedAfter: number | null; endedAt: number | null };

/** A message as a person received it. */
export type Message = { name: string; event: string; at: number };

export type World = {
  truth: Truth[];
  claims: Claim[];
  messages: Message[];
  /** When the hub could know nothing: it did not run, or had no network. */
  blind: Span[];
  end: number;
};

/** Differences of clocks and of the moment of a change (ms). */
const TOLERANCE = 2000;

const isOf = ({ startedAt }: Claim, { from, to }: Span): boolean =>
  startedAt >= from - TOLERANCE && startedAt <= to + TOLERANCE;

/** How long the hub could see a failure at most. */
const longestVisible = ({ from, to }: Span, blind: readonly Span[]): number => {
  const cuts = blind.filter((span) => span.from < to && span.to > from).sort((a, b) => a.from - b.from);
  const starts = [from, ...cuts.map((span) => span.to)];
  const ends = [...cuts.map((span) => span.from), to];
  return Math.max(...starts.map((start, index) => (ends[index] ?? to) - start));
};

const median = (values: number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;

const isOpening = (event: string): boolean => /^(down|offline)$/.test(event);

/** Compares one class of targets. */
const compareClass = (name: string, targets: Truth[], { claims, messages, blind, end }: World) => {
  const of = <T extends { name: string }>(list: T[], target: Truth) => list.filter((one) => one.name === target.name);
  const found: { failure: Span; claim: Claim; told: number | null }[] = [];
  const wrong: string[] = [];
  let [missed, unseen] = [0, 0];
  for (const target of targets) {
    const own = of(claims, target);
    const { certain } = target;
    for (const claim of own.filter((one) => !target.failures.some((failure) => isOf(one, failure))))
      wrong.push(`invented: ${target.name} at ${new Date(claim.startedAt).toISOString()}`);
    for (const failure of target.failures) {
      const claim = own.find((one) => isOf(one, failure));
      const until = { from: failure.from, to: Math.min(failure.to, end) };
      if (claim) {
        const told = of(messages, target).find(
          ({ event, at }) => isOpening(event) && at >= claim.startedAt - TOLERANCE,
        );
        found.push({ failure, claim, told: told ? told.at : null });
      } else if (longestVisible(until, blind) >= certain) {
        missed++;
        wrong.push(`missed: ${target.name} from ${new Date(failure.from).toISOString()}`);
      } else unseen++;
    }
    for (const message of of(messages, target).filter(({ event }) => isOpening(event)))
      if (!target.failures.some(({ from, to }) => message.at >= from - TOLERANCE && message.at <= to + certain))
        wrong.push(`told wrongly: ${target.name} at ${new Date(message.at).toISOString()}`);
  }
  for (const { claim, failure } of found)
    if (claim.startedAfter !== null && claim.startedAfter > failure.from + TOLERANCE)
      wrong.push(`begins too late: ${claim.name} after ${new Date(claim.startedAfter).toISOString()}`);
  const isEndSeen = ({ to }: Span, endedAt: number | null) =>
    endedAt !== null && to < end && !blind.some((span) => span.from < endedAt && span.to > to);
  const ends = found.filter(({ failure, claim }) => isEndSeen(failure, claim.endedAt));
  const row = {
    class: name,
    targets: targets.length,
    failures: found.length + missed + unseen,
    found: found.length,
    missed,
    unseen,
    invented: wrong.filter((text) => text.startsWith("invented")).length,
    start: median(found.map(({ claim, failure }) => claim.startedAt - failure.from)),
    end: median(ends.map(({ claim, failure }) => (claim.endedAt ?? 0) - failure.to)),
    told: median(found.flatMap(({ claim, told }) => (told === null ? [] : [told - claim.startedAt]))),
    messages: targets.flatMap((target) => of(messages, target)).length,
  };
  return { row, wrong };
};

export type Row = ReturnType<typeof compareClass>["row"];

/** One row for each class, and every claim that is wrong. */
export const compare = (world: World): { rows: Row[]; wrong: string[] } => {
  const classes = [...Map.groupBy(world.truth, (target) => target.class)];
  const compared = classes.map(([name, targets]) => compareClass(name, targets, world));
  return { rows: compared.map(({ row }) => row), wrong: compared.flatMap(({ wrong }) => wrong) };
};

const seconds = (value: number | null): string => (value === null ? "-" : (value / 1000).toFixed(1));

/** The rows as a table of fixed width; times are medians in seconds. */
export const tableOf = (rows: Row[]): string => {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row)[];
  const isTime = (column: keyof Row) => ["start", "end", "told"].includes(column);
  const cells = rows.map((row) =>
    columns.map((column) => (isTime(column) ? seconds(row[column] as number | null) : String(row[column]))),
  );
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((cell) => cell[index]?.length ?? 0)),
  );
  const line = (words: string[]) =>
    words
      .map((word, index) => (index === 0 ? word.padEnd(widths[0] ?? 0) : word.padStart(widths[index] ?? 0)))
      .join("  ");
  return [line(columns), ...cells.map(line)].join("\n");
};
