import { startSession } from "../modules/auth/sessions/service";
import { enrolAgent, machine, reportOf, sampleAt } from "./agents";
import { addChannel, telegramChannel } from "./alerts";
import type { TestApp } from "./app";
import { sessionOf } from "./intruders";
import { addMonitor } from "./monitors";
import { addUser, type TestUser } from "./people";
import { publish } from "./status";

/** Nothing listens there, and whoever may not ask there is told so without being connected. */
export const NOWHERE = "http://127.0.0.1:1/";

const makeKey = async (app: TestApp, owner: TestUser, scope: "read" | "full"): Promise<string> =>
  (await app.as(owner).post("/api/keys", { name: scope, scope })).body.key;

/** Everything that a path can name, once over, and all of it bob's; with whoever may want it. */
export const createWorld = async (app: TestApp) => {
  const { alice, bob, charlie } = await app.people();
  const addShop = () => addMonitor(app, bob, { url: NOWHERE, active: false });
  const addServer = (name: string) => enrolAgent(app, bob, { machine_id: name, hostname: name });
  const [shop, server, chat] = [await addShop(), await addServer("db"), await addChannel(app, bob)];
  await publish(app, bob, { title: "bob's", monitors: [shop], agents: [server.id] });
  const { token } = (await app.as(charlie).post("/api/agents/token/generate")).body;
  const keys: Record<string, string> = {
    agent: server.key,
    reading: await makeKey(app, bob, "read"),
    full: await makeKey(app, bob, "full"),
    "alice's": await makeKey(app, alice, "full"),
  };
  /** A person's token; a new one where an earlier call has ended the session. */
  const tokenOf = async (person: TestUser): Promise<string> => {
    if ((await app.as(person).get("/api/auth/me")).status !== 200) person.token = await sessionOf(app, person);
    return person.token;
  };
  let more = 0;
  const openToken = async () => (await app.as(bob).get("/api/agents/tokens")).body.tokens.find(({ used }) => !used)?.id;
  const addToken = async () => {
    const open = await openToken();
    if (open !== undefined) return open;
    await app.as(bob).post("/api/agents/token/generate");
    return (await openToken()) ?? 0;
  };
  const kinds: Record<string, { id: number; another: () => Promise<number | string> }> = {
    sessions: {
      id: 0,
      another: async () =>
        (await startSession(app.deps, { ...bob, tokenVersion: 0 }, { userAgent: "", address: "" })).sid,
    },
    users: { id: bob.id, another: async () => (await addUser(app.deps, app.send, `dora ${++more}`)).id },
    keys: {
      id: 0,
      another: async () => (await app.as(bob).post("/api/keys", { name: "x", scope: "read" })).body.data.id,
    },
    monitors: { id: shop, another: addShop },
    agents: { id: server.id, another: async () => (await addServer(`db ${++more}`)).id },
    channels: { id: chat, another: () => addChannel(app, bob) },
    tokens: { id: 0, another: addToken },
  };

  return {
    alice,
    bob,
    charlie,
    registration: { token, ...machine() },
    report: reportOf([sampleAt(app.clock.now())]),
    channel: telegramChannel(),

    /** The Authorization header of an actor: a person's session as it is now, or a key. */
    authorization: async (actor: string): Promise<string> => {
      const person = { alice, bob, charlie }[actor];
      if (person) return `Bearer ${await tokenOf(person)}`;
      return actor === "nobody" ? "" : `Bearer ${keys[actor]}`;
    },

    /** A path with names of what is there; what is about to be deleted is made for that. */
    fill: async (method: string, path: string): Promise<string> => {
      const kind = /(\w+)\/:id/.exec(path)?.[1] ?? "";
      const { id = 0, another } = kinds[kind] ?? {};
      await tokenOf(bob);
      const target = method === "DELETE" && another ? await another() : id;
      return path.replace(":id", String(target)).replace(":file", `${shop}.svg`).replace(":name", "nothing");
    },
  };
};

export type World = Awaited<ReturnType<typeof createWorld>>;
