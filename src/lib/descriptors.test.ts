import { expect, it } from "bun:test";
import { descriptorLimit, openDescriptors } from "./descriptors";

const limitsFile = (soft: string) =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft}                 524288               files     \n`;

it("reads the limit of open files, or null if the system has none or does not show it", () => {
  expect(descriptorLimit(() => limitsFile("1024"))).toBe(1024);
  expect(descriptorLimit(() => limitsFile("unlimited"))).toBeNull();
  expect(
    descriptorLimit(() => {
      throw new Error("ENOENT");
    }),
  ).toBeNull();
});

it("counts the files that this process has open", async () => {
  if (process.platform !== "linux") return;
  expect(await openDescriptors()).toBeGreaterThan(2);
});
