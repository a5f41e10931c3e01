import { expect, it, onTestFinished } from "bun:test";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTestApp } from "../../testing/app";
import { createDatabase } from "../../testing/fixtures/imports/database";
import { createKuma } from "../../testing/fixtures/imports/kuma";

const MAIN = join(import.meta.dir, "../../main.ts");

/** A hub on loopback, and a function that runs the command against it with a key. */
const start = async (env: Record<string, string> = {}, access: object = { scope: "full" }) => {
  const app = await createTestApp({ env });
  const { alice } = await app.people();
  const { key } = (await app.as(alice).post("/api/keys", { name: "cli", ...access })).body as unknown as {
    key: string;
  };
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => app.send(request) });
  onTestFinished(() => server.stop(true));
  const run = async (...words: string[]) => {
    const command = Bun.spawn([process.execPath, MAIN, "import", ...words], {
      env: {
        ...process.env,
        NODE_ENV: "production",
        WAKEFUL_SERVER: `http://127.0.0.1:${server.port}`,
        WAKEFUL_API_KEY: key,
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, error] = await Promise.all(
      [command.stdout, command.stderr].map((stream) => new Response(stream).text()),
    );
    return { status: await command.exited, out, error };
  };
  return { app, alice, run };
};

const FILE = {
  monitor: [{ id: 1, name: "Shop", type: "http", url: "https://shop.example.com/", interval: 60, timeout: 30 }],
};

it("wakeful import previews with --dry-run, imports, and adds nothing the second time", async () => {
  const { app, alice, run } = await start();
  const file = createKuma(2, FILE);
  const trial = await run(file, "--dry-run");
  expect(trial).toMatchObject({ status: 0, error: "" });
  expect(trial.out).toBe(
    "as it is          monitor:1        Shop (http)\n1 as it is, 0 with differences, 0 paused, 0 not taken, 0 already there.\n",
  );
  expect((await app.as(alice).get("/api/monitors")).body.total).toBe(0);
  expect((await run("kuma", file, "--json")).out).toStartWith("{");
  expect((await app.as(alice).get("/api/monitors")).body.total).toBe(1);
  expect((await run(file)).out).toContain("1 already there");
});

it("wakeful import --commands prints the command of each server, which a key without the scope enroll does not get", async () => {
  const client = {
    ...{
      uuid: "c1",
      name: "tokyo\n$(reboot)",
      group: "",
      tags: "",
      weight: 1,
      price: -1,
      billing_cycle: 0,
      remark: "",
    },
    ...{
      auto_renewal: 0,
      currency: "$",
      expired_at: "0001-01-01 00:00:00+00:00",
      traffic_limit: 0,
      traffic_limit_type: "up",
    },
  };
  const file = createDatabase({ clients: [client], ping_tasks: [{ id: 1, name: "Cloudflare" }] });
  const { run } = await start({}, { scopes: ["apply", "enroll"] });
  const { status, out, error } = await run(file, "--commands");
  expect([status, error]).toEqual([0, ""]);
  const [comment, command, ...rest] = String(out).split("\n").slice(-3);
  expect(comment).toBe("# tokyo $(reboot)");
  expect(command).toMatch(
    /^echo wkt_\S+ \| sh -c "\$\(curl -fsSL http:\/\/127\.0\.0\.1:\d+\/install\.sh\)" install\.sh --server \S+ .*--token-file -$/,
  );
  expect(rest).toEqual([""]);
  const other = await start();
  const refused = await other.run(file, "--commands");
  expect([refused.status, refused.out?.includes("install.sh")]).toEqual([0, false]);
  expect(refused.out ?? "").toContain("use one with the scope enroll");
});

it("wakeful import says what is wrong with its words, the file and the hub's answer", async () => {
  const { run } = await start();
  const file = createKuma(2, FILE);
  expect((await run()).error).toContain("say which file to import");
  expect((await run(`${file}x`)).error).toContain("there is no file");
  expect((await run("gatus9", file)).error).toContain('there is no source "gatus9"');
  const other = join(dirname(file), "other");
  writeFileSync(other, "hello");
  expect(await run(other)).toMatchObject({
    status: 1,
    error: expect.stringContaining("No source of imports knows this file"),
  });
  expect((await run(file, "--server", "nowhere")).error).toContain("--server or WAKEFUL_SERVER");
});

it("wakeful import betterstack gives the hub a token from a file, which no other source takes", async () => {
  const { run } = await start({ PROVIDER_ORIGINS: "https://uptime.betterstack.com=http://127.0.0.1:1" });
  const file = createKuma(2, FILE);
  const token = join(dirname(file), "token");
  writeFileSync(token, "token-1\n");
  expect((await run("kuma", "--token-file", token)).error).toContain("--token-file is for healthchecks, betterstack");
  expect((await run("betterstack", file, "--token-file", token)).error).toContain("without a file");
  expect(await run("betterstack", "--token-file", token)).toMatchObject({
    status: 1,
    error: expect.stringContaining("Better Stack can't be read with this key: it can't be reached"),
  });
});

it("wakeful import kuma --url refuses other addresses, a file beside it, and a database that does not answer", async () => {
  const { run } = await start();
  const url = "mysql://kuma@127.0.0.1:1/kuma";
  expect((await run("--url", url)).error).toContain("--url is for kuma");
  expect((await run("kuma", createKuma(2, FILE), "--url", url)).error).toContain("--url is for kuma");
  expect((await run("kuma", "--url", "postgres://127.0.0.1/kuma")).error).toContain("mysql://");
  expect((await run(createKuma(2, FILE), "--save", "copy.db")).error).toContain("--save needs --url");
  expect(await run("kuma", "--url", url)).toMatchObject({
    status: 1,
    error: expect.stringContaining("the database can't be reached"),
  });
});
