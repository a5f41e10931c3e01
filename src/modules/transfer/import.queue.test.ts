import { expect, it } from "bun:test";
import { AppError } from "../../core/errors";
import { createImportQueue } from "./service";

const setUp = () => {
  const enqueue = createImportQueue();
  const log: string[] = [];
  let running = 0;
  const add = (user: number, name: string) =>
    enqueue(user, async () => {
      expect(++running).toBe(1);
      await Promise.resolve();
      log.push(name);
      running--;
    });
  return { enqueue, add, log };
};

it("one import runs at a time, and a user's second one waits for other users' first ones", async () => {
  const { add, log } = setUp();
  await Promise.all([add(1, "a1"), add(1, "a2"), add(1, "a3"), add(2, "b1"), add(3, "c1")]);
  expect(log).toEqual(["a1", "b1", "c1", "a2", "a3"]);
});

it("a user's eleventh import at once is refused, and one that fails holds up no other", async () => {
  const { enqueue, add, log } = setUp();
  const failed = enqueue(1, async () => {
    throw new Error("no");
  });
  const queued = [failed, ...Array.from({ length: 9 }, (_, index) => add(1, `a${index}`))];
  await expect(add(1, "a10")).rejects.toThrow(AppError);
  expect((await Promise.allSettled(queued)).map(({ status }) => status)).toEqual([
    "rejected",
    ...Array(9).fill("fulfilled"),
  ]);
  await add(1, "later");
  expect(log).toHaveLength(10);
});
