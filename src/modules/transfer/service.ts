import { setImmediate } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError, type FieldError, validation } from "../../core/errors";
import { users } from "../../db/schema";
import { lockRows } from "../../db/sql";
import { createMutex } from "../../lib/concurrency";
import { isoTime } from "../../lib/time";
import { type Document, FORMAT, type Imported, VERSION } from "./model";
import { type Owner, type Plan, type Refuse, sortNotes, type TransferPart } from "./part";
import { parts } from "./registry";

/** The JSON text of an `Exported`, in pieces: lists are read item by item, so that memory does not grow with their length. */
export async function* exportConfiguration(deps: Deps, owner: Owner): AsyncGenerator<string> {
  const head = { format: FORMAT, version: VERSION, exported_at: isoTime(deps.clock.now()) };
  yield JSON.stringify(head).slice(0, -1);
  const ids = new Map<string, Set<unknown>>();
  const has = (part: string, id: number) => ids.get(part)?.has(id) ?? false;
  for (const { key, export: read } of parts) {
    const content = read({ deps, owner, has });
    const name = JSON.stringify(key);
    if (Symbol.asyncIterator in content) {
      const exported = new Set<unknown>();
      ids.set(key, exported);
      let separator = `,${name}:[`;
      for await (const item of content) {
        yield `${separator}${JSON.stringify(item)}`;
        separator = ",";
        exported.add(Object(item).id);
      }
      yield separator === "," ? "]" : `${separator}]`;
    } else {
      const value = await content;
      if (value !== undefined) yield `,${name}:${JSON.stringify(value)}`;
    }
  }
  yield "}";
}

/** Maximum reported problems of a file. */
const MAX_ERRORS = 100;
/** Maximum values of a file, about 8,000 monitors: validating more would take seconds. */
const MAX_VALUES = 100_000;

/** Counts the values of a JSON document, up to the maximum. */
const countValues = (value: unknown, limit: number): number => {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  for (const key in value) {
    if (count > limit) break;
    count += countValues((value as Record<string, unknown>)[key], limit - count);
  }
  return count;
};

/**
 * Rejects a document with too many values before it is validated.
 * @throws {AppError} validation
 */
export const assertWithinLimits = (sent: unknown): void => {
  if (countValues(sent, MAX_VALUES) > MAX_VALUES)
    throw validation([{ path: "body", message: `body: expected at most ${MAX_VALUES} values` }]);
};

/** The parts that a file has, each with its content. */
const contents = (document: Document) =>
  parts.flatMap((part) => {
    const sent: unknown = document[part.key as keyof Document];
    return sent === undefined ? [] : [{ part, sent }];
  });

/** Whether an API key may not import a file. */
export const needsSession = (document: Document): boolean =>
  contents(document).some(({ part, sent }) => part.needsSession && !(Array.isArray(sent) && sent.length === 0));

/** The id that the key of an object is; NaN for another way to write it, by which one item would be named twice. */
const idOfKey = (key: string): number => (String(Number(key)) === key ? Number(key) : Number.NaN);

/** Index of each id of a part that is a list. */
const placesOf = (sent: unknown, refuse: Refuse): Map<number, number> => {
  const places = new Map<number, number>();
  for (const [index, { id }] of (Array.isArray(sent) ? sent : []).entries()) {
    if (id === undefined) continue;
    if (places.has(id)) refuse(`${index}.id`, `${id} is the id of another one before it`);
    else places.set(id, index);
  }
  return places;
};

type Parsed = {
  parts: { part: TransferPart; content: unknown }[];
  /** The index of each id in the file, by part. */
  places: Map<string, Map<number, number>>;
};

/**
 * Parses and validates a file.
 * @throws {AppError} validation, with the path of each bad field, as in `monitors.3.url`
 */
