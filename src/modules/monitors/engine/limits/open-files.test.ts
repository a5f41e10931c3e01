import { expect, it } from "bun:test";
import { checksAtOnce, descriptorLimit } from "./open-files";

const limits = (soft: string) =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft}                 524288               files     \n`;

it("reads the limit of open files, or null if the system has none or does not show it", () => {
  expect(descriptorLimit(() => limits("1024"))).toBe(1024);
  expect(descriptorLimit(() => limits("unlimited"))).toBeNull();
  expect(
    descriptorLimit(() => {
      throw new Error("ENOENT");
    }),
  ).toBeNull();
});

it("limits running checks below the limit of open files, and warns if that is low", () => {
  const warned: unknown[] = [];
  const log = { warn: (message: string, fields?: object) => warned.push([message, fields]) };
  expect([1024, 100_000, null].map((limit) => checksAtOnce(log, limit))).toEqual([704, 20_000, 20_000]);
  expect(warned).toEqual([
    ["the limit of open files is low", expect.objectContaining({ limit: 1024, checks_at_once: 704 })],
  ]);
});
