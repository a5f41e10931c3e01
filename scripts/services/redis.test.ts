import { expect, it } from "bun:test";
import { freePort } from "../smoke/lib/nginx";
import { startProbing } from "./lib/probing";
import { type Plan, startService } from "./lib/service";

const redis: Plan = {
  program: "redis-server",
  args: ({ folder, port }) => ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
};

const { codeOf } = await startProbing();

it("a port of Redis is up, also while the process is stopped, and refused when nothing listens", async () => {
  const service = await startService(redis);
  const config = { host: "127.0.0.1", port: service.port };
  expect(await codeOf("tcp", config)).toBe("up");
  service.pause();
  expect(await codeOf("tcp", config)).toBe("up");
  service.resume();
  await service.stop();
  expect(await codeOf("tcp", { ...config, port: freePort() })).toBe("refused");
});
