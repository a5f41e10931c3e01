import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { postfix } from "../services/lib/daemons";
import { freePort } from "../smoke/lib/free-port";
import { callsOf, option, signIn } from "./lib/client";
import { enableAlerts, startFlipping, startProvider } from "./lib/provider";
import { seed } from "./lib/seed";
import { ascending, median, round, withFile, withHub } from "./lib/server";

const DOMAIN = "shop.example";
/** The beginning of addresses that do not exist. */
const GONE = "gone-";

/** Starts Postfix, which puts every mail to the domain into one mailbox, except for addresses that do not exist. */
const startPostfix = async () => {
  const place = { folder: mkdtempSync(join(tmpdir(), "wakeful-bench-")), port: freePort() };
  const { program, args, files, prepare } = postfix({ delivers: DOMAIN, refuses: GONE });
  for (const [name, content] of Object.entries(files?.(place) ?? {})) {
    const path = join(place.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  for (const command of prepare?.(place) ?? []) Bun.spawnSync(command);
  const child = Bun.spawn([program, ...args(place)], { stdout: "ignore", stderr: "ignore" });
  const inbox = join(place.folder, "mail/new");
  return {
    port: place.port,
    count: (): number => {
      try {
        return readdirSync(inbox).length;
      } catch {
        return 0;
      }
    },
    stop: async () => {
      child.kill();
      await child.exited;
      rmSync(place.folder, { recursive: true, force: true });
    },
  };
};

/** Adds confirmed subscribers to the first page. The addresses of `gone` of them do not exist, and have been refused nine times. */
const addSubscribers = (dataDir: string, count: number, gone: number) =>
  withFile(
    dataDir,
    (db) => {
      db.run("pragma busy_timeout = 5000");
      const insert = db.query(
        "insert into subscribers (page_id, kind, address, address_key, language, nonce, created_at, confirmed_at, failures) values (1, 'email', ?1, ?1, 'en-US', 'x', ?2, ?2, ?3)",
      );
      db.transaction(() => {
        for (let id = 1; id <= count; id++) {
          // In turn, as far as there are any.
          const isGone = Math.floor((id * gone) / count) > Math.floor(((id - 1) * gone) / count);
          insert.run(`${isGone ? GONE : "visitor-"}${id}@${DOMAIN}`, Date.now(), isGone ? 9 : 0);
        }
      })();
    },
    { write: true },
  );

type Call = ReturnType<typeof callsOf>;

/** Changes the state of a monitor again and again until `isOver`. Returns the times from a change to its alert. */
const alertsUntil = async (
  { call, provider, down }: { call: Call; provider: ReturnType<typeof startProvider>; down: Set<string> },
  isOver: (changes: number) => boolean,
): Promise<number[]> => {
  const times: number[] = [];
  for (let changes = 0; !isOver(changes); changes++) {
    // A monitor refuses a second manual check within a second.
    await Bun.sleep(1100);
    if (!down.delete("all")) down.add("all");
    const before = provider.received.length;
    type Answer = { check: { checked_at: string; response_time: number } };
    const { check } = await call<Answer>("POST", "/monitors/1/check");
    while (provider.received.length <= before) await Bun.sleep(1);
    times.push((provider.received[before]?.at ?? 0) - Date.parse(check.checked_at) - check.response_time);
  }
  return times;
};

const figures = (name: string, times: readonly number[]) => ({
  [`${name}_alerts`]: times.length,
  [`${name}_median_ms`]: round(median([...times])),
  [`${name}_max_ms`]: round(ascending([...times]).at(-1) ?? 0),
});

/**
 * Mails about an incident to `--subscribers` through Postfix, and how late alerts are without and during them. `--gone` of them have
 * addresses that do not exist, and end with the tenth refusal.
 */
export const bench = async (args: string[]): Promise<object> => {
  const count = option(args, "subscribers", 10_000);
  const gone = option(args, "gone", 0);
  const wanted = count - gone;
  const [mail, provider, targets] = [await startPostfix(), startProvider(), startFlipping()];
  try {
    return await withHub(
      (dataDir) => seed(dataDir, { monitors: 1, interval: 86_400, urls: [`${targets.origin}/`] }),
      async (hub) => {
        const call = callsOf(hub.url, await signIn(hub.url));
        await enableAlerts(call, provider.origin, 1);
        await call("POST", "/status/config", { title: "Acme", monitors: [1] });
        await addSubscribers(hub.dataDir, count, gone);
        const world = { call, provider, down: targets.down };
        const before = await alertsUntil(world, (changes) => changes >= 40);
        const from = Date.now();
        await call("POST", "/incidents", { title: "Payments fail", body: "We look into it." });
        const deadline = from + 900_000;
        let until = 0;
        const numberOf = (condition: string) =>
          withFile(hub.dataDir, (db) => {
            const [row] = db.query(`select count(*) as count from ${condition}`).all() as { count: number }[];
            return row?.count ?? 0;
          });
        const isSent = () => {
          if (mail.count() >= wanted) until ||= Date.now();
          return until > 0 || Date.now() > deadline;
        };
        const during = await alertsUntil(world, isSent);
        await Bun.sleep(3000);
        while ((await numberOf("notices")) > 0 && Date.now() < deadline) await Bun.sleep(500);
        return {
          ...{
            subscribers: count,
            gone,
            ended: await numberOf("subscribers where ended_at is not null"),
            seconds: round(((until || Date.now()) - from) / 1000),
            mails: mail.count(),
          },
          ...{ ...figures("without", before), ...figures("during", during) },
          losses: {
            missing: Math.max(0, wanted - mail.count()),
            waiting: await numberOf("notices"),
            twice: Math.max(0, mail.count() - wanted),
            refused: await numberOf(
              "subscribers where ended_at is not null and failures < 10 or ended_at is null and failures > 0",
            ),
          },
        };
      },
      {
        ...{ LOG_LEVEL: "warn", ALERT_GROUP_SECONDS: "0", ALERT_FLAP_CHANGES: "0", PUBLIC_URL: "http://localhost:1" },
        ...{ SMTP_URL: `smtp://127.0.0.1:${mail.port}?security=none`, MAIL_FROM: `Acme <status@${DOMAIN}>` },
      },
    );
  } finally {
    provider.stop();
    targets.stop();
    await mail.stop();
  }
};
