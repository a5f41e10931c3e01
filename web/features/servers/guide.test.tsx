import "../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { addTexts, startI18n } from "../../i18n";
import { signOut } from "../../session";
import { setUpPage } from "../../testing/set-up";
import { act, cleanup, fakeServer, render, screen, userEvent, waitFor } from "../../testing/test-page";
import CreatePage from "./guide/create-page";
import { texts } from "./guide/texts";

type Machine = { id: number; name: string; hostname: string; status: string };

let machines: Machine[] = [];
let created = 0;

const ALL = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64.exe", "windows-arm64.exe"];
let downloads: string[] = [];
const files = () => downloads.map((platform) => `wakeful-${platform}`);
const times = { created_at: "2026-01-01T00:00:00.000Z", expires_at: "2026-01-02T00:00:00.000Z" };
const token = (wanted: object) =>
  Response.json({
    success: true,
    message: "",
    id: ++created,
    token: `wkt_${created}`,
    ...{ uses: 1, expires_at: "2026-01-02T00:00:00.000Z", ...wanted },
    downloads: files(),
  });
const list = () =>
  Response.json({
    success: true,
    total: machines.length,
    counts: { all: machines.length, active: 0, inactive: 0, connecting: 0 },
    agents: machines,
  });
type Token = typeof times & { id: number; used: boolean; uses: number; uses_left: number; servers: object[] };
const single = (id: number, used = false): Token => ({
  ...{ id, ...times, used },
  ...{ uses: 1, uses_left: used ? 0 : 1, servers: [] },
});
let open: Token[] = [];
const SUM = "5".repeat(64);
const answer = async (request: Request, path: string) => {
  if (path.endsWith("/token/generate")) return token(await request.json());
  if (path.endsWith(".sha256")) return new Response(`${SUM}  wakeful\n`);
  if (!path.includes("/agents/tokens")) return list();
  if (request.method !== "DELETE") return Response.json({ success: true, tokens: open, downloads: files() });
  open = open.filter(({ id }) => !path.endsWith(`/${id}`));
  return Response.json({ success: true });
};
const commands = () => screen.getAllByRole("code").map((code) => code.textContent ?? "");

setUpPage();
beforeEach(() => {
  downloads = ALL;
  open = [];
  [machines, created] = [[{ id: 1, name: "Old", hostname: "old", status: "active" }], 0];
  fakeServer.answer(answer);
  addTexts({ enrollment: texts });
});

test("opening the guide creates one token, which every command contains", async () => {
  render(<CreatePage />);
  await screen.findByText("wkt_1");
  const origin = location.origin;
  await screen.findByText(/--sha256/);
  expect(commands()).toEqual([
    `echo wkt_1 | sh -c "$(curl -fsSL ${origin}/install.sh)" install.sh --server ${origin} --sha256 ${SUM} --token-file -`,
    origin,
    "wkt_1",
    `curl -fL -o wakeful ${origin}/downloads/wakeful-linux-amd64 && chmod +x wakeful`,
    "mv wakeful-linux-amd64 wakeful && chmod +x wakeful",
    `echo wkt_1 | ./wakeful agent start --server ${origin} --token-file - --interval 60`,
    "(umask 077; echo WAKEFUL_TOKEN=wkt_1 >/etc/wakeful-agent.env)",
    expect.stringContaining("--interval 300"),
  ]);
  expect(created).toBe(1);
});

test("system and architecture select the download, and Windows has a link instead of curl", async () => {
  render(<CreatePage />);
  await screen.findByText("wkt_1");
  await userEvent.click(screen.getByRole("button", { name: "macOS" }));
  await userEvent.click(screen.getByRole("button", { name: "arm64" }));
  const link = () => screen.getByRole("link", { name: "Download link" }).getAttribute("href");
  expect(link()).toBe(`${location.origin}/downloads/wakeful-darwin-arm64`);
  expect(commands().some((command) => command.includes("install.sh"))).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Windows" }));
  expect(link()).toBe(`${location.origin}/downloads/wakeful-windows-arm64.exe`);
  expect(commands().some((command) => command.startsWith("curl"))).toBe(false);
  expect(commands().some((command) => command.includes(".\\wakeful-windows-arm64.exe agent start"))).toBe(true);
});

