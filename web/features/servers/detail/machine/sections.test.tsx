import "../../../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import type { Container } from "../../../../../src/shared/agents/report";
import { readableName } from "../../../../lib/format";
import { resetResources } from "../../../../lib/resource";
import { setUpPage } from "../../../../testing/set-up";
import { cleanup, render, screen, userEvent, within } from "../../../../testing/test-page";
import { detail } from "../../fixtures";
import DetailPage from "../detail-page";

setUpPage({ path: "/agents/1" });

const show = async (machine: object) => {
  detail(machine);
  render(<DetailPage id="1" />);
  await screen.findByRole("heading", { name: "Web server" });
};
const titles = () => screen.queryAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
const panel = (name: string) => screen.getByRole("region", { name });
/** The text of the cells of each row. */
const cells = (name: string) =>
  within(panel(name))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

const container = (name: string, change: Partial<Container> = {}): Container => ({
  ...{ name, image: "nginx:1.27", state: "running", ...change },
});

const openTab = async (name: string) => userEvent.click(screen.getByRole("tab", { name: new RegExp(`^${name}( |$)`) }));

test("a machine that reports the usual figures only has no further section", async () => {
  await show({ containers: [], failed_units: [], arrays: [], gpus: [], processes: { cpu: [], memory: [] } });
  expect(titles()).toEqual(["Resources", "Latest problems"]);
  await openTab("Containers and services");
  expect(titles()).toEqual([]);
  expect(screen.getByText("No failed services.")).toBeTruthy();
});

test("parts with a problem are in their tabs, services before containers, and only counted elsewhere", async () => {
  const arrays = [{ name: "md0", kind: "md", state: "active", degraded: false }];
  const unhealthy = container("api", { health: "unhealthy" });
  await show({ arrays, containers: [unhealthy], failed_units: ["backup.service"] });
  expect(titles()).toEqual(["Resources", "Latest problems"]);
  expect(screen.queryByText("backup.service")).toBeNull();
  await openTab("Containers and services");
  expect(titles()).toEqual(["Failed services", "Containers"]);
  await openTab("Disks");
  expect(titles()).toEqual(["Disk arrays"]);
});

test("a degraded array comes before the filesystems, and its tab counts it", async () => {
  const disks = [{ mount: "/", used: 1, total: 2 }];
  const array = { name: "md0", kind: "md", state: "clean, degraded", degraded: true };
  await show({ disks, arrays: [array] });
  await openTab("Disks");
  expect(titles()).toEqual(["Disk arrays", "Filesystems"]);
  cleanup();
  resetResources();
  await show({ disks, arrays: [{ ...array, state: "clean", degraded: false }] });
  await openTab("Disks");
  expect(titles()).toEqual(["Filesystems", "Disk arrays"]);
});

test.each([
  [
    "en-US",
    ["Degraded, recovering", "Unavailable", "Degraded, strange", "Healthy", "Healthy, being checked", "Healthy"],
  ],
  ["zh-CN", ["已降级，正在重建", "不可用", "已降级，strange", "正常", "正常，正在检查", "正常"]],
])("the states of arrays are words with a tone, in %s", async (language, texts) => {
  await i18next.changeLanguage(language);
  const array = (name: string, state: string, degraded: boolean) => ({ name, kind: "md", state, degraded });
  await show({
    disks: [],
    arrays: [
      array("md0", "clean, degraded, recovering", true),
      { ...array("tank", "UNAVAIL", true), kind: "zfs" },
      array("md1", "strange", true),
      array("md2", "active", false),
      array("md3", "checking", false),
      { ...array("safe", "ONLINE", false), kind: "zfs" },
    ],
  });
  await openTab(language === "zh-CN" ? "磁盘" : "Disks");
  const rows = [...document.querySelectorAll(".arrays li")];
  expect(rows.map((row) => row.querySelector(".stated")?.textContent)).toEqual(texts);
  expect(rows.map(({ className }) => className)).toEqual(["degraded", "degraded", "degraded", "", "", ""]);
});

