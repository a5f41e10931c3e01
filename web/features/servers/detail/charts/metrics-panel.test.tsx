import "../../../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { setUpPage } from "../../../../testing/set-up";
import { act, fakeServer, fireEvent, render, screen, userEvent, waitFor, within } from "../../../../testing/test-page";
import { agent, detail } from "../../fixtures";
import DetailPage from "../detail-page";
import { chartsOf, latestOf } from "./choices";

setUpPage({ path: "/agents/1" });

const series = [
  ...["iowait", "steal", "swap", "load", "disk:/", "disk:/srv, old", "inodes:/", "rx:eth0", "tx:eth0"],
  ...["temp:cpu", "temp:nvme", "read:sda", "write:sda", "busy:sda", "latency:sda"],
];
const thresholds = { cpu: 90, memory: null, disk: 95 };
const show = async (change: object) => {
  detail({ thresholds, ...change });
  render(<DetailPage id="1" />);
  await screen.findByRole("heading", { name: "Web server" });
};
const titles = () => screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
const choices = (name: string) => screen.getByRole<HTMLSelectElement>("combobox", { name: `${name}: what it shows` });
const asked = () =>
  fakeServer.calls
    .filter(({ path }) => path.includes("/metrics"))
    .map(({ path }) => new URL(path, location.href).searchParams.getAll("series"));

test("a server without further series has the four charts of every agent, without choices", async () => {
  await show({ series: [] });
  expect(titles().slice(0, 4)).toEqual(["CPU", "Memory", "Disk", "Network"]);
  expect(screen.queryAllByRole("combobox", { name: /what it shows/ })).toEqual([]);
  await waitFor(() => expect(asked()).toEqual([[]]));
});

test("figures that have no history are named", async () => {
  await show({ series, unrecorded: Array.from({ length: 8 }, (_, index) => `rx:veth${index}`) });
  await screen.findByText(/^8 figures have no history.*: rx:veth0, .*, rx:veth5, …$/);
});

test("each chart offers the series that the hub has, and the chosen ones are read with one request", async () => {
  await show({ series });
  expect(titles().slice(0, 7)).toEqual(["CPU", "Memory", "Disk", "Network", "Load", "Temperature", "Disk activity"]);
  const labels = within(choices("Disk"))
    .getAllByRole("option")
    .map(({ textContent }) => textContent);
  expect(labels).toEqual(["All", "/", "/srv, old", "inodes: /"]);
  await waitFor(() => expect(asked().at(-1)).toEqual(["load", "temp:cpu", "read:sda", "write:sda"]));
  await userEvent.selectOptions(choices("Network"), "eth0");
  await userEvent.selectOptions(choices("Disk"), "/srv, old");
  await waitFor(() =>
    expect(asked().at(-1)).toEqual([
      ...["disk:/srv, old", "rx:eth0", "tx:eth0", "load", "temp:cpu", "read:sda", "write:sda"],
    ]),
  );
});

test("a year has the four charts only, because further series are kept for a month", async () => {
  await show({ series });
  await userEvent.click(screen.getByRole("button", { name: "1 y" }));
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Temperature" })).toBeNull());
  await waitFor(() => expect(asked().at(-1)).toEqual([]));
  await userEvent.click(screen.getByRole("button", { name: "1 h" }));
});

const spans = () =>
  fakeServer.calls
    .filter(({ path }) => path.includes("/metrics"))
    .map(({ path }) => {
      const { searchParams } = new URL(path, location.href);
      return [searchParams.get("range"), searchParams.get("from"), searchParams.get("to")];
    });

test("a span in the address is shown, and one press leads back to the range", async () => {
  const [from, to] = ["2026-01-15T12:00:00.000Z", "2026-01-15T13:30:00.000Z"];
  history.replaceState(null, "", `/agents/1?from=${from}&to=${to}`);
  await show({ series: [] });
  await waitFor(() => expect(spans()).toEqual([[null, from, to]]));
  expect(screen.getByRole("button", { name: "Custom" }).getAttribute("aria-pressed")).toBe("true");
  await userEvent.click(screen.getByRole("button", { name: "Back to 1 h" }));
  await waitFor(() => expect(spans().at(-1)).toEqual(["1h", null, null]));
  expect(location.search).toBe("");
  expect(screen.queryByRole("button", { name: "Back to 1 h" })).toBeNull();
});

