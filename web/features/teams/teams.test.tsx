import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { joinTeam } from "../../../src/testing/fixtures/people";
import { addTexts } from "../../i18n";
import { resetResources } from "../../lib/resource";
import { chooseTeam, chosenTeam, ofTeam } from "../../lib/storage";
import { signOut } from "../../session";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { cleanup, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import InvitationPage from "../auth/invitation-page";
import MoveDialog from "./move-dialog";
import TeamPage from "./team-page";
import TeamSwitch from "./team-switch";
import TeamsSection from "./teams-section";
import { texts } from "./texts";

setUpPage({ path: "/profile/team" });

const startTeams = async (name: "bob" | "charlie" = "bob") => {
  const hub = await startHubAs(name);
  addTexts({ teams: texts });
  const { id: shop } = (await hub.as(hub.bob).post("/api/teams", { name: "Shop" })).body.team;
  return { ...hub, shop };
};

const show = (id: number) =>
  render(
    <>
      <TeamPage id={String(id)} />
      <Toasts />
    </>,
  );
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

test("a user who is alone is asked to invite somebody to what is theirs, or to create a team", async () => {
  const { bob, client } = await startHubAs("bob");
  addTexts({ teams: texts });
  render(<TeamsSection />);
  const invite = await screen.findByRole<HTMLAnchorElement>("link", { name: "Invite somebody" });
  expect(invite.getAttribute("href")).toBe(`/teams/${bob.teamId}`);
  await screen.findByText("You");
  await press("Create team");
  await userEvent.type(screen.getByLabelText("Name of the team *"), "Shop");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Create team" }));
  await waitFor(() => expect(location.pathname).toMatch(/^\/teams\/\d+$/));
  expect((await client.get("/api/teams")).body.teams.map(({ name }) => name)).toEqual(["bob", "Shop"]);
});

test("a user with one team sees its members and pending invitations, and revokes one", async () => {
  const { bob, client } = await startHubAs("bob");
  addTexts({ teams: texts });
  await client.post(`/api/teams/${bob.teamId}/invitations`, { role: "viewer", email: "eve@example.com" });
  render(<TeamsSection />);
  await screen.findByText("eve@example.com");
  expect((await screen.findAllByRole("listitem")).map(({ textContent }) => textContent)).toEqual([
    "bobYouOwner",
    expect.stringMatching(/^eve@example\.comvalid until .*ViewerRevoke$/),
  ]);
  await press("Revoke the invitation: eve@example.com");
  await press("Revoke");
  await waitFor(() => expect(screen.queryByText("eve@example.com")).toBeNull());
});

test("a user with several teams sees them with their members and roles", async () => {
  await startTeams();
  render(<TeamsSection />);
  const rows = await screen.findAllByRole("listitem");
  expect(rows.map(({ textContent }) => textContent)).toEqual(["Mine1 memberOwner", "Shop1 memberOwner"]);
});

test("an owner invites by a link that is shown once, and revokes it", async () => {
  const { client, shop } = await startTeams();
  show(shop);
  await press("Invite");
  const link = await screen.findByText(/\/invitation#\d+\./);
  expect(link.textContent).toMatch(/^http.*\/invitation#\d+\.[\w-]{43}$/);
  await press("Done");
  await press("Revoke the invitation: Link");
  await press("Revoke");
  await waitFor(async () => expect((await client.get(`/api/teams/${shop}/invitations`)).body.invitations).toEqual([]));
});

test("an owner changes roles and removes members, and the last one is refused with the reason", async () => {
  const { client, bob, charlie, shop, ...hub } = await startTeams();
  await joinTeam(hub, bob, charlie, { id: shop, role: "viewer" });
  const roles = async () =>
    (await client.get(`/api/teams/${shop}/members`)).body.members.map(({ username, role }) => `${username} ${role}`);
  show(shop);
  await userEvent.selectOptions(await screen.findByLabelText("Role of charlie"), "editor");
  await waitFor(async () => expect(await roles()).toEqual(["bob owner", "charlie editor"]));
  await userEvent.selectOptions(screen.getByLabelText("Role of bob"), "viewer");
  await screen.findByText(/A team needs an owner/);
  await press("Remove charlie");
  await press("Remove");
  await waitFor(async () => expect(await roles()).toEqual(["bob owner"]));
});

test("a member chooses own channels that get the alerts of the team", async () => {
  const { client, bob, shop } = await startTeams();
  show(shop);
  expect(await screen.findByRole("link", { name: "Add a channel of your own first" })).toBeTruthy();
  cleanup();
  const config = { url: "https://chat.example/hook" };
  await client.post("/api/notifications/channels", { name: "Phone", type: "webhook", config });
  resetResources();
  show(shop);
  await userEvent.click(await screen.findByRole("switch", { name: "Phone" }));
  await screen.findByText("The channel gets the alerts of Shop");
  const { data } = (await client.get("/api/notifications/follows")).body;
  expect(data.teams).toEqual([{ team: shop, channels: [data.channels[0]?.id ?? 0] }]);
  cleanup();
  show(bob.teamId);
  await screen.findByRole("heading", { name: "Members" });
  expect(screen.queryByRole("switch", { name: "Phone" })).toBeNull();
});

test("a viewer sees members and roles, and can leave", async () => {
  const { bob, charlie, shop, ...hub } = await startTeams("charlie");
  await joinTeam(hub, bob, charlie, { id: shop, role: "viewer" });
  history.replaceState(null, "", `/teams/${shop}`);
  show(shop);
  await screen.findByRole("button", { name: "Leave team" });
  expect(screen.queryByRole("combobox")).toBeNull();
  expect(screen.queryByText("Invitations")).toBeNull();
  expect(screen.queryByText("Delete team")).toBeNull();
  await press("Leave team");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Leave team" }));
  await waitFor(() => expect(location.pathname).toBe("/profile/team"));
  expect((await hub.as(charlie).get("/api/teams")).body.teams).toHaveLength(1);
});

test("a personal team is shown to be the user's own, and cannot be deleted", async () => {
  const { bob } = await startTeams();
  show(bob.teamId);
  await screen.findByText(/This is your own team/);
  expect(screen.queryByText("Delete team")).toBeNull();
  expect(screen.queryByText("Leave team")).toBeNull();
});

test("deleting a team says what goes with it", async () => {
  const { client, shop } = await startTeams();
  show(shop);
  await press("Delete team");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(async () => expect((await client.get("/api/teams")).body.teams).toHaveLength(1));
});

test("an invitation is read without an account, kept while its reader signs in, and accepted by a button", async () => {
  const { client, charlie, shop, ...hub } = await startTeams();
  const { token } = (await client.post(`/api/teams/${shop}/invitations`, { role: "editor" })).body;
  signOut();
  history.replaceState(null, "", `/invitation#${token}`);
  render(<InvitationPage />);
  await screen.findByText("bob invites you to the team");
  expect(location.hash).toBe("");
  const signIn = screen.getByRole<HTMLAnchorElement>("link", { name: "Sign in to join" });
  expect(signIn.getAttribute("href")).toBe("/login?next=%2Finvitation");
  expect((await client.get(`/api/teams/${shop}/invitations`)).body.invitations).toHaveLength(1);
  await cleanup();
  await hub.signIn(charlie);
  render(<InvitationPage />);
  await screen.findByText("You are signed in as charlie");
  await press("Join team");
  await waitFor(async () => expect((await hub.as(charlie).get("/api/teams")).body.teams).toHaveLength(2));
  await waitFor(() => expect(chosenTeam()).toBe(String(shop)));
});

test("a link that is incomplete or no longer valid says so", async () => {
  await startTeams();
  for (const [hash, words] of [
    ["", /not complete/],
    ["#1.x", /not valid any more/],
  ] as const) {
    history.replaceState(null, "", `/invitation${hash}`);
    render(<InvitationPage />);
    await screen.findByText(words);
    await cleanup();
    sessionStorage.clear();
  }
});

test("the choice in the bar is of this tab, names each team, and begins with the last one", async () => {
  const { shop } = await startTeams();
  chooseTeam(String(shop));
  render(<TeamSwitch />);
  await press("Team Shop");
  expect(screen.getAllByRole("menuitemradio").map(({ textContent }) => textContent)).toEqual(["Mine", "Shop", "All"]);
  expect(ofTeam("api/monitors?limit=5").search).toBe(`?limit=5&team=${shop}`);
  sessionStorage.clear();
  expect(chosenTeam()).toBe(String(shop));
  sessionStorage.setItem("team", "");
  expect([chosenTeam(), ofTeam("api/monitors").search]).toEqual(["", ""]);
});

test("something is moved to another team, after what does not move with it was shown", async () => {
  const { client, bob, shop } = await startTeams();
  const { id } = (
    await client.post("/api/monitors", { name: "shop", url: "http://192.0.2.1/", active: false, interval: 60 })
  ).body.monitor;
  await client.put(`/api/monitors/${id}`, {
    name: "shop",
    url: "http://192.0.2.1/",
    interval: 60,
    tags: [{ name: "prod" }],
  });
  let moved = false;
  render(
    <>
      <MoveDialog of={{ type: "monitor", id, name: "shop" }} onMoved={() => (moved = true)} onClose={() => {}} />
      <Toasts />
    </>,
  );
  const options = await screen.findAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual(["Shop"]);
  await press("Move");
  await screen.findByText("Tag “prod”");
  expect((await client.get(`/api/monitors?team=${bob.teamId}`)).body.total).toBe(1);
  await press("Move anyway");
  await screen.findByText("“shop” was moved to the team “Shop”");
  expect(moved).toBe(true);
  expect((await client.get(`/api/monitors?team=${shop}`)).body.total).toBe(1);
});

test("an owner sees the keys that are limited to the team, and revokes them", async () => {
  const { client, shop } = await startTeams();
  await client.post("/api/keys", { name: "deploy", scopes: ["ping"], team_id: shop });
  show(shop);
  await screen.findByText("Added by bob");
  await press("Revoke: deploy");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Revoke" }));
  await waitFor(async () => expect((await client.get("/api/keys")).body.keys).toEqual([]));
});
