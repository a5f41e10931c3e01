import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { browserTimeZone } from "../../../lib/format";
import { changes } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { act, fakeServer, render, screen, userEvent, waitFor } from "../../../testing/test-page";
import DetailPage from "../detail/detail-page";
import EditPage from "../detail/edit-page";
import { agent, bare, detail, gigabyte } from "../fixtures";
import { formatMonth } from "./dates";
import { inUnit, planProblems, unitOf } from "./plan";
import { TrafficCell } from "./traffic-cell";

setUpPage({ path: "/agents" });

const terabyte = 1024 * gigabyte;
const traffic = {
  ...{ since: "2026-01-15", until: "2026-02-15", rx: 700 * gigabyte, tx: 124 * gigabyte },
  ...{ used: 874 * gigabyte, quota: terabyte, percent: 85.4, exhausted_at: "2026-02-01T08:00:00.000Z" },
};
const trafficPlan = { quota: terabyte, reset_day: 15, zone: "Asia/Shanghai", mode: "sum", correction: null } as const;
const contract = { ends_on: "2026-12-31", price: 29.9, currency: "EUR", months: 12, note: "sale" };

/** Types into the fields of the edit page of a server, saves, and returns the plan that was sent. */
const save = async (server: object, typed: Record<string, string>, chosen: Record<string, string> = {}) => {
  detail(server);
  render(<EditPage id="3" />);
  await screen.findByLabelText("Name *");
  for (const [label, text] of Object.entries(typed)) {
    const field = screen.getByLabelText(new RegExp(`^${label}`));
    await userEvent.clear(field);
    if (text) await userEvent.type(field, text);
  }
  for (const [label, value] of Object.entries(chosen))
    await userEvent.selectOptions(screen.getByLabelText(new RegExp(`^${label}`)), value);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(changes().length).toBeGreaterThan(0));
  const [change] = changes() as { body: { plan: unknown } }[];
  return change?.body.plan;
};

test("a server whose plan is left empty gets none", async () => {
  expect(await save({}, {})).toEqual({ traffic: null, contract: null });
});

test("a plan is sent with its quota in bytes, and a contract with its price", async () => {
  const typed = {
    ...{ "Quota a month": "1.5", "A month begins on day": "20", Correction: "-2" },
    ...{ "Ends on": "2027-03-01", Price: "12,5", Currency: "eur", Note: "yearly" },
  };
  const sent = await save({ traffic: { ...traffic, used: 0 } }, typed, { Counts: "tx", "Paid every": "3" });
  expect(sent).toMatchObject({
    traffic: {
      ...{ quota: 1.5 * terabyte, reset_day: 20, zone: browserTimeZone(), mode: "tx" },
      correction: { bytes: -2 * gigabyte, month: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) },
    },
    contract: { ends_on: "2027-03-01", price: 12.5, currency: "EUR", months: 3, note: "yearly" },
  });
});

test.each([
  ["en-US", "USD"],
  ["zh-CN", "CNY"],
])("the currency of a new price is that of the language %s", async (language, currency) => {
  await act(async () => void (await i18next.changeLanguage(language)));
  detail({});
  render(<EditPage id="3" />);
  const field = await screen.findByLabelText<HTMLInputElement>(new RegExp(`^${i18next.t("plan.currency")}`));
  expect(field.value).toBe(currency);
});

test("a plan that is not changed keeps its exact bytes", async () => {
  const stored = {
    traffic: { ...trafficPlan, quota: 1e12, correction: { bytes: 123_456_789, month: traffic.since } },
    contract,
  };
  expect(await save({ plan: stored, traffic }, {})).toEqual(stored);
});

test("what is wrong in a plan is said at its field, and nothing is sent", async () => {
  detail({});
  render(<EditPage id="3" />);
  await userEvent.type(await screen.findByLabelText(/^Quota a month/), "much");
  await userEvent.type(screen.getByLabelText(/^Price/), "5");
  await userEvent.clear(screen.getByLabelText(/^Currency/));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  const alerts = (await screen.findAllByRole("alert")).map(({ textContent }) => textContent);
  expect(alerts).toEqual([
    "Enter a number above 0, at most 1,024 TB",
    "Enter the date on which it ends",
    "Enter three letters, such as EUR",
  ]);
  expect(changes()).toEqual([]);
});

test("what the hub refuses in a plan is said at its field", async () => {
  detail({});
  render(<EditPage id="3" />);
  await screen.findByLabelText("Name *");
  fakeServer.answer(() =>
    Response.json(
      {
        ...{ success: false, code: "validation", message: "" },
        errors: [{ path: "plan.traffic.zone", message: "plan.traffic.zone: this time zone is not known" }],
      },
      { status: 422 },
    ),
  );
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Enter the name of a time zone, such as Europe/Berlin");
  expect(screen.getByLabelText(/^Time zone/).getAttribute("aria-invalid")).toBe("true");
});

