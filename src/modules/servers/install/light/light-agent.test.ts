import { expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../../build-info";
import { startTestServer } from "../../../../testing/servers/hub";
import { lightAgent } from "./light-agent";

it("the light agent is served with its checksum, and names the version of the hub", async () => {
  const server = await startTestServer();
  const { status, text, headers } = await server.call("/agent.sh");
  expect([status, headers.get("content-type")]).toEqual([200, "text/x-shellscript; charset=utf-8"]);
  expect(text).toStartWith("#!/bin/sh\n");
  expect(text).toContain(`\nversion='${version}'\n`);
  const sum = await server.call("/agent.sh.sha256");
  expect([sum.status, sum.text]).toEqual([
    200,
    `${new Bun.CryptoHasher("sha256").update(text).digest("hex")}  agent.sh\n`,
  ]);
});

it("the light agent stays small", () => {
  expect(Buffer.byteLength(lightAgent)).toBeLessThanOrEqual(60 * 1024);
  const linesOf = (name: string) =>
    readFileSync(join(import.meta.dir, name), "utf8")
      .trimEnd()
      .split("\n").length;
  expect(linesOf("agent.sh")).toBeLessThanOrEqual(410);
  expect(linesOf("figures.awk")).toBeLessThanOrEqual(231);
});
