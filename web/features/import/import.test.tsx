import "../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { addTexts } from "../../i18n";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent, within } from "../../testing/test-page";
import ImportPage from "./import-page";
import { KeyForm } from "./key-form";
import { texts } from "./texts";

setUpPage({ path: "/import" });

const monitor = (id: number, name: string, further: object = {}) => ({
  ...{ id, name, type: "http", url: "http://127.0.0.1:9/", interval: 60, timeout: 30, maxretries: 0 },
  ...{ active: false, notificationIDList: {}, tags: [] },
  ...further,
});

const backup = (...monitorList: object[]) =>
  new File([JSON.stringify({ version: "1.23.16", notificationList: [], monitorList, proxyList: [] })], "backup.json", {
    type: "application/json",
  });

const open = async (language = "en-US") => {
  addTexts({ imports: texts });
  await i18next.changeLanguage(language);
  const hub = await startHubAs("alice");
  render(<ImportPage />);
  const choose = async (file: File, label: RegExp = /Drop a file here/) =>
    userEvent.upload(screen.getByLabelText(label), file);
  return { hub, choose };
};

const rowOf = (name: string) => screen.getByText(name).closest(".import-item") as HTMLElement;

test("a file is previewed, and what is chosen is imported and reported", async () => {
  const { hub, choose } = await open();
  await choose(
    backup(monitor(1, "Shop"), monitor(2, "Blog", { interval: 20 }), monitor(3, "Game", { type: "gamedig" })),
  );
  await screen.findByText("Uptime Kuma 1.23.16, 3 objects");
  expect(within(rowOf("Blog")).getByText("The interval of 20 s is out of bounds and was adjusted")).toBeTruthy();
  expect(within(rowOf("Game")).getByText("Not taken")).toBeTruthy();
  expect((screen.getByRole("checkbox", { name: "Import Game" }) as HTMLInputElement).disabled).toBe(true);
  await userEvent.click(screen.getByRole("checkbox", { name: "Import Blog" }));
  await userEvent.click(screen.getByRole("button", { name: "Take 1 of 3" }));
  await screen.findByText("1 object is imported.");
  screen.getByText("Your old monitor still alerts. Pause it, or run both for a day.");
  expect(screen.getByRole("link", { name: "Shop" }).getAttribute("href")).toMatch(/^\/monitors\/\d+$/);
  expect(within(rowOf("Blog")).getByText("You left it out")).toBeTruthy();
  expect((await hub.as(hub.alice).get("/api/monitors")).body.total).toBe(1);
});

test("the report has a command for each imported server", async () => {
  const { hub, choose } = await open();
  await choose(
    new File(["systems:\n  - name: db\n    host: 10.0.0.1\n  - name: web\n    host: 10.0.0.2\n"], "config.yml"),
  );
  await userEvent.click(await screen.findByRole("button", { name: "Take 2 of 2" }));
  await screen.findByRole("heading", { name: "One command for each server" });
  expect(await screen.findAllByText(/^echo wkt_\S+ \| sh -c .*install\.sh/)).toHaveLength(2);
  expect(screen.getByRole("link", { name: "db" }).getAttribute("href")).toMatch(/^\/agents\/\d+$/);
  expect((await hub.as(hub.alice).get("/api/agents")).body.total).toBe(2);
});

test("the ping key of healthchecks is taken with its checks", async () => {
  const { hub, choose } = await open();
  const checks = [{ name: "Backup", slug: "backup", uuid: crypto.randomUUID(), timeout: 3600, grace: 60 }];
  await choose(new File([JSON.stringify({ checks })], "checks.json"));
  const field = await screen.findByLabelText(/^Ping key of the project/);
  await userEvent.type(field, "short");
  await userEvent.click(screen.getByRole("button", { name: "Take 1 of 1" }));
  expect((await screen.findByRole("alert")).textContent).toContain("The import did not complete");
  await userEvent.clear(field);
  await userEvent.type(field, "Zk3cXr8mQ2vT1aBcD4eF5g");
  await userEvent.click(screen.getByRole("button", { name: "Take 1 of 1" }));
  await screen.findByText("1 object is imported.");
  expect((await hub.anybody.get("/ping/Zk3cXr8mQ2vT1aBcD4eF5g/backup")).status).toBe(200);
});

test("objects are filtered by what becomes of them", async () => {
  const { choose } = await open();
  await choose(backup(monitor(1, "Shop"), monitor(3, "Game", { type: "gamedig" })));
  await userEvent.click(await screen.findByRole("button", { name: "Not taken 1" }));
  expect(screen.queryByText("Shop")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "All 2" }));
  expect(screen.getByText("Shop")).toBeTruthy();
});

test("a file that is not known is refused with a sentence, and another one can be chosen", async () => {
  const { choose } = await open("zh-CN");
  await choose(new File(["hello"], "notes.txt"), /把文件拖到这里/);
  expect((await screen.findByRole("alert")).textContent).toContain("认不出这个文件");
  await choose(backup(monitor(1, "Shop")), /把文件拖到这里/);
  await screen.findByText("Uptime Kuma 1.23.16，共 1 个对象");
  await userEvent.click(screen.getByRole("button", { name: "换一个文件" }));
  expect(screen.getByLabelText(/把文件拖到这里/)).toBeTruthy();
});

test("the token of the chosen product is handed over without spaces around it", async () => {
  addTexts({ imports: texts });
  await i18next.changeLanguage("en-US");
  const handed: string[][] = [];
  render(<KeyForm busy={false} onKey={(...pair) => handed.push(pair)} onAddress={(url) => handed.push([url])} />);
  await userEvent.selectOptions(screen.getByLabelText("Or read from"), "Better Stack");
  await userEvent.type(screen.getByLabelText(/^API token/), " token ");
  await userEvent.click(screen.getByRole("button", { name: "Preview" }));
  await userEvent.selectOptions(screen.getByLabelText("Or read from"), "Statuspage");
  await userEvent.type(screen.getByLabelText(/^Address/), " status.example.com ");
  await userEvent.click(screen.getByRole("button", { name: "Preview" }));
  expect(handed).toEqual([["betterstack", "token"], ["status.example.com"]]);
});
