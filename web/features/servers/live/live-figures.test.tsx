import "../../../testing/test-dom";

import { expect, jest, test } from "bun:test";
import type { LiveSample } from "../../../../src/shared/live";
import { passOnSamples } from "../../../live";
import { setUpPage } from "../../../testing/set-up";
import { act, fakeServer, render, screen, waitFor } from "../../../testing/test-page";
import { gigabyte } from "../fixtures";
import { LiveFigures } from "./live-figures";

setUpPage({ path: "/agents" });

const sample = (change: Partial<LiveSample> = {}): LiveSample => ({
  id: 7,
  at: "2026-01-02T02:03:04.000Z",
  ...{ cpu_usage: 12.5, cpu_iowait: 0, cpu_steal: 0, load_average: [1, 1, 1] },
  ...{ memory_total: 16 * gigabyte, memory_used: 4 * gigabyte, swap_total: null, swap_used: null },
  ...{ network_rx: 1536, network_tx: 20, disk_read: 8, disk_write: 300, disk_busy: 2 },
  ...change,
});

const server = { id: 7, status: "active", agent_kind: "executable" } as const;
const send = (...samples: LiveSample[]) => act(async () => passOnSamples(samples));
const setHidden = (isHidden: boolean) =>
  act(async () => {
    Object.defineProperty(document, "hidden", { configurable: true, value: isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
  });
const pass = (milliseconds: number) => act(async () => jest.advanceTimersByTime(milliseconds));
/** The place beside the title of the charts. */
const headOf = () => document.body.appendChild(document.createElement("p"));
const answerNone = () => fakeServer.answer(() => Response.json({ success: true, sample: null }));

test("the figures of a server change with each sample of its own", async () => {
  answerNone();
  const head = headOf();
  const { container } = render(<LiveFigures agent={server} head={head} />);
  expect(head.textContent).toBe("LiveAsking the agent…");
  await waitFor(() => expect(fakeServer.calls.map(({ path }) => path)).toEqual(["/api/agents/7/live"]));
  await send(sample({ cpu_usage: 99, id: 8 }), sample(), sample({ cpu_usage: 40 }));
  for (const text of ["Every second", "40%", "4 of 16 GB", "↓ 1.5 MB/s ↑ 20 KB/s", "Read 8 KB/s · Written 300 KB/s"])
    expect(screen.getByText(text)).toBeTruthy();
  const lines = [...container.querySelectorAll("path")].map((path) => path.getAttribute("d"));
  // The second sample may have come some milliseconds after the first.
  expect(lines[0]).toMatch(/^M(2\d\d\.\d|300\.0) 35\.3L300\.0 24\.8$/);
  expect(lines).toHaveLength(6);
});

test("figures that a server does not report are absent", async () => {
  answerNone();
  render(<LiveFigures agent={server} head={headOf()} />);
  const none = { memory_total: null, memory_used: null, disk_read: null, disk_write: null };
  await send(sample(none));
  expect(screen.queryByText("Memory")).toBeNull();
  expect(screen.queryByText("Busiest disk")).toBeNull();
});

test("without samples the page says that figures arrive with reports, until one comes", async () => {
  jest.useFakeTimers();
  try {
    answerNone();
    render(<LiveFigures agent={server} head={headOf()} />);
    await pass(6000);
    expect(screen.getByText("Not available; figures arrive with each report")).toBeTruthy();
    await send(sample());
    expect(screen.getByText("Every second")).toBeTruthy();
  } finally {
    jest.useRealTimers();
  }
});

test("nothing is shown while the page is hidden, and the hub is asked at once when it is shown again", async () => {
  answerNone();
  render(<LiveFigures agent={server} head={headOf()} />);
  await waitFor(() => expect(fakeServer.calls).toHaveLength(1));
  await setHidden(true);
  await send(sample());
  expect(screen.queryByText("12.5%")).toBeNull();
  await setHidden(false);
  await waitFor(() => expect(fakeServer.calls).toHaveLength(2));
});

test.each([
  { status: "inactive", agent_kind: "executable" },
  { status: "active", agent_kind: "light" },
  { status: "active", agent_kind: null },
] as const)("a server that cannot be live is not asked for: %j", (change) => {
  const { container } = render(<LiveFigures agent={{ id: 7, ...change }} head={headOf()} />);
  expect(container.textContent).toBe("");
  expect(fakeServer.calls).toEqual([]);
});