test("two dates are a span of whole days, which stays in the address on other tabs", async () => {
  await show({ series });
  await userEvent.click(screen.getByRole("button", { name: "Custom" }));
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  const times = [new Date(2026, 0, 10), new Date(2026, 0, 13)].map((time) => time.toISOString());
  await act(async () => void fireEvent.change(field("First day"), { target: { value: "2026-01-10" } }));
  await waitFor(() => expect(spans().at(-1)?.[1]).toBe(times[0]));
  await act(async () => void fireEvent.change(field("Last day"), { target: { value: "2026-01-12" } }));
  await waitFor(() => expect(spans().at(-1)).toEqual([null, ...times]));
  // Further series are kept for 30 days.
  expect(asked().at(-1)).toEqual([]);
  expect(screen.queryByRole("heading", { name: "Temperature" })).toBeNull();
  await userEvent.click(screen.getByRole("tab", { name: "About" }));
  await userEvent.click(screen.getByRole("tab", { name: "Overview" }));
  expect(field("First day").value).toBe("2026-01-10");
});

test.each([
  ["2026-01-20", "2026-01-10", "The first day has to be before the last one."],
  ["2016-01-01", "2026-01-10", "Choose at most 400 days."],
])("dates from %s to %s are refused in words, without a call", async (from, to, words) => {
  await show({ series: [] });
  await userEvent.click(screen.getByRole("button", { name: "Custom" }));
  const before = spans().length;
  const change = (name: string, value: string) =>
    act(async () => void fireEvent.change(screen.getByLabelText(name), { target: { value } }));
  await change("First day", from);
  await change("Last day", to);
  expect((await screen.findByRole("alert")).textContent).toBe(words);
  expect(screen.getByLabelText<HTMLInputElement>("First day").value).toBe(from);
  expect(screen.getByLabelText<HTMLInputElement>("Last day").value).toBe(to);
  const wrong = [new Date(`${from}T00:00:00`), new Date(`${to}T00:00:00`)].map((time) =>
    time.toISOString().slice(0, 10),
  );
  expect(
    spans()
      .slice(before)
      .some((span) => span.join().includes(wrong.join())),
  ).toBe(false);
});

const drawn = (limits: object) =>
  Object.fromEntries(
    chartsOf(series, { thresholds, own_thresholds: [], processors: 4, ...limits }, i18next.t).map(
      ({ card, choices }) => [card, choices.map(({ threshold }) => threshold)],
    ),
  );

test("the threshold of disks is drawn for each of them", () => {
  expect(drawn({}).disk).toEqual([95, 95, 95, null]);
});

test("the thresholds that the owner set are drawn instead of those of the rule, the first that counts", () => {
  const own = (metric: string, threshold: number, subject: string | null = null) => ({ metric, subject, threshold });
  const own_thresholds = [
    ...[own("disk", 80, "/"), own("disk", 90), own("temperature", 70, "nvme"), own("temperature", 85)],
    ...[own("cpu", 60), own("memory", 75), own("swap", 50), own("load", 1.5)],
  ];
  expect(drawn({ own_thresholds })).toEqual({
    ...{ cpu: [60, null, null], memory: [75, 50], disk: [90, 80, 90, null], network: [null, null] },
    ...{ load: [6], temperature: [85, 70], activity: [null, null, null] },
  });
  expect(drawn({ own_thresholds, processors: null }).load).toEqual([null]);
});

test("the latest figure of a series is that of the latest report, and unknown where it is no longer reported", () => {
  const machine = {
    ...{ disks: [{ mount: "/a:b", total: 200, used: 50, inodes: { total: 10, used: 9 } }], load_average: [1.5, 1, 1] },
    ...{ swap: null, temperatures: [{ sensor: "cpu", celsius: 61 }], cpu_parts: null },
  };
  const shown = { ...agent({}), ...machine } as Parameters<typeof latestOf>[0];
  const latest = ["disk:/a:b", "inodes:/a:b", "load", "swap", "temp:cpu", "temp:gone", "steal", "read:sda"];
  expect(latest.map((name) => latestOf(shown, name))).toEqual([25, 90, 1.5, null, 61, null, null, null]);
});

test("time that the CPU lost is beside its usage where it is high", async () => {
  await show({ cpu_parts: { user: 10, system: 5, iowait: 4.9, steal: 12 } });
  expect(screen.getByText("25.8% · steal 12%")).toBeTruthy();
});
