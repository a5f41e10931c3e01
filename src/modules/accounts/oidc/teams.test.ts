import { expect, it } from "bun:test";
import { asc, eq, inArray } from "drizzle-orm";
import type { TeamGroup } from "../../../core/settings/sign-in";
import { invitations, members, monitors, securityLog } from "../../../db/schema";
import { MINUTE } from "../../../shared/limits";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { startWithPeople } from "../../../testing/oidc/issuer-hub";

/** A hub with a team of alice, and bob who signs in at the issuer with groups. */
const start = async (...groups: Omit<TeamGroup, "teamId">[]) => {
  const started = await startWithPeople();
  const { app, issuer, alice, bob, signIn, link } = started;
  const { team } = (await app.as(alice).post("/api/teams", { name: "Shop" })).body;
  Object.assign(app.deps.config.oidc, { teams: groups.map((group) => ({ ...group, teamId: team.id })) });
  await link(bob);
  /** The role of bob in the team after a sign-in with these groups. */
  const roleWith = async (groups: unknown) => {
    issuer.lies.user.groups = groups;
    const { token } = (await signIn()).body;
    const { teams } = (await app.as({ ...bob, token }).get("/api/teams")).body;
    return teams.find(({ id }: { id: number }) => id === team.id)?.role ?? null;
  };
  return { ...started, teamId: team.id, roleWith };
};

it("groups give roles in teams at each sign-in, the highest one of several, and take them away", async () => {
  const { app, roleWith } = await start(
    ...([
      { group: "ops", role: "editor" },
      { group: "staff", role: "viewer" },
      { group: "leads", role: "owner" },
    ] as const),
  );
  expect(await roleWith(["others"])).toBeNull();
  expect(await roleWith(["staff"])).toBe("viewer");
  expect(await roleWith(["staff", "ops"])).toBe("editor");
  expect(await roleWith(["leads", "ops", "staff"])).toBe("owner");
  expect(await roleWith("staff")).toBe("viewer");
  expect(await roleWith("staff,ops")).toBeNull();
  expect(await roleWith([["ops"], { ops: true }, "Ops"])).toBeNull();
  const kinds = inArray(securityLog.kind, ["member_changed", "member_removed"]);
  const logged = await app.db.select().from(securityLog).where(kinds).orderBy(asc(securityLog.id));
  expect(logged.map(({ username, detail }) => `${username}: ${detail}`)).toEqual([
    "Authentik: Shop, bob: – → viewer",
    "Authentik: Shop, bob: viewer → editor",
    "Authentik: Shop, bob: editor → owner",
    "Authentik: Shop, bob: owner → viewer",
    "Authentik: Shop, bob",
  ]);
});

it("the last owner of a team is neither demoted nor removed by groups, and the log says so", async () => {
  const { app, alice, bob, teamId, roleWith } = await start({ group: "leads", role: "owner" });
  expect(await roleWith(["leads"])).toBe("owner");
  expect((await app.as(alice).delete(`/api/teams/${teamId}/members/${alice.id}`)).status).toBe(200);
  expect(await roleWith([])).toBe("owner");
  Object.assign(app.deps.config.oidc, { teams: [{ group: "leads", role: "viewer", teamId }] });
  expect(await roleWith(["leads"])).toBe("owner");
  expect(app.logged.filter((line) => line.includes("last_owner"))).toHaveLength(2);
  // Nor does the user of a personal team lose it.
  Object.assign(app.deps.config.oidc, { teams: [{ group: "leads", role: "owner", teamId: bob.teamId }] });
  await roleWith([]);
  const own = await app.db.select().from(members).where(eq(members.teamId, bob.teamId));
  expect(own).toMatchObject([{ userId: bob.id, role: "owner" }]);
});

it("two owners whose groups end at the same moment do not leave a team without one", async () => {
  const { app, issuer, alice, teamId, begin, link, roleWith } = await start({ group: "leads", role: "owner" });
  await roleWith(["leads"]);
  const subjects = [issuer.lies.user.sub, "another user"];
  issuer.lies.user.sub = subjects[1];
  await link(alice);
  const answers = [];
  for (const sub of subjects) {
    Object.assign(issuer.lies.user, { sub, groups: [] });
    const { url, ticket } = await begin();
    answers.push({ ticket, query: issuer.authorize(url) });
  }
  // The details of the issuer are of the user of each token.
  issuer.lies.metadata = { userinfo_endpoint: undefined };
  app.clock.set(app.clock.now() + MINUTE);
  const signedIn = await Promise.all(answers.map((answer) => app.anybody.post("/api/auth/oidc/callback", answer)));
  expect(signedIn.map(({ status }) => status)).toEqual([200, 200]);
  const left = await app.db.select().from(members).where(eq(members.teamId, teamId));
  expect(left).toMatchObject([{ role: "owner" }]);
});

it("a team keeps what a removed member has made, and their invitations end", async () => {
  const { app, alice, bob, teamId, roleWith } = await start({ group: "leads", role: "owner" });
  await roleWith(["leads"]);
  const shop = await addMonitor(app, { ...bob, teamId }, { url: "http://127.0.0.1:1" });
  expect((await app.as(bob).post(`/api/teams/${teamId}/invitations`, { role: "owner" })).status).toBe(201);
  expect(await roleWith([])).toBeNull();
  expect(await app.db.$count(invitations)).toBe(0);
  const rows = await app.db.select().from(monitors).where(eq(monitors.id, shop));
  expect(rows).toMatchObject([{ teamId, userId: alice.id }]);
});

it("teams that OIDC_TEAMS does not name keep their members, and one that does not exist refuses no sign-in", async () => {
  const { app, alice, teamId, roleWith } = await start({ group: "ops", role: "viewer" });
  await roleWith(["ops"]);
  Object.assign(app.deps.config.oidc, { teams: [{ group: "ops", role: "editor", teamId: 987_654 }] });
  expect(await roleWith(["ops"])).toBe("viewer");
  expect(app.logged.join("")).toContain('"team":987654,"reason":"not_found"');
  expect((await app.as(alice).get(`/api/teams/${teamId}/members`)).body.members).toHaveLength(2);
});
