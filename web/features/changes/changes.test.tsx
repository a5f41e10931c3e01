import { expect, test } from "bun:test";
import i18next from "i18next";
import { addTexts } from "../../i18n";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent, within } from "../../testing/test-page";
import Changes, { texts } from "./changes";
import { ChangesDisclosure } from "./disclosure";

setUpPage();

const settings = { name: "Shop", url: "https://example.com/", interval: 60, timeout: 10 };

const start = async () => {
  addTexts({ changes: texts });
  const hub = await startHubAs("bob");
  const { id } = (await hub.client.post("/api/monitors", settings)).body.monitor;
  await hub.client.put(`/api/monitors/${id}`, { ...settings, interval: 300, active: true, headers: { a: "1" } });
  return { ...hub, id };
};

const rows = async () => (await screen.findAllByRole("listitem")).filter((item) => item.querySelector("time"));

test("a change shows its fields in words, who made it, and its monitor as a link", async () => {
  const { id } = await start();
  render(<Changes />);
  const [changed, created] = await rows();
  expect(changed?.textContent).toContain("Changed Monitor Shop");
  expect(changed?.textContent).toContain("Interval: 1 minute → 5 minutes");
  expect(changed?.textContent).toContain("Headers (values not shown)");
  expect(changed?.textContent).toContain("bob · 127.0.0.1");
  expect(created?.textContent).toContain("Added Monitor Shop");
  const link = within(changed as HTMLElement).getByRole("link", { name: "Shop" });
  expect(link.getAttribute("href")).toBe(`/monitors/${id}`);
});

test("changes are filtered by the kind of object, and are in the language of the page", async () => {
  const { client } = await start();
  await client.post("/api/walls", { name: "Office" });
  await i18next.changeLanguage("zh-CN");
  render(<Changes />);
  expect(await rows()).toHaveLength(3);
  await userEvent.selectOptions(screen.getByLabelText("按对象筛选"), "大屏地址");
  await screen.findByText("添加");
  expect((await rows()).map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("添加 大屏地址 Office"),
  ]);
});

test("a name that is also a value of a field is shown as it is, and a figure in the language of the page", async () => {
  const { client } = await start();
  const { team } = (await client.post("/api/teams", { name: "owner" })).body;
  await client.put(`/api/teams/${team.id}`, { name: "open" });
  await client.post("/api/thresholds", { scope: "all", metric: "load", threshold: 2, minutes: 5 });
  await i18next.changeLanguage("zh-CN");
  render(<Changes object="team,threshold" />);
  const [threshold, renamed, created] = await rows();
  expect(threshold?.textContent).toContain("添加 阈值 负载");
  expect(renamed?.textContent).toContain("名称：owner → open");
  expect(created?.textContent).toContain("添加 团队 owner");
});

test("the changes of one monitor are loaded when they are opened, without its name", async () => {
  const { id, client } = await start();
  await client.post("/api/walls", { name: "Office" });
  render(<ChangesDisclosure object={`monitor:${id}`} />);
  expect(screen.queryByRole("list")).toBeNull();
  await userEvent.click(screen.getByText("Changes"));
  const shown = await rows();
  expect(shown).toHaveLength(2);
  expect(shown[0]?.textContent).not.toContain("Shop");
});
