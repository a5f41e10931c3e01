import "./testing/test-dom";

import { afterEach, beforeEach, expect, onTestFinished, test } from "bun:test";
import { getDefaultStore } from "jotai";
import { publishOutages } from "../src/modules/alerting/outages/live";
import { MINUTE } from "../src/shared/limits";
import { START, until } from "../src/testing/clock";
import { enrollAgent, sampleAt } from "../src/testing/fixtures/agents";
import { addMonitor, recordOnly } from "../src/testing/fixtures/monitors";
import DashboardPage from "./features/dashboard/dashboard-page";
import MonitorsPage from "./features/monitors/list/list-page";
import { ProblemBlock } from "./features/problems/problem-block";
import AgentsPage from "./features/servers/list/list-page";
import { liveAtom } from "./lib/resource";
import { followChanges } from "./live-stream";
import { signOut } from "./session";
import { startHubAs } from "./testing/hub";
import { setUpPage } from "./testing/set-up";
import { fakeServer, render, screen, waitFor } from "./testing/test-page";

setUpPage({ path: "/monitors" });

let end = () => {};
// Events arrive at any time, not only inside act(). Later files of this process need the environment again.
beforeEach(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false }));
afterEach(() => {
  end();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
});

/** Calls that load data of the page. */
const loads = () => fakeServer.calls.filter(({ path }) => !path.startsWith("/api/live")).length;

/** Bob's hub and a stream of the page. `store` records a result of a monitor, and `publish` passes it on as the engine does. */
const start = async () => {
  const hub = await startHubAs("bob");
  const store = async (id: number, up: boolean, minute: number) => {
    const at = START + minute * MINUTE;
    await recordOnly(hub, id, [{ at, up, error: up ? null : { code: "timeout", detail: { seconds: 20 } } }]);
    const last_checked = new Date(at).toISOString();
    const failure = up ? {} : { error_code: "timeout", error_detail: { seconds: 20 } };
    const status = up ? ("up" as const) : ("down" as const);
    return () =>
      hub.deps.live.publish([
        {
          event: "monitor",
          teamId: hub.bob.teamId,
          changed: true,
          data: { id, status, response_time: 12, last_checked, since: last_checked, ...failure },
        },
      ]);
  };
  const open = async (grace = MINUTE) => {
    end = followChanges(grace);
    await until(() => hub.deps.live.streams() === 1, "the stream of the page");
  };
  /** Opens the stream and waits until the page has read its beginning, which makes it load its data again. */
  const follow = async () => {
    const before = loads();
    await open();
    await until(() => loads() > before, "the page to load its data again");
  };
  return { ...hub, store, open, follow };
};

const isListCall = ({ pathname }: { pathname: string }) => pathname.endsWith("/api/monitors");

test("a monitor that goes down is shown at once, without loading the list again", async () => {
  const hub = await start();
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await (await hub.store(id, true, 0))();
  let unanswered = 0;
  fakeServer.answer(async (request) => {
    unanswered++;
    const answer = await hub.send(request);
    unanswered--;
    return answer;
  });
  render(<MonitorsPage />);
  await screen.findByRole("button", { name: "Down 0" });
  await hub.follow();
  await until(() => unanswered === 0, "the answers to all calls");
  // From now on only the stream can show a change.
  fakeServer.answer((request) => (isListCall(new URL(request.url)) ? new Promise(() => {}) : hub.send(request)));
  (await hub.store(id, false, 1))();
  await screen.findByRole("button", { name: "Down 1" });
});

test("a monitor that another tab creates appears", async () => {
  const hub = await start();
  render(<MonitorsPage />);
  await screen.findByText("No monitors yet");
  await hub.follow();
  await hub.client.post("/api/monitors", { name: "Shop", url: "https://example.com/", interval: 60, active: false });
  await screen.findByText("Shop");
});

test("a gap of the hub is shown when it begins and no more when it ends", async () => {
  const hub = await start();
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await (await hub.store(id, true, 0))();
  const lost: { since: number | null } = { since: null };
  hub.deps.watching.observe("hub_offline", () => lost.since);
  hub.deps.watching.look();
  render(<MonitorsPage />);
  await screen.findByText("Shop");
  await hub.follow();
  lost.since = START;
  hub.deps.watching.look();
  await waitFor(() => expect(document.querySelector("td.state")?.textContent).toBe("Unknown"));
  lost.since = null;
  hub.deps.watching.look();
  await waitFor(() => expect(document.querySelector("td.state")?.textContent).toBe("Up"));
});

test("the dashboard and the tab's title follow counts", async () => {
  const hub = await start();
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  render(<DashboardPage />);
  await screen.findByText("Shop");
  await hub.follow();
  (await hub.store(id, false, 0))();
  await screen.findByText("1 monitor down");
});

test("a monitor that goes down and recovers enters and leaves the block of problems", async () => {
  const hub = await start();
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  render(<ProblemBlock />);
  await hub.follow();
  await hub.store(id, false, 0);
  await publishOutages(hub.deps, "monitor", [id]);
  await screen.findByRole("link", { name: "Shop" });
  hub.clock.set(START + MINUTE);
  await hub.store(id, true, 1);
  await publishOutages(hub.deps, "monitor", [id]);
  await waitFor(() => expect(screen.queryAllByRole("link", { name: "Shop" }).length).toBe(0));
});

