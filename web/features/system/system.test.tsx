import "../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { writeSetting } from "../../../src/db/app-settings";
import { DAY } from "../../../src/shared/limits";
import { START } from "../../../src/testing/clock";
import { addMonitor } from "../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, within } from "../../testing/test-page";
import SystemPage from "./system-page";

setUpPage({ path: "/system" });

const QUIET = { PUBLIC_URL: "https://watch.example", REGISTRATION: "closed" };
const factOf = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

test.each([
  ["en-US", "No problems", "Quotas per user", "1 of 200 (bob)"],
  ["zh-CN", "一切正常", "单个用户的配额", "1 / 200（bob）"],
] as const)("a hub that is well says so in one line, with its facts below, in %s", async (...expected) => {
  const [language, well, quotas, used] = expected;
  await i18next.changeLanguage(language);
  const hub = await startHubAs("alice", { env: QUIET });
  await addMonitor(hub, hub.bob, { url: "https://example.com/" });
  render(<SystemPage />);
  await screen.findByText(well);
  const section = screen.getByRole("heading", { name: quotas }).closest("section") as HTMLElement;
  expect(within(section).getByText(used)).toBeTruthy();
});

test("what needs attention comes first, each with what to do and where", async () => {
  await i18next.changeLanguage("en-US");
  const hub = await startHubAs("alice", { env: { PROT: "1" } });
  await writeSetting(hub.db, "backed_up_at", String(START - 8 * DAY));
  render(<SystemPage />);
  await screen.findByRole("heading", { name: "Needs attention" });
  const [first] = screen.getAllByRole("heading", { level: 2 });
  expect(first?.textContent).toBe("Needs attention");
  const titles = [...document.querySelectorAll(".attention strong")].map(({ textContent }) => textContent);
  expect(titles).toEqual([
    "PUBLIC_URL is not set",
    "Anyone can register an account",
    "Environment variables that may be misspelled",
    "The last backup was made 8 days ago",
    "No mail server is set up",
  ]);
  expect(screen.getByRole("link", { name: "Show users" }).getAttribute("href")).toBe("/users");
  expect(screen.getByText(/PROT \(PORT\)/)).toBeTruthy();
});

test.each([
  ["en-US", "Not set up", ["No backups are recorded", "No mail server is set up"], "0 of 200"],
  ["zh-CN", "尚未配置", ["没有备份记录", "未配置邮件服务器"], "0 / 200"],
] as const)("what is not set up is a hint with its setting, and no problem, in %s", async (...expected) => {
  const [language, heading, hints, unused] = expected;
  await i18next.changeLanguage(language);
  await startHubAs("alice", { env: QUIET });
  const { unmount } = render(<SystemPage />);
  const card = (await screen.findByRole("heading", { name: heading })).closest("section") as HTMLElement;
  expect([...card.querySelectorAll("strong")].map(({ textContent }) => textContent)).toEqual([...hints]);
  expect(card.textContent).toInclude("BACKUP_DIR");
  expect(card.textContent).toInclude("SMTP_URL");
  expect(screen.getAllByText(unused).length).toBeGreaterThan(0);
  unmount();
  const mail = { SMTP_URL: "smtp://127.0.0.1:9?security=none", MAIL_FROM: "wakeful@example.com" };
  const hub = await startHubAs("alice", { env: { ...QUIET, ...mail } });
  await writeSetting(hub.db, "backed_up_at", String(START));
  render(<SystemPage />);
  await screen.findByText(i18next.t("system.well"));
  expect(screen.queryByRole("heading", { name: heading })).toBeNull();
});

test.each([
  [
    "en-US",
    "The nightly backup failed",
    "The disk of BACKUP_DIR has too little free space. It is tried",
    "Next backup",
  ],
  ["zh-CN", "自动备份失败", "BACKUP_DIR 所在磁盘空间不足。每小时重试一次", "下次备份"],
] as const)("a nightly backup that failed is listed with its reason in %s", async (language, title, text, next) => {
  await i18next.changeLanguage(language);
  const hub = await startHubAs("alice", { env: QUIET });
  hub.deps.config.backupDir = "/backup";
  const failing = { madeAt: null, failingSince: START, problem: "backup_no_space" };
  await writeSetting(hub.db, "nightly_backup", JSON.stringify(failing));
  render(<SystemPage />);
  await screen.findByText(title);
  expect(screen.getByText(new RegExp(text))).toBeTruthy();
  expect(factOf(next)).toBeTruthy();
});

test("secrets are only said to be set or not, and what is not known yet says so", async () => {
  await i18next.changeLanguage("en-US");
  const secret = "hunter2-hunter2-hunter2-hunter2-hunter2";
  await startHubAs("alice", { env: { ...QUIET, METRICS_TOKEN: secret } });
  const { container } = render(<SystemPage />);
  await userEvent.click(await screen.findByText("Settings in effect"));
  expect([factOf("METRICS_TOKEN"), factOf("HEARTBEAT_URL"), factOf("MIN_INTERVAL")]).toEqual(["Set", "Not set", "60"]);
  expect(container.innerHTML).not.toInclude("hunter2");
  expect(factOf("Growth per day")).toBe("Known after a day");
  expect(factOf("Checks per second")).toBe("Known after a minute");
});

test("the delay of checks is said to be fine until it needs attention", async () => {
  await i18next.changeLanguage("en-US");
  const hub = await startHubAs("alice", { env: QUIET });
  const answer = (lateness: number, attention: object[]) =>
    fakeServer.answer(async (request) => {
      const body = await (await hub.send(request)).json();
      return Response.json({ ...body, attention, work: { checks: 2, reports: 0, lateness } });
    });
  answer(5.098, []);
  const { unmount } = render(<SystemPage />);
  await screen.findByText("5 s · OK");
  unmount();
  answer(13.2, [{ code: "checks_late", detail: { seconds: 13 } }]);
  render(<SystemPage />);
  await screen.findByText("13 s · too late");
});

test("a state that fails to load shows an error and a retry button", async () => {
  await i18next.changeLanguage("en-US");
  const hub = await startHubAs("alice", { env: QUIET });
  fakeServer.answer(() => Response.json({ success: false, code: "internal", message: "" }, { status: 500 }));
  render(<SystemPage />);
  await screen.findByText("Failed to fetch the state of the system");
  fakeServer.answer(hub.send);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("No problems");
});
