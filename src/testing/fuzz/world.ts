import { isNull, notInArray, or, sql } from "drizzle-orm";
import {
  agentStates,
  agents,
  alertPolicies,
  channels,
  checkBlocks,
  deliveries,
  dependencies,
  events,
  monitorStates,
  monitors,
  outages,
  users,
} from "../../db/schema";
import { createKey } from "../../modules/accounts/keys/service";
import type { TestApp } from "../app";
import { enrollAgent } from "../fixtures/agents";
import { addChannel, addPolicy, telegramChannel } from "../fixtures/alerts";
import { sessionOf } from "../fixtures/forged-sessions";
import { addMonitor } from "../fixtures/monitors";
import { addUser, type TestUser } from "../fixtures/people";
import { machineFacts, wideSampleAt } from "../fixtures/wide-reports";

/** Part of all texts of other users: an answer with it is a leak. */
export const CANARY = "canary-5e1f";

/** Creates one of everything that a user can own. Its texts begin with `word`. */
const createOneOfEach = async (app: TestApp, owner: TestUser, word: string, target: string) => {
  const monitor = await addMonitor(app, owner, {
    name: `${word} monitor`,
    url: `${target}?${word}`,
    headers: { Authorization: `${word} header` },
    body: `${word} body`,
    active: false,
  });
  const agent = await enrollAgent(app, owner, {
    machine_id: word,
    hostname: `${word}-host`,
    name: `${word} agent`,
    os: word,
  });
  await agent.report([wideSampleAt(app.clock.now(), {}, word)], machineFacts(word));
  await app.as(owner).put(`/api/monitors/${monitor}/dependencies`, { parents: [{ type: "agent", id: agent.id }] });
  const channel = await addChannel(app, owner, { ...telegramChannel(), name: `${word} channel` });
  const steps = [{ after_minutes: 0, channels: [channel] }];
  const policy = await addPolicy(app, owner, { name: `${word} policy`, steps });
  const texts = { channel_id: channel, title: `${word} title`, body: `${word} body` };
  const template = (await app.as(owner).post("/api/notifications/templates", texts)).body.data.id;
  const figure = { scope: "agent", agent_id: agent.id, metric: "disk", subject: `/${word}`, threshold: 90, minutes: 5 };
  const threshold = (await app.as(owner).post("/api/thresholds", figure)).body.threshold.id;
  const key = (await createKey(app.deps, owner, { name: `${word} key`, scopes: ["full"] })).data.id;
  const ids = { monitors: monitor, agents: agent.id, channels: channel, policies: policy, keys: key, users: owner.id };
  return { ...ids, templates: template, thresholds: threshold, agentKey: agent.key };
};

/**
 * Alice is the administrator, bob is the usual actor, and nothing of charlie's may be shown to bob. `revive` creates what
 * bob's requests have deleted.
 */
