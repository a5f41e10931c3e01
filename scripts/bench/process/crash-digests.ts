import { Database } from "bun:sqlite";
import { join } from "node:path";
import { option, signIn } from "../lib/client";
import { callsOf, startFlipping } from "../lib/provider";
import { seed } from "../lib/seed";
import { median, remove, startServer, temporaryDirectory } from "../lib/server";
import { flip, MONITORS } from "./crash";

/** A message as the fake homeserver received it. Its key names the first delivery in it and how many others there are. */
type Sent = { key: string; life: number; answered: boolean };
type Row = {
  id: number;
  eventId: number;
  digestId: number | null;
  state: string;
  attempts: number;
  createdAt: number;
};

/** A fake Matrix homeserver, whose requests name their message. */
const startHomeserver = (delay: number) => {
  const sent: Sent[] = [];
  const state = { life: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async ({ url }) => {
      const entry = { key: url.split("/").at(-1) ?? "", life: state.life, answered: false };
      sent.push(entry);
      await Bun.sleep(delay);
      entry.answered = true;
      return Response.json({ event_id: "$event" });
    },
  });
  return { origin: `http://127.0.0.1:${server.port}`, sent, state, stop: () => server.stop(true) };
};

const enable = async (call: ReturnType<typeof callsOf>, server: string): Promise<void> => {
  const config = { server, accessToken: "syt_secret", room: "!room:example.org" };
  const channel = { name: "room", type: "matrix", config };
  const { data } = await call<{ data: { id: number } }>("POST", "/notifications/channels", channel);
  await call("POST", "/notifications/settings", { target_type: "global-monitor", enabled: true, channels: [data.id] });
};

const read = (dataDir: string) => {
  const db = new Database(join(dataDir, "wakeful.db"), { readonly: true });
  const rows = db
    .query(
      `select id, event_id as eventId, digest_id as digestId, state, attempts, created_at as createdAt from deliveries`,
    )
    .all() as Row[];
  const count = (condition: string) =>
    (db.query(`select count(*) as count from events as e where ${condition}`).get() as { count: number }).count;
  const unplanned = count("planned_at is null");
  const alone = count("not exists (select 1 from deliveries as d where d.event_id = e.id)");
  db.close();
  return { rows, unplanned, alone, events: new Set(rows.map(({ eventId }) => eventId)).size };
};

/** Compares what the homeserver received with the stored deliveries. Every figure that is named after a fault should be 0. */
const audit = ({ rows, unplanned, alone, events }: ReturnType<typeof read>, sent: readonly Sent[]) => {
  const byMessage = Map.groupBy(
    rows.filter(({ state }) => state === "sent"),
    ({ id, digestId }) => digestId ?? id,
  );
  const copiesOf = (first: Row): Sent[] =>
    first.digestId === null
      ? sent.filter(({ key }) => key === `wakeful-${first.eventId}-${first.id}-${first.createdAt}`)
      : sent.filter(({ key }) => key.startsWith(`wakeful-${first.digestId}-`) && key.split("-").length === 5);
  const messages = [...byMessage.values()].map((list) => ({ list, copies: copiesOf(list[0] as Row) }));
  const isComplete = ({ list, copies }: (typeof messages)[number]): boolean => {
    const last = copies.at(-1);
    if (!last?.answered) return false;
    return list.length === 1 || Number(last.key.split("-")[2]) === list.length - 1;
  };
  const again = messages.filter(({ copies }) => copies.length > 1);
  const sizes = messages.map(({ list }) => list.length).filter((size) => size > 1);
  return {
    events,
    unplanned,
    events_without_delivery: alone,
    states: Object.fromEntries(
      [...Map.groupBy(rows, ({ state }) => state)].map(([state, list]) => [state, list.length]),
    ),
    messages: messages.length,
    digests: sizes.length,
    deliveries_in_a_digest_median: median(sizes),
    not_over: rows.filter(({ state }) => state === "pending" || state === "failed").length,
    marked_sent_but_not_received: messages.filter((message) => !isComplete(message)).length,
    twice: again.length,
    twice_without_a_kill_between: again.filter(({ copies }) =>
      copies.some(({ life }, index) => index > 0 && life <= (copies[index - 1]?.life ?? -1)),
    ).length,
  };
};

/** Kills the hub `--kills` times while alerts wait for others and are sent together, and looks for lost and duplicate ones. */
export const bench = async (args: string[]): Promise<object> => {
  const kills = option(args, "kills", 200);
  const dataDir = temporaryDirectory();
  const [provider, targets] = [startHomeserver(60), startFlipping()];
  const urls = Array.from({ length: MONITORS }, (_, index) => `${targets.origin}/${index || MONITORS}`);
  await seed(dataDir, { monitors: MONITORS, interval: 86_400, urls });
  const env = { ALERT_GROUP_SECONDS: "1", ALERT_FLAP_CHANGES: "0", LOG_LEVEL: "error" };
  const rested = new Map<number, number>();
  for (let life = 0; life < kills; life++) {
    provider.state.life = life;
    const server = await startServer(dataDir, env);
    const token = await signIn(server.url);
    if (life === 0) await enable(callsOf(server.url, token), provider.origin);
    const flipping = flip(server.url, token, targets.down, rested);
    await Bun.sleep(50 + Math.random() * 850);
    await server.kill();
    await flipping;
  }
  provider.state.life = kills;
  const server = await startServer(dataDir, env);
  const deadline = Date.now() + 120_000;
  const isOver = ({ unplanned, rows }: ReturnType<typeof read>): boolean =>
    unplanned === 0 && rows.every(({ state }) => state !== "pending");
  while (Date.now() < deadline && !isOver(read(dataDir))) await Bun.sleep(500);
  await server.stop();
  provider.stop();
  targets.stop();
  const found = audit(read(dataDir), provider.sent);
  remove(dataDir);
  return { kills, ...found };
};