test("a program that the hub does not have is replaced by instructions instead of a dead link", async () => {
  downloads = ["linux-amd64"];
  render(<CreatePage />);
  await screen.findByText("wkt_1");
  expect(screen.getByRole("link", { name: "Download link" })).toBeTruthy();
  for (const [name, file] of [
    ["arm64", "wakeful-linux-arm64"],
    ["macOS", "wakeful-darwin-arm64"],
    ["Windows", "wakeful-windows-arm64.exe"],
  ] as const) {
    await userEvent.click(screen.getByRole("button", { name }));
    expect(screen.getByText(/Wakeful has no agent/).textContent).toContain(
      `Available: wakeful-linux-amd64. The operator can add it: put ${file} into the folder set by DOWNLOADS_DIR`,
    );
    expect(screen.queryAllByRole("link", { name: "Download link" })).toEqual([]);
    expect(commands().filter((command) => command.includes("curl"))).toEqual([]);
    expect(commands().some((command) => command.includes("agent start"))).toBe(true);
  }
});

test("a new token replaces the old one in every command", async () => {
  render(<CreatePage />);
  await screen.findByText("wkt_1");
  await userEvent.click(screen.getByRole("button", { name: "New token" }));
  await screen.findByText("wkt_2");
  expect(commands().filter((command) => command.includes("wkt_1"))).toEqual([]);
});

test("other unused tokens are listed and can be revoked, without the displayed token and used ones", async () => {
  open = [1, 8, 9].map((id) => single(id, id === 8));
  render(<CreatePage />);
  await screen.findByText("1 other token is still open");
  await userEvent.click(screen.getByText("Revoke"));
  await waitFor(() => expect(screen.queryAllByText("Revoke")).toHaveLength(0));
  expect(open.map(({ id }) => id)).toEqual([1, 8]);
});

test("ten visits create one token while it is unused, and each visit shows the programs that the hub has now", async () => {
  for (let visit = 0; visit < 10; visit++) {
    render(<CreatePage />);
    await screen.findByText("wkt_1");
    await cleanup();
    open = [single(1)];
  }
  expect(created).toBe(1);
  downloads = [];
  render(<CreatePage />);
  await screen.findByText(/Wakeful has no agent/);
});

test("a token that was used, revoked or has expired is replaced at the next visit", async () => {
  for (const [visit, after] of [[], [single(2, true)], [single(8)]].entries()) {
    render(<CreatePage />);
    await screen.findByText(`wkt_${visit + 1}`);
    await cleanup();
    open = after;
  }
  expect(created).toBe(3);
});

test("several servers get one token for a number and a time that are chosen, which is not kept for the next visit", async () => {
  render(<CreatePage />);
  await screen.findByText("wkt_1");
  await userEvent.click(screen.getByRole("button", { name: "Several" }));
  expect(screen.queryByText(/install\.sh/)).toBeNull();
  const count = screen.getByLabelText("Servers at most *");
  await userEvent.clear(count);
  await userEvent.type(count, "50");
  await userEvent.selectOptions(screen.getByLabelText("Valid for"), "30 days");
  await userEvent.click(screen.getByRole("button", { name: "Create token" }));
  await screen.findByText(/^This command works on up to 50 servers until/);
  const sent = fakeServer.calls.findLast(({ path }) => path.endsWith("/token/generate"))?.body as { uses: number };
  expect(sent.uses).toBe(50);
  await screen.findByText(/^echo wkt_2 \| sh/);
  expect(sessionStorage.getItem("enrollment-token")).toContain("wkt_1");
  open = [single(1)];
  await userEvent.click(screen.getByRole("button", { name: "One" }));
  await screen.findByText("wkt_1");
});

test("a token for several servers is listed with what is left of it and with the servers that have enrolled", async () => {
  const servers = [{ id: 5, name: "web-5", enrolled_at: times.created_at }];
  open = [{ ...single(9, true), uses: 50, uses_left: 49, servers }];
  render(<CreatePage />);
  await screen.findByText(/49 of 50 uses left until/);
  expect(screen.getByRole("link", { name: "web-5", hidden: true }).getAttribute("href")).toBe("/agents/5");
});

