import { afterEach, expect, test } from "bun:test";
import { until } from "../../../src/testing/clock";
import { joinWindowGroup } from "./window-group";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

let groups = 0;
const groupName = () => `group ${++groups}`;

/** Longer than any test runs, in ms. */
const NEVER = 600_000;

/** A window of a group. */
const open = (name: string, { silence = NEVER, answer = 20, status = "new" } = {}) => {
  const window = { leads: false, leadings: 0, status, followed: [] as string[], received: [] as string[] };
  const { publish, report, leave } = joinWindowGroup<string, string>({
    name,
    status: () => window.status,
    onLead: () => {
      window.leads = true;
      window.leadings++;
    },
    onFollow: (status, isNew) => {
      window.leads = false;
      window.followed.push(isNew ? `new ${status}` : status);
    },
    onData: (data) => window.received.push(data),
    timings: { beat: 20, silence, answer },
  });
  ends.push(leave);
  return Object.assign(window, { publish, report, leave });
};

const leaders = (windows: readonly { leads: boolean }[]) => windows.filter(({ leads }) => leads).length;

test("one of eight windows that open at once leads, and the others receive what it publishes", async () => {
  const name = groupName();
  const windows = Array.from({ length: 8 }, (_, index) => open(name, { status: `window ${index}` }));
  const leader = () => windows.find(({ leads }) => leads);
  const others = () => windows.filter(({ leads }) => !leads);
  await until(
    () => leaders(windows) === 1 && others().every(({ followed }) => followed.at(-1) === leader()?.status),
    "one leader that all others follow",
  );
  leader()?.publish("event");
  await until(() => others().every(({ received }) => received.includes("event")), "the event in each other window");
});

test("a window that opens later follows, and learns the status of the leader", async () => {
  const name = groupName();
  const first = open(name);
  await until(() => first.leads, "the first window to lead");
  first.status = "7 events";
  const second = open(name, { answer: NEVER });
  await until(() => second.followed.length > 1, "the second window to follow");
  expect([first.leads, second.leads, second.followed[0], second.followed[1]]).toEqual([
    true,
    false,
    "new 7 events",
    "7 events",
  ]);
});

test("another window leads when the leader leaves", async () => {
  const name = groupName();
  const [first, second, third] = [open(name), open(name), open(name)] as const;
  const all = [first, second, third];
  await until(() => leaders(all) === 1 && all.every(({ leads, followed }) => leads || followed.length > 0), "a leader");
  const leader = all.find(({ leads }) => leads);
  const rest = all.filter((window) => window !== leader);
  leader?.leave();
  await until(() => leaders(rest) === 1, "another leader");
});

test("another window leads when the leader is silent, and of two leaders one gives way", async () => {
  const name = groupName();
  const messages: { kind: string; from: string }[] = [];
  const channel = new BroadcastChannel(name);
  ends.push(() => channel.close());
  channel.onmessage = ({ data }) => messages.push(data);
  const window = open(name, { silence: 60 });
  await until(() => window.leads, "the window to lead");
  // A leader with a smaller id, which reports once and then no more.
  channel.postMessage({ kind: "lead", from: "", status: "other" });
  await until(() => window.leadings === 2, "the window to lead again");
  expect(window.followed).toEqual(["new other"]);
  // A leader with a greater id gets a report at once, and then follows.
  const before = messages.length;
  channel.postMessage({ kind: "lead", from: "1", status: "other" });
  await until(() => messages.length > before, "a report to the other leader");
  expect(window.leads).toBe(true);
});

test("windows of another group share nothing", async () => {
  const [first, second] = [open(groupName()), open(groupName())];
  await until(() => first.leads && second.leads, "both to lead");
  first.publish("event");
  const third = open(groupName());
  await until(() => third.leads, "a later message of another window");
  expect([second.received, second.followed]).toEqual([[], []]);
});
