import { expect, it } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readConfig } from "../core/config";
import { temporaryFolder } from "../testing/agent-program";
import { readDocument } from "./static-files";

const TEMPLATE =
  '<!doctype html><base href="/" /><script type="application/json" id="settings">{"version":"development"}</script>';

const settingsFor = (env: Record<string, string>) => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, "index.html.gz"), gzipSync(TEMPLATE));
  const html = readDocument(directory, "index.html", readConfig(env));
  return JSON.parse(/<script[^>]*>([\s\S]*)<\/script>/.exec(html)?.[1] ?? "");
};

it("the document carries API_TIMEOUT in milliseconds for the page, 10 seconds when it is not set", () => {
  expect(settingsFor({}).apiTimeout).toBe(10_000);
  expect(settingsFor({ API_TIMEOUT: "25000" }).apiTimeout).toBe(25_000);
});
