import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { Glob } from "bun";
import { enUS } from "./en-US";
import { zhCN } from "./zh-CN";

const server = resolve(import.meta.dir, "../../src");

/** Codes that no screen ever meets: programs do, or a screen shows what the provider itself said. */
const elsewhere = ["provider_refused", "no_download", "token_invalid", "token_used", "token_expired", "agent_deleted"];

/** Every code that the server's own source refuses with. */
const refusals = async () => {
  const codes = new Set<string>();
  for await (const path of new Glob("**/*.ts").scan(server)) {
    if (/\.test\.ts$|^(testing|agent)\//.test(path)) continue;
    const source = await Bun.file(resolve(server, path)).text();
    for (const [, code] of source.matchAll(/(?:new AppError\(\s*\d+,|conflict\()\s*"(\w+)"/g)) codes.add(code ?? "");
  }
  return [...codes];
};

test("every refusal of the server has words in both languages", async () => {
  const codes = await refusals();
  expect(codes).toContain("username_taken");
  for (const { errors } of [enUS, zhCN])
    expect(codes.filter((code) => !elsewhere.includes(code) && !(code in errors.code))).toEqual([]);
});