test("a server's page shows the month, its days, the months before, and the contract", async () => {
  const days = [
    { date: "2026-01-15", rx: 20 * gigabyte, tx: gigabyte },
    { date: "2026-01-17", rx: 30 * gigabyte, tx: 2 * gigabyte },
  ];
  const months = ["2026-01-15", "2025-12-15"].map((since, index) => ({
    ...{ since, until: index === 0 ? "2026-02-15" : "2026-01-15" },
    ...{ rx: 5 * gigabyte, tx: gigabyte, used: 6 * gigabyte },
  }));
  const shown = { ...agent({ id: 4 }), ...bare, traffic };
  const plan = { traffic: { ...trafficPlan, correction: { bytes: 50 * gigabyte, month: traffic.since } }, contract };
  fakeServer.answer((_request, path) => {
    if (path.endsWith("/thresholds")) return Response.json({ success: true, thresholds: [] });
    if (path.endsWith("/metrics")) return Response.json({ success: true, points: [], series: [] });
    if (path.includes("/traffic")) return Response.json({ success: true, traffic, zone: "UTC", days, months });
    if (path.includes("/costs"))
      return Response.json({
        success: true,
        costs: [
          { currency: "EUR", year: 120, servers: 2 },
          { currency: "USD", year: 30, servers: 1 },
        ],
      });
    return Response.json({ success: true, agent: { ...shown, plan } });
  });
  history.replaceState(null, "", "/agents/4?tab=traffic");
  render(<DetailPage id="4" />);
  const used = await screen.findByRole("img", { name: "Used: 85.4% · 874 GB of 1 TB" });
  expect(used.querySelector("rect")?.getAttribute("class")).toBe("red");
  screen.getByText("Jan 15 – Feb 14, 2026");
  screen.getByText("correction +50 GB");
  screen.getByText("At this rate the quota runs out on Feb 1, 2026.");
  await screen.findByRole("img", { name: "Traffic of 2 days; most on Jan 17, 2026: 32 GB" });
  await userEvent.click(screen.getByText("1 earlier month"));
  screen.getByRole("row", { name: /^Dec 15, 2025 – Jan 14, 2026 5 GB 1 GB 6 GB$/ });
  screen.getByText("Dec 31, 2026");
  screen.getByText("€29.90 / year");
  await screen.findByText("€120 and $30");
});

test("a row shows the share of the quota, the bytes without one, or a dash", () => {
  render(
    <>
      <div>
        <TrafficCell traffic={traffic} />
      </div>
      <div>
        <TrafficCell traffic={{ ...traffic, quota: null, percent: null }} />
      </div>
      <div>
        <TrafficCell traffic={null} />
      </div>
    </>,
  );
  screen.getByRole("img", { name: "Traffic this month: 85%" });
  screen.getByText("874 GB");
  screen.getByText("–");
});

test.each([
  [1, "€30 / month", "€30 / 月"],
  [3, "€30 / 3 months", "€30 / 3 个月"],
  [12, "€30 / year", "€30 / 年"],
  [24, "€30 / 2 years", "€30 / 2 年"],
])("a price for %d months names the period as people do", async (months, english, chinese) => {
  detail({ traffic: null, plan: { traffic: null, contract: { ...contract, price: 30, months } } });
  history.replaceState(null, "", "/agents/4?tab=traffic");
  render(<DetailPage id="4" />);
  await screen.findByText(english);
  await act(async () => void (await i18next.changeLanguage("zh-CN")));
  await screen.findByText(chinese);
});

test("amounts are shown in the unit of their size, and months by their dates", () => {
  expect([unitOf(null), unitOf(500 * gigabyte), unitOf(terabyte)]).toEqual(["TB", "GB", "TB"]);
  expect([inUnit(1.5 * terabyte, "TB"), inUnit(1e9, "GB")]).toEqual(["1.5", "0.931"]);
  expect(formatMonth("en-US", { since: "2026-02-01", until: "2026-03-01" })).toBe("February 2026");
  const fields = new FormData();
  for (const [name, value] of [
    ["plan_zone", "UTC"],
    ["plan_quota", "0"],
    ["plan_correction", "-1e9"],
    ["plan_price", "-1"],
    ["plan_currency", "EURO"],
  ] as const)
    fields.set(name, value);
  expect(Object.keys(planProblems(fields)).filter((name) => planProblems(fields)[name])).toEqual([
    "plan_quota",
    "plan_correction",
    "plan_ends_on",
    "plan_price",
    "plan_currency",
  ]);
});
