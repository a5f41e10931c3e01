import { type AlertEvent, messageOf } from "../../../src/modules/alerting/messages/message";
import { until } from "../../smoke/lib/until";
import { callsOf, option, signIn } from "../lib/client";
import { seedFlipping } from "../lib/installation";
import { enableAlerts, type Received, startProvider } from "../lib/provider";
import { remove, startServer, temporaryDirectory, withFile } from "../lib/server";

const MONITORS = 60;
const FLIPPERS = 6;
/** Milliseconds between two changes of a monitor, whose messages have a resolution of one second. */
const REST = 1100;

type Flip = { monitorId: number; kind: "down" | "recovery"; at: number };
type Check = { checked_at: string; status: "up" | "down" };
type Row = Omit<AlertEvent, "userId" | "errorDetail"> & {
  errorDetail: string | null;
  state: string | null;
  /** Why its delivery is withheld. */
  withheld: string | null;
  target: string | null;
};

/** Flips targets and checks them manually until the hub is gone. Returns the changes that were answered. */
const flip = async (url: string, token: string, down: Set<string>, rested: Map<number, number>): Promise<Flip[]> => {
  const call = callsOf(url, token);
  const flips: Flip[] = [];
  const flipper = async (first: number) => {
    for (let monitorId = first; ; monitorId = ((monitorId - 1 + FLIPPERS) % MONITORS) + 1) {
      await Bun.sleep(Math.max(0, (rested.get(monitorId) ?? 0) + REST - Date.now()));
      rested.set(monitorId, Date.now());
      const path = `/${monitorId}`;
      if (!down.delete(path)) down.add(path);
      // A check started by the killed process may be in progress again; then its result counts.
      const { check } = await call<{ check: Check }>("POST", `/monitors${path}/check`);
      flips.push({ monitorId, kind: check.status === "up" ? "recovery" : "down", at: Date.parse(check.checked_at) });
    }
  };
  await Promise.allSettled(Array.from({ length: FLIPPERS }, (_, index) => flipper(index + 1)));
  return flips;
};

const readRows = (dataDir: string): Promise<Row[]> =>
  withFile(
    dataDir,
    (db) =>
      db
        .query(
          `select e.id, e.kind, e.target_type as targetType, e.target_id as targetId, e.target_name as targetName, e.at, e.since,
        e.error_code as errorCode, e.error_detail as errorDetail, e.figure, e.threshold, e.mount, e.subject, d.state, d.error_code as withheld,
        o.started_after as startedAfter, case when m.host <> '' then m.target end as target
        from events as e left join deliveries as d on d.event_id = e.id left join outages as o on o.id = e.outage_id
        left join monitors as m on m.id = e.target_id order by e.id`,
        )
        .all() as Row[],
  );

const textOf = (row: Row): string => {
  const event = { ...row, userId: 1, facts: null, errorDetail: row.errorDetail && JSON.parse(row.errorDetail) };
  const { title, lines } = messageOf({ event, target: row.target }, { language: "zh-CN" }, "");
  return [title, ...lines].join("\n");
};

/** The outage ended before its alert was sent, so neither its beginning nor its end is. */
const isWithdrawn = ({ state, withheld }: Row): boolean => state === "withheld" && withheld === "recovered";

/** The text of a message without the probable cause and the link to acknowledge, which are not stored with the event. */
const eventTextOf = ({ text }: Received): string =>
  text
    .split("\n")
    .filter((line) => !line.includes("/acknowledge/") && !line.startsWith("可能"))
    .join("\n");

/** Compares what the provider received with what is stored. */
const audit = (rows: Row[], received: Received[], flips: Flip[]) => {
  const copies = Map.groupBy(received, eventTextOf);
  const eventKeys = new Set(rows.map(({ targetId, kind, at }) => `${targetId} ${kind} ${at}`));
  // After a kill a flip may restore the state that the hub last recorded: then nothing changed.
  const changes = flips.filter(({ monitorId, kind, at }) => !eventKeys.has(`${monitorId} ${kind} ${at}`));
  const without_event = changes.filter(({ monitorId, kind, at }) => {
    const last = rows.filter((row) => row.targetId === monitorId && row.at < at).at(-1);
    return (last?.kind ?? "recovery") !== kind;
  });
  const twice = [...copies.values()].filter(({ length }) => length > 1);
  const isAcrossKill = (list: Received[]) =>
    list.every(({ life }, index) => index === 0 || life > (list[index - 1]?.life ?? life));
  const announced = rows.filter((row) => !isWithdrawn(row));
  const order = announced.filter((row) => {
    const before = announced.filter(({ targetId, id }) => targetId === row.targetId && id < row.id).at(-1);
    const first = (one: Row | undefined) => (one ? (copies.get(textOf(one))?.[0]?.at ?? 0) : 0);
    return first(row) < first(before);
  });
  return {
    events: rows.length,
    flips_answered: flips.length,
    withdrawn: rows.filter(isWithdrawn).length,
    twice: twice.length,
    losses: {
      flips_without_event: without_event.length,
      not_delivered: announced.filter((row) => row.state !== "sent" || !copies.has(textOf(row))).length,
      unknown_messages: [...copies.keys()].filter((text) => !rows.some((row) => textOf(row) === text)).length,
      out_of_order: order.length,
      twice_without_a_kill_between: twice.filter((list) => !isAcrossKill(list)).length,
    },
  };
};

/** Kills the hub `--kills` times while alerts are sent, and looks for lost and duplicate ones. */
export const bench = async (args: string[]) => {
  const kills = option(args, "kills", 200);
  const dataDir = temporaryDirectory();
  const [provider, targets] = [startProvider({ delay: 15 }), await seedFlipping(dataDir, MONITORS)];
  const env = { ALERT_GROUP_SECONDS: "0", ALERT_FLAP_CHANGES: "0", LOG_LEVEL: "error" };
  const flips: Flip[] = [];
  const rested = new Map<number, number>();
  for (let life = 0; life < kills; life++) {
    provider.state.life = life;
    const server = await startServer(dataDir, env);
    const token = await signIn(server.url);
    if (life === 0) await enableAlerts(callsOf(server.url, token), provider.origin);
    const flipping = flip(server.url, token, targets.down, rested);
    // A slow machine sends its first message late.
    const wanted = provider.received.length + (life % 3);
    await until("messages", async () => provider.received.length >= wanted);
    await Bun.sleep(50 + Math.random() * 450);
    await server.kill();
    flips.push(...(await flipping));
  }
  provider.state.life = kills;
  const server = await startServer(dataDir, env);
  const isOver = async () => (await readRows(dataDir)).every(({ state }) => state !== "pending" && state !== null);
  await until("the last deliveries", isOver, 120_000);
  await server.stop();
  provider.stop();
  targets.stop();
  const outcome = audit(await readRows(dataDir), provider.received, flips);
  remove(dataDir);
  return { kills, ...outcome };
};