const parseDocument = (document: Document): Parsed => {
  const errors: FieldError[] = [];
  const within =
    (key: string): Refuse =>
    (path, message) => {
      if (errors.length < MAX_ERRORS) errors.push({ path: `${key}.${path}`, message: `${key}.${path}: ${message}` });
    };
  const sentParts = contents(document);
  const parsed = sentParts.map(({ part, sent }) => ({ part, content: part.parse(sent, within(part.key)) }));
  const places = new Map(sentParts.map(({ part: { key }, sent }) => [key, placesOf(sent, within(key))]));
  for (const { part, sent } of sentParts) {
    const refuse = within(part.key);
    const refer = (path: string, to: string, id: number | string) => {
      if (!places.get(to)?.has(typeof id === "string" ? idOfKey(id) : id))
        refuse(path, `there is no ${id} among the file's ${to}`);
    };
    part.check?.(sent, { refuse, refer });
  }
  if (errors.length > 0) throw validation(errors);
  return { parts: parsed, places };
};

/** Plans each part with the ids of the previous ones. */
const planParts = async (deps: Deps, owner: Owner, { parts: parsed, places }: Parsed) => {
  const ids = new Map<string, (number | null)[]>();
  const missing = new Map<string, Set<number>>();
  const idOf = (part: string, id: number): number | null => {
    const index = places.get(part)?.get(id) ?? -1;
    const found = ids.get(part)?.[index] ?? null;
    if (found === null) missing.set(part, (missing.get(part) ?? new Set()).add(index));
    return found;
  };
  const plans: { part: TransferPart; plan: Plan }[] = [];
  for (const { part, content } of parsed) {
    const plan = await part.plan(content, { deps, owner, idOf, missing: (key) => [...(missing.get(key) ?? [])] });
    if (plan.ids) ids.set(part.key, plan.ids);
    plans.push({ part, plan });
  }
  return plans;
};

/**
 * Writes all parts or none, and returns whether it did: not when the user's data changed since it was read, as by a
 * concurrent import of the same file.
 */
const writePlans = async ({ db, clock }: Deps, owner: Owner, plans: Plan[]): Promise<boolean> => {
  const self = eq(users.id, owner.id);
  const condition = sql`exists (select 1 from ${users} where ${self} and ${users.role} = ${owner.role})
    and ${and(sql`true`, ...plans.map((plan) => plan.condition))}`;
  const context = { now: clock.now(), condition };
  const written = await db.atomically((tx) => [
    ...lockRows(users, users.id, self),
    // The condition is slow to evaluate for large accounts, so parts without additions have no statement.
    ...plans.flatMap(({ created = 0, statements }) => (created > 0 && statements ? statements(context) : [])),
    tx.select({ id: users.id }).from(users).where(and(self, condition)),
  ]);
  return [...(written.at(-1) as unknown[])].length > 0;
};

const TRIES = 5;

/**
 * Adds the content of a file to what a user has, all or nothing. Existing items are skipped and unchanged, so
 * importing the same file again changes nothing.
 * @throws {AppError} validation, with the path of each bad field; quota_reached
 */
export const importConfiguration = async (deps: Deps, owner: Owner, document: Document): Promise<Imported> => {
  const parsed = parseDocument(document);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const plans = await planParts(deps, owner, parsed);
    if (
      !(await writePlans(
        deps,
        owner,
        plans.map(({ plan }) => plan),
      ))
    )
      continue;
    for (const { plan } of plans) plan.written?.();
    const count = (what: "created" | "skipped") =>
      Object.fromEntries(
        parts.flatMap(({ key, counted }) => {
          const planned = plans.find(({ part }) => part.key === key);
          return counted ? [[counted, planned?.plan[what] ?? 0]] : [];
        }),
      ) as Imported["created"];
    const notes = sortNotes(plans.flatMap(({ plan }) => plan.notes?.() ?? []));
    return { created: count("created"), skipped: count("skipped"), notes };
  }
  throw new AppError("conflict", { reason: "Your data was changed during the import. Try again." });
};

/** Runs imports one at a time, each as one of its user's costly calls: other users' imports wait for one of theirs. */
export const createImportQueue = ({ costlyCalls }: Pick<Deps, "costlyCalls">) => {
  const exclusively = createMutex();
  return <T>(userId: number, work: () => Promise<T>): Promise<T> =>
    costlyCalls.run(userId, () =>
      exclusively(async () => {
        // With SQLite an import never yields, so other requests are answered between two of them.
        await setImmediate();
        return work();
      }),
    );
};
