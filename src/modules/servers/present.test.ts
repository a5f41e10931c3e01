import { expect, test } from "bun:test";
import { version } from "../../build-info";
import { isOutdated } from "./present";

test("an agent is outdated where its version is lower than that of the hub, and other texts are not compared", () => {
  expect(["0.0.1", "0.0.1-rc.1"].map(isOutdated)).toEqual([true, true]);
  expect(
    [version, "999.0.0", undefined, "", "0.0", "v0.0.1", "0.0.1\n", `${"9".repeat(30)}.0.0`].map(isOutdated),
  ).toEqual(Array.from({ length: 8 }, () => false));
});
