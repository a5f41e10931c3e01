import { expect, it } from "bun:test";
import { createTestClock, until } from "../../testing/clock";
import { hashPassword, inTurn, isPassword, type Lane } from "./passwords";

const deps = { clock: createTestClock() };

/** Work that begins when it is let in and ends when it is told to. */
const createWork = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      begun.push(name);
      ends.set(name, resolve);
    });
  const end = (name: string) => ends.get(name)?.();
  return { begun, work, end };
};

const fill = (lane: Lane, work: ReturnType<typeof createWork>["work"], count: number) =>
  Array.from({ length: count }, (_, index) =>
    inTurn(deps, lane, work(`${lane} ${index}`)).then(
      () => "done",
      (error) => error.code as string,
    ),
  );

it("lets few work at once and few wait, refuses the rest at once, and lets the known go first", async () => {
  const { begun, work, end } = createWork();
  const strangers = fill("stranger", work, 40);
  const refused = await Promise.all(strangers.slice(18 + 1));
  expect(new Set(refused)).toEqual(new Set(["rate_limited"]));
  const atOnce = begun.length;
  expect(atOnce).toBeWithin(1, 3);
  // However many strangers wait, there is room for those who are known.
  const known = fill("known", work, 2);
  for (let turn = 0; turn < 2; turn++) {
    end(begun[turn] as string);
    await until(() => begun.length === atOnce + turn + 1, "the next to begin");
  }
  expect(begun.slice(atOnce, atOnce + 2)).toEqual(["known 0", "known 1"]);
  for (let turn = 2; turn < begun.length; turn++) {
    const more = begun.length < atOnce + 2 + 16;
    end(begun[turn] as string);
    if (more) await until(() => begun.length > turn + atOnce, "the next to begin");
  }
  const outcomes = await Promise.all([...strangers, ...known]);
  expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(atOnce + 16 + 2);
});

it("does nothing for who has waited too long", async () => {
  const { begun, work, end } = createWork();
  const ends = Array.from({ length: 3 }, (_, index) => inTurn(deps, "known", work(`${index}`)));
  const late = inTurn(deps, "known", work("late"));
  await until(() => begun.length > 0, "the first to begin");
  await deps.clock.advance(8001);
  for (const name of [...begun]) end(name);
  const outcomes = await Promise.allSettled([...ends, late]);
  expect(outcomes.at(-1)).toMatchObject({ status: "rejected", reason: { code: "rate_limited" } });
  expect(begun).not.toContain("late");
});

it("goes on after work that failed", async () => {
  const fail = () => inTurn(deps, "known", () => Promise.reject(new Error("no")));
  for (let time = 0; time < 5; time++) expect(fail()).rejects.toThrow("no");
  expect(await inTurn(deps, "stranger", async () => "in")).toBe("in");
});

it("knows a password by its hash, and none without one", async () => {
  const hash = await hashPassword("a good password");
  expect(hash).toStartWith("$argon2id$v=19$m=65536,t=2,p=1$");
  expect(await isPassword("a good password", hash)).toBe(true);
  expect(await isPassword("A good password", hash)).toBe(false);
  expect(await isPassword("a good password", undefined)).toBe(false);
});