test("signing out removes the token from the tab", async () => {
  render(<CreatePage />);
  await screen.findByText("wkt_1");
  expect(sessionStorage.length).toBe(1);
  act(signOut);
  expect(sessionStorage.length).toBe(0);
});

test("a reached quota expands the list of open tokens, and revoking one creates a new token", async () => {
  open = [8, 9].map((id) => single(id));
  const refusal = { success: false, code: "quota_reached", message: "", quota: "enrollment_tokens", limit: 2 };
  fakeServer.answer((request, path) =>
    path.endsWith("/token/generate") && open.length > 1
      ? Response.json(refusal, { status: 409 })
      : answer(request, path),
  );
  render(<CreatePage />);
  expect((await screen.findByRole("alert")).textContent).toStartWith("You have 2 open tokens");
  const buttons = await screen.findAllByRole("button", { name: "Revoke" });
  expect(buttons).toHaveLength(2);
  expect(buttons[0]?.closest("details")?.open).toBe(true);
  await userEvent.click(buttons[0] as HTMLElement);
  await screen.findByText("wkt_1");
  expect(open.map(({ id }) => id)).toEqual([9]);
  expect(screen.queryAllByRole("alert")).toEqual([]);
});

test("without a token the guide shows no commands, but the reason, and it can be retried", async () => {
  fakeServer.answer((_request, path) =>
    path.endsWith("/token/generate")
      ? Response.json({ success: false, code: "internal", message: "" }, { status: 500 })
      : list(),
  );
  render(<CreatePage />);
  expect((await screen.findByRole("alert")).textContent).toContain("Failed to generate a token");
  expect(commands()).toEqual([location.origin]);
  fakeServer.answer(answer);
  await userEvent.click(screen.getByRole("button", { name: "New token" }));
  await screen.findByText("wkt_1");
  expect(screen.queryAllByRole("alert").length).toBe(0);
});

test("a newly enrolled machine appears without a reload, and earlier ones are not shown", async () => {
  render(<CreatePage />);
  await screen.findByText("Waiting for the new server");
  await waitFor(() => expect(fakeServer.calls.some(({ path }) => path.startsWith("/api/agents?"))).toBe(true));
  machines = [...machines, { id: 2, name: "New", hostname: "new-host", status: "connecting" }];
  const link = await screen.findByRole("link", { name: "Open: New" });
  expect(link.getAttribute("href")).toBe("/agents/2");
  expect(screen.queryAllByText("Old").length).toBe(0);
  await userEvent.click(screen.getByRole("button", { name: "Add another" }));
  await screen.findByText("wkt_2");
});

test("the token's validity is shown in the viewer's language", async () => {
  render(<CreatePage />);
  await screen.findByText("The token is valid for 24 hours.");
  await cleanup();
  localStorage.setItem("i18nextLng", "zh-CN");
  await startI18n();
  render(<CreatePage />);
  await screen.findByText(/令牌仅显示一次/);
});

test("the light agent is offered with what it costs, and needs no program of the hub", async () => {
  downloads = [];
  render(<CreatePage />);
  await screen.findByText("wkt_1");
  expect(screen.getByText(/Wakeful has no agent/).textContent).toContain("Or choose the light agent");
  await userEvent.click(screen.getByRole("radio", { name: /^Light agent/ }));
  const { origin } = location;
  await screen.findByText(/--light/);
  expect(commands()[0]).toBe(
    `echo wkt_1 | sh -c "$(curl -fsSL ${origin}/install.sh)" install.sh --server ${origin} --sha256 ${SUM} --light --token-file -`,
  );
  expect(screen.queryByRole("button", { name: "arm64" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Windows" }));
  expect(screen.queryByRole("radio", { name: /^Light agent/ })).toBeNull();
  expect(commands().some((command) => command.includes("--light"))).toBe(false);
});

test("a switch has the executable updated each day, and systems with musl have their own program", async () => {
  downloads = ["linux-amd64", "linux-amd64-musl"];
  render(<CreatePage />);
  await screen.findByText(/--sha256/);
  await userEvent.click(screen.getByRole("switch", { name: "Update automatically" }));
  expect(commands()[0]).toContain("--auto-update");
  expect(screen.getByRole("link", { name: "wakeful-linux-amd64-musl" })).toBeTruthy();
});