export const createFuzzWorld = async (app: TestApp, target: string) => {
  const alice = await addUser(app.deps, `${CANARY}-alice`, "admin");
  const bob = await addUser(app.deps, "bob");
  const charlie = await addUser(app.deps, `${CANARY}-charlie`);
  await createOneOfEach(app, alice, `${CANARY} of alice`, target);
  const foreign = await createOneOfEach(app, charlie, `${CANARY} of charlie`, target);
  const secrets: Record<string, string> = {
    alice: alice.token,
    bob: bob.token,
    anonymous: "",
    false: "wk_AAAA",
    broken: "a.b.c",
  };
  let own = foreign;
  let round = 0;

  /** Signs alice and bob in again where a request has ended their session. */
  const signInAgain = async () => {
    for (const [name, user] of Object.entries({ alice, bob })) {
      if ((await app.as(user).get("/api/auth/me")).status === 200) continue;
      user.token = await sessionOf(app, user);
      secrets[name] = user.token;
    }
  };

  const revive = async () => {
    round++;
    await signInAgain();
    await app.db.rows(sql`delete from api_keys where user_id = ${bob.id}`);
    await app.db.rows(sql`delete from alert_policies where user_id = ${bob.id}`);
    await app.db.rows(sql`delete from thresholds where user_id = ${bob.id}`);
    await app.db.rows(
      sql`delete from enrollment_tokens where user_id = ${bob.id} and id not in (select token_id from enrolled_machines)`,
    );
    own = await createOneOfEach(app, bob, `bob ${round}`, target);
    for (const scope of ["read", "full"] as const)
      secrets[scope] = (await createKey(app.deps, bob, { name: scope, scopes: [scope] })).key;
    secrets.agent = own.agentKey;
  };
  await revive();

  const strangers = await Promise.all([1, 2, 3].map((number) => addUser(app.deps, `stranger ${number}`)));

  return {
    actors: Object.keys(secrets),
    revive,
    signInAgain,
    secretOf: (actor: string) => secrets[actor] ?? "",
    /** The id in a path. An administrator may delete strangers only, because the actors are needed. */
    idOf: (actor: string, path: string, id: string): string => {
      const [, kind = ""] = /\/(\w+)\/\{id\}/.exec(path) ?? [];
      if (id !== "own" && id !== "foreign") return id;
      if (actor === "alice")
        return String(kind === "users" ? strangers[id === "own" ? 0 : 1]?.id : own[kind as keyof typeof own]);
      return String((id === "own" ? own : foreign)[kind as keyof typeof own] ?? 1);
    },
    /** Counts rows whose owner or parent is missing. */
    readOrphans: async () => {
      const { db } = app;
      const ids = (table: typeof monitors | typeof agents | typeof users | typeof events) =>
        db.select({ id: table.id }).from(table);
      return {
        monitors: await db.$count(monitors, notInArray(monitors.userId, ids(users))),
        dependencies: await db.$count(
          dependencies,
          sql`case when target_type = 'monitor' then target_id not in (select id from monitors) else target_id not in (select id from agents) end
            or case when parent_type = 'monitor' then parent_id not in (select id from monitors) else parent_id not in (select id from agents) end`,
        ),
        states: await db.$count(monitorStates, notInArray(monitorStates.monitorId, ids(monitors))),
        stateless: await db.$count(
          monitors,
          notInArray(monitors.id, db.select({ id: monitorStates.monitorId }).from(monitorStates)),
        ),
        checks: await db.$count(checkBlocks, notInArray(checkBlocks.monitorId, ids(monitors))),
        agentStates: await db.$count(agentStates, notInArray(agentStates.agentId, ids(agents))),
        outages: await db.$count(
          outages,
          sql`case when target_type = 'monitor' then target_id not in (select id from monitors) else target_id not in (select id from agents) end`,
        ),
        events: await db.$count(events, notInArray(events.userId, ids(users))),
        deliveries: await db.$count(deliveries, notInArray(deliveries.eventId, ids(events))),
        claimed: await db.$count(monitorStates, sql`${monitorStates.claimedBy} is not null`),
        nameless: await db.$count(users, or(isNull(users.username), sql`${users.username} = ''`)),
      };
    },
    /** Reads everything of charlie's that only charlie may change. */
    readForeign: async () => {
      const { db } = app;
      const of = (
        column: typeof monitors.userId | typeof agents.userId | typeof channels.userId | typeof alertPolicies.userId,
      ) => sql`${column} = ${charlie.id}`;
      return {
        user: await db.select().from(users).where(sql`${users.id} = ${charlie.id}`),
        monitors: await db.select().from(monitors).where(of(monitors.userId)),
        agents: await db.select().from(agents).where(of(agents.userId)),
        channels: await db.select().from(channels).where(of(channels.userId)),
        policies: await db.select().from(alertPolicies).where(of(alertPolicies.userId)),
      };
    },
  };
};

export type FuzzWorld = Awaited<ReturnType<typeof createFuzzWorld>>;
