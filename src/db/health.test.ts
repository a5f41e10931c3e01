import { expect, it } from "bun:test";
import { createHealthProbe } from "./health";

const broken = () => {
  throw new Error("no");
};

it("a database is healthy when it can be read and written", async () => {
  const written: string[] = [];
  const probe = createHealthProbe({ size: 3, look: () => {}, write: (statement) => written.push(statement) });
  await probe();
  expect(written).toHaveLength(1);
  expect(written[0]).toInclude("'probe', '000'");
});

it("a database is not healthy when reading or writing fails or does not end", async () => {
  const never = () => new Promise(() => {});
  for (const parts of [{ look: broken }, { write: broken }, { look: never }, { write: never }]) {
    const probe = createHealthProbe({ size: 1, look: () => {}, write: () => {}, timeout: 5, ...parts });
    await expect(probe()).rejects.toThrow();
  }
});