test("a server's report is shown at once", async () => {
  const hub = await start();
  const agent = await enrollAgent(hub, hub.bob, { hostname: "db-1", name: "db-1" });
  await agent.report([sampleAt(START, { cpu: 11 })]);
  render(<AgentsPage />);
  await screen.findByText("11%");
  await hub.follow();
  await hub.clock.advance(MINUTE);
  await agent.report([sampleAt(hub.clock.now(), { cpu: 47 })]);
  await screen.findByText("47%");
});

/** Answers as the hub does, except that `cut` ends the streams that are open. */
const cutStreams = (hub: Awaited<ReturnType<typeof start>>) => {
  let cuts: (() => void)[] = [];
  fakeServer.answer(async (request, path) => {
    const answer = await hub.send(request);
    if (path !== "/api/live" || !answer.body) return answer;
    const reader = answer.body.getReader();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        cuts.push(() => void reader.cancel().then(() => controller.close()));
      },
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (!done) controller.enqueue(value);
      },
      cancel: () => reader.cancel(),
    });
    return new Response(body, answer);
  });
  return () => {
    for (const cut of cuts) cut();
    cuts = [];
  };
};

const streamCalls = () => fakeServer.calls.length - loads();

test("a stream that is cut again and again stays live, loses nothing and loads nothing", async () => {
  const hub = await start();
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await (await hub.store(id, true, 0))();
  const cut = cutStreams(hub);
  render(<DashboardPage />);
  await screen.findByText("Shop");
  await hub.follow();
  await screen.findByText("Live");
  const flips: boolean[] = [];
  onTestFinished(getDefaultStore().sub(liveAtom, () => void flips.push(getDefaultStore().get(liveAtom))));
  const miss = async (up: boolean, minute: number) => {
    const opened = streamCalls();
    cut();
    await until(() => hub.deps.live.streams() === 0, "the end of the stream");
    (await hub.store(id, up, minute))();
    await until(() => streamCalls() > opened && hub.deps.live.streams() === 1, "the stream to be opened again");
  };
  // The first counts refresh what was loaded before them.
  await miss(true, 1);
  await miss(true, 2);
  const before = loads();
  for (const minute of [3, 4, 5]) await miss(true, minute);
  expect([flips, loads() - before]).toEqual([[], 0]);
  await miss(false, 6);
  await screen.findByText("1 monitor down");
  expect(flips).toEqual([]);
});

test("a stream that does not come back in time is no longer live", async () => {
  const hub = await start();
  const cut = cutStreams(hub);
  render(<DashboardPage />);
  await hub.open(0);
  await until(() => getDefaultStore().get(liveAtom), "the stream to be live");
  fakeServer.answer((request, path) => (path === "/api/live" ? new Promise(() => {}) : hub.send(request)));
  cut();
  await until(() => !getDefaultStore().get(liveAtom), "the page to poll again");
});

test("the stream ends when the user signs out, and while the page is hidden", async () => {
  const hub = await start();
  await hub.open();
  const hide = (hidden: boolean) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  hide(true);
  await until(() => hub.deps.live.streams() === 0, "the stream of the hidden page to end");
  hide(false);
  await until(() => hub.deps.live.streams() === 1, "the stream of the page");
  signOut();
  await until(() => hub.deps.live.streams() === 0, "the stream of the session to end");
});

test("two windows of a session share one stream, and when one is closed the other loses nothing", async () => {
  const hub = await start();
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await (await hub.store(id, true, 0))();
  render(<MonitorsPage />);
  await screen.findByRole("button", { name: "Down 0" });
  await hub.follow();
  const first = end;
  const before = loads();
  end = followChanges();
  await until(() => loads() > before, "the second window to load what it may have missed");
  expect(streamCalls()).toBe(1);
  first();
  await until(() => hub.deps.live.streams() === 0, "the end of the stream");
  fakeServer.answer((request) => (isListCall(new URL(request.url)) ? new Promise(() => {}) : hub.send(request)));
  (await hub.store(id, false, 1))();
  await screen.findByRole("button", { name: "Down 1" });
  expect([streamCalls(), hub.deps.live.streams()]).toEqual([2, 1]);
});

test("windows share a stream by the name of their session, which has nothing of the token", async () => {
  const hub = await start();
  const { BroadcastChannel } = globalThis;
  const names: string[] = [];
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      names.push(name);
    }
  };
  onTestFinished(() => void Object.assign(globalThis, { BroadcastChannel }));
  await hub.open();
  await hub.signIn(hub.charlie);
  await until(() => streamCalls() === 2, "the stream of the other session");
  expect(new Set(names).size).toBe(2);
  const secrets = [hub.bob, hub.charlie].flatMap(({ token }) => token.split("."));
  expect(names.filter((name) => secrets.some((secret) => name.includes(secret)))).toEqual([]);
});
