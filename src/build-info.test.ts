import { expect, it } from "bun:test";
import { toRepositoryUrl, version } from "./build-info";

it("the version is the one in package.json", async () => {
  expect(version).toBe((await Bun.file(`${import.meta.dir}/../package.json`).json()).version);
});

it("every form of package.json's repository field becomes a web address", () => {
  const expected = "https://github.com/example/wakeful";
  for (const field of [
    expected,
    `${expected}.git`,
    `git+${expected}.git`,
    "example/wakeful",
    "github:example/wakeful",
    { url: `git+${expected}.git` },
  ])
    expect([field, toRepositoryUrl(field)]).toEqual([field, expected]);
  expect(toRepositoryUrl(undefined)).toBe("");
  expect(toRepositoryUrl("git@example.com:wakeful.git")).toBe("");
});
