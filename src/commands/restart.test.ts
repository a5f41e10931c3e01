import { expect, it } from "bun:test";
import { join } from "node:path";
import { serveTarget } from "../testing/servers/targets";
import { restartWith, startVariables } from "./restart";

it("restarts once with the variables of its command", () => {
  const calls: unknown[][] = [];
  const execve = (...call: unknown[]) => void calls.push(call);
  const words = ["agent", "start", "--interval", "5"];
  restartWith(words, ["main.ts"], { HOME: "/root", UV_THREADPOOL_SIZE: "4" }, execve);
  const environment = { ...startVariables(words), HOME: "/root", UV_THREADPOOL_SIZE: "4" };
  expect(environment).toHaveProperty("BUN_JSC_useJIT", "0");
  expect(calls).toEqual([[process.execPath, [process.execPath, "main.ts", ...words], environment]]);
  restartWith(words, [], environment, execve);
  restartWith(["version"], [], {}, execve);
  expect(calls).toHaveLength(1);
});

it("continues without them where execve is not permitted", () => {
  const refuse = () => {
    throw new Error("ENOEXEC");
  };
  expect(() => restartWith(["serve"], [], {}, refuse)).not.toThrow();
});

it("gives the agent more threads for disks, and the hub more requests at once", () => {
  expect(startVariables(["agent", "start"])).toHaveProperty("UV_THREADPOOL_SIZE", "16");
  expect(startVariables([])).toHaveProperty("BUN_CONFIG_MAX_HTTP_REQUESTS");
  expect(startVariables(["agent", "status"])).toEqual({});
});

it("ignores proxy variables in the hub and keeps them for the agent", async () => {
  const proxy = serveTarget(() => new Response("the proxy"));
  const target = serveTarget(() => new Response("the target"));
  const code = `import { ignoreProxies } from ${JSON.stringify(join(import.meta.dir, "restart.ts"))};
    ignoreProxies(JSON.parse(process.argv.at(-1)), process.env);
    console.log(await (await fetch(${JSON.stringify(target.url)})).text());`;
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
  const env = { ...process.env, ...Object.fromEntries(names.map((name) => [name, proxy.origin])), NO_PROXY: "" };
  const answerTo = (words: string[]) =>
    new Response(
      Bun.spawn([process.execPath, "-e", code, JSON.stringify(words)], { env, stdout: "pipe" }).stdout,
    ).text();
  expect(await answerTo([])).toBe("the target\n");
  expect(await answerTo(["serve"])).toBe("the target\n");
  expect(await answerTo(["agent", "start"])).toBe("the proxy\n");
});
