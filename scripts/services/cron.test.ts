import { describe, expect, it, onTestFinished } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installConsole, joinAs, startConsole } from "../smoke/lib/hub";
import { until } from "../smoke/lib/until";
import { find } from "./lib/service";

/**
 * Runs cron with one crontab, in a view of the file system of its own. It starts jobs at `@reboot` at once, unless its flag
 * file in /run exists; the loopback network is the same.
 */
const ENTER = ["unshare", "--mount", "--fork", "--kill-child", "sh", "-c"];
const SCRIPT = `set -e
mount --bind "$0/empty" /etc/cron.d
mount --bind "$0/crontab" /etc/crontab
mount --bind "$0/spool" /var/spool/cron/crontabs
mount -t tmpfs tmpfs /run
exec "$1" -f`;
const possible =
  process.getuid?.() === 0 &&
  process.platform === "linux" &&
  Bun.spawnSync([...ENTER, "mount -t tmpfs x /run"]).success;

/** Starts cron with lines of a crontab of root. Returns what ends it. */
const startCron = (lines: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-cron-"));
  for (const name of ["empty", "spool"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "crontab"), "");
  writeFileSync(join(folder, "spool/root"), `${lines.join("\n")}\n`, { mode: 0o600 });
  const child = Bun.spawn([...ENTER, SCRIPT, folder, find("cron")], { stdout: "ignore", stderr: "ignore" });
  return async () => {
    child.kill("SIGKILL");
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  };
};

describe.skipIf(!possible)("a job of cron that calls curl", () => {
  const start = async () => {
    const installation = installConsole();
    const hub = await startConsole(installation, {});
    onTestFinished(async () => {
      await hub.stop();
      installation.remove();
    });
    return { hub, client: await joinAs(hub, "alice") };
  };

  it("reports its start, its output and its exit status, in both dialects", async () => {
    const { hub, client } = await start();
    const create = async (name: string, config: object) => {
      const body = { name, kind: "heartbeat", config };
      const { monitor } = (await client.post("/api/monitors", body)).body;
      return { id: monitor.id, url: new URL(new URL(String(monitor.ping_url), hub.origin).pathname, hub.origin).href };
    };
    const schedule = { cron: "0 3 * * *", tz: "Europe/Berlin", grace: 3600 };
    const good = await create("good", schedule);
    const bad = await create("bad", { ...schedule, post_only: true });
    const pushed = await create("pushed", { every: 3600, grace: 60 });
    const curl = "curl -fsS -m 10 --retry 5 -o /dev/null";
    const stop = startCron([
      `@reboot ${curl} ${good.url}/start && echo done | ${curl} --data-binary @- ${good.url}`,
      `@reboot OUT=$(ls /nowhere 2>&1); ${curl} --data-raw "$OUT" ${bad.url}/$?`,
      `@reboot ${curl} "${pushed.url.replace("/ping/", "/api/push/")}?status=up&msg=OK&ping=12"`,
    ]);
    const pingsOf = async ({ id }: { id: number }) => (await client.get(`/api/monitors/${id}/pings`)).body.pings;
    const statusOf = async ({ id }: { id: number }) => (await client.get(`/api/monitors/${id}`)).body.monitor;
    try {
      await until("all jobs have reported", async () => {
        const counts = await Promise.all([good, bad, pushed].map(async (one) => (await pingsOf(one)).length));
        return counts.join() === "2,1,1";
      });
      const [end, start] = await pingsOf(good);
      expect([start?.kind, end?.kind, end?.body, typeof end?.duration]).toEqual([
        "start",
        "success",
        "done\n",
        "number",
      ]);
      expect(end?.user_agent).toStartWith("curl/");
      expect((await pingsOf(bad))[0]).toMatchObject({ kind: "fail", exit_status: 2 });
      expect((await pingsOf(bad))[0]?.body).toContain("/nowhere");
      expect((await pingsOf(pushed))[0]).toMatchObject({ kind: "success", body: "OK", duration: 12 });
      expect((await statusOf(good)).status).toBe("up");
      expect(await statusOf(bad)).toMatchObject({ status: "down", error_code: "heartbeat_exit" });
      expect((await statusOf(pushed)).status).toBe("up");
    } finally {
      await stop();
    }
  });

  it("reports by the ping key and the slug of healthchecks, after only the host of its line was changed", async () => {
    const { hub, client } = await start();
    const key = "Zk3cXr8mQ2vT1aBcD4eF5g";
    const checks = [{ name: "Backup", slug: "backup", uuid: crypto.randomUUID(), timeout: 86_400, grace: 3600 }];
    const form = new FormData();
    form.set("file", new Blob([JSON.stringify({ checks })]), "checks.json");
    const headers = { authorization: `Bearer ${client.signedIn.token}` };
    const preview = await fetch(`${hub.origin}/api/import/preview`, { method: "POST", headers, body: form });
    const { id } = (await preview.json()) as { id: string };
    await client.post(`/api/import/preview/${id}/apply`, {});
    await client.post("/api/ping-keys", { key });
    const stop = startCron(
      [
        `@reboot curl -fsS -m 10 --retry 5 -o /dev/null https://hc-ping.com/${key}/backup`,
        `@reboot curl -fsS -m 10 --retry 5 -o /dev/null https://hc-ping.com/${key}/web-01/start?create=1`,
      ].map((line) => line.replace("https://hc-ping.com", `${hub.origin}/ping`)),
    );
    try {
      await until("both jobs have reported", async () => {
        const { monitors } = (await client.get("/api/monitors")).body;
        const of = (name: string) => monitors.find((one: { name: string }) => one.name === name);
        return of("Backup")?.status === "up" && of("web-01") !== undefined;
      });
    } finally {
      await stop();
    }
  });
});