test("containers are listed with their state, those with problems first", async () => {
  const containers = [
    container("web", { cpu: 4.26, memory: 38 * 1024 ** 2, restarts: 0, health: "healthy" }),
    container("job", { state: "exited", exit_status: 0 }),
    container("failed", { state: "exited", exit_status: 137 }),
    container("api", { health: "unhealthy", restarts: 7 }),
    container("odd", { state: "removing" }),
  ];
  await show({ containers, containers_total: 120 });
  await openTab("Containers and services");
  expect(panel("Containers").textContent).toContain("2 running · 1 with a problem · 5 of 120 are listed");
  expect(cells("Containers").map(([name, state]) => [name, state])).toEqual([
    ["apinginx:1.27", "Unhealthy"],
    ["webnginx:1.27", "Running"],
    ["failednginx:1.27", "Killed (137), perhaps out of memoryNo alert: never seen running"],
    ["jobnginx:1.27", "Exited (0)"],
    ["oddnginx:1.27", "removing"],
  ]);
  expect(cells("Containers")[1]?.slice(2)).toEqual(["4.3", "38 MB", "0"]);
  expect(cells("Containers")[3]?.slice(2)).toEqual(["–", "–", "–"]);
});

test("a container that failed counts as a problem while its alert is open", async () => {
  const containers = [container("web"), container("failed", { state: "exited", exit_status: 137 })];
  const outage = {
    ...{ id: 3, target_type: "agent", target_id: 1, target_name: "Web server", kind: "container", subject: "failed" },
    ...{ error_code: null, error_detail: null, last_error_code: null, checks_failed: null, ended_at: null },
    ...{ started_at: new Date().toISOString() },
  };
  await show({ containers, outages: [outage] });
  await openTab("Containers and services");
  expect(panel("Containers").textContent).toContain("1 running · 1 with a problem");
  expect(cells("Containers").map(([name, state]) => [name, state])).toEqual([
    ["failednginx:1.27", "Killed (137), perhaps out of memory"],
    ["webnginx:1.27", "Running"],
  ]);
});

test("of many containers the first are shown until all are asked for", async () => {
  await show({ containers: Array.from({ length: 100 }, (_, index) => container(`c-${index}`)) });
  await openTab("Containers and services");
  expect(cells("Containers").length).toBe(12);
  await userEvent.click(screen.getByRole("button", { name: "Show all 100" }));
  expect(cells("Containers").length).toBe(100);
});

test("programs, GPUs and devices are shown with figures of the same precision", async () => {
  const processes = { cpu: [{ name: "ffmpeg", value: 187.44 }], memory: [{ name: "java", value: 1.5 * 1024 ** 3 }] };
  const gpus = [{ name: "RTX", usage: 35, memory: null, celsius: null }];
  const disk_activity = [{ device: "sda", read: 2048, write: 0, busy: 3.25, latency: null }];
  const temperatures = [
    { sensor: "nvme", celsius: 47 },
    { sensor: "cpu", celsius: 61.25 },
  ];
  await show({ processes, gpus, disk_activity, temperatures });
  expect(panel("Top programs").textContent).toContain("ffmpeg187.4%");
  expect(panel("Top programs").textContent).toContain("java1.5 GB");
  expect(screen.getByRole("img", { name: "Usage: 35%" })).toBeTruthy();
  expect(cells("GPUs")).toEqual([["RTX", "35%", "–", "–"]]);
  expect(panel("Temperatures").textContent).toMatch(/cpu61\.3 °C.*nvme47\.0 °C/);
  await openTab("Disks");
  expect(panel("Disk devices").textContent).toContain("sda2 MB/s0 KB/s3.3%–");
});

test("a restart that updates wait for is named beside the status", async () => {
  await show({ reboot_required: true });
  expect(screen.getByText("Restart required")).toBeTruthy();
});

test("the files in use of a disk are beside the bytes, where their number is limited", async () => {
  const disk = (mount: string, used: number) => ({ mount, total: 100, used: 10, inodes: { total: 100, used } });
  await show({ disks: [disk("/", 49), disk("/var", 97), { mount: "/btrfs", total: 100, used: 5 }] });
  await openTab("Disks");
  expect(cells("Filesystems").map((row) => [row[0], row.at(-1)])).toEqual([
    ["/", "49%"],
    ["/var", "97%"],
    ["/btrfs", "–"],
  ]);
});

test("names with markup and control characters are shown as text", async () => {
  const name = "<img src=x onerror=alert(1)>\n\u202egnp";
  await show({ containers: [container(name)], failed_units: [name] });
  await openTab("Containers and services");
  const shown = "<img src=x onerror=alert(1)>\ufffd\ufffdgnp";
  expect(readableName(name)).toBe(shown);
  expect(screen.getAllByText(shown).length).toBe(2);
  expect(document.querySelector("img[src=x]")).toBeNull();
});
