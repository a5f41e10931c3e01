import { expect, it } from "bun:test";
import { version } from "../../build-info";
import { createSleepyTime, IDENTITY, START, sampleAt, temporaryFolder } from "../../testing/agent-program";
import { KEY, refusal, startFakeHub } from "../../testing/servers/fake-hub";
import { ownPlatform } from "../machine";
import { FatalError } from "../state";
import { countWaiting, openSampleQueue } from "./sample-queue";
import { createSender } from "./send";

const UNREADABLE = [{ mount: "/srv", reason: "permission" }];

type Console = ReturnType<typeof startFakeHub>;

const sendTo = (console: Console, minutes: number[]) => {
  const folder = temporaryFolder();
  const said: string[] = [];
  const states: boolean[] = [];
  const invited: number[] = [];
  const restedAfter: number[] = [];
  const time = createSleepyTime();
  const buffer = openSampleQueue(folder, (text) => said.push(text));
  for (const minute of minutes) buffer.add(sampleAt(minute));
  const [stop, end] = [new AbortController(), new AbortController()];
  const sender = createSender({
    server: console.url,
    key: KEY,
    interval: 60,
    facts: async () => ({ ...IDENTITY, unreadable_disks: UNREADABLE }),
    buffer,
    time,
    log: (text) => said.push(text),
    onLive: () => invited.push(time.monotonic()),
    reportState: (healthy) => states.push(healthy),
    rest: () => restedAfter.push(console.reports().length),
    stop: stop.signal,
    end: end.signal,
  });
  const running = sender.run();
  const until = async (met: () => boolean) => {
    while (!met()) await Bun.sleep(2);
  };
  const finish = () => {
    stop.abort();
    return running;
  };
  return { folder, said, invited, states, restedAfter, time, buffer, stop, end, sender, running, until, finish };
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const timesOf = (minutes: number[]) => minutes.map((minute) => sampleAt(minute).at);

it("rests each time that everything is sent", async () => {
  const console = startFakeHub();
  const { sender, buffer, until, finish, restedAfter } = sendTo(console, []);
  await until(() => restedAfter.length === 1);
  for (const minute of [0, 1]) buffer.add(sampleAt(minute));
  sender.wake();
  await until(() => restedAfter.length === 2);
  await finish();
  expect(restedAfter).toEqual([0, 1]);
});

it("sends the machine's identity with each report", async () => {
  const console = startFakeHub();
  const { sender, buffer, until, finish, said, states } = sendTo(console, [0]);
  await until(() => buffer.size === 0);
  buffer.add(sampleAt(1));
  sender.wake();
  await until(() => buffer.size === 0);
  await finish();
  expect(console.reports()).toEqual(
    [0, 1].map((minute) => ({
      interval: 60,
      ...IDENTITY,
      agent_version: version,
      agent_kind: "executable",
      agent_platform: ownPlatform(),
      unreadable_disks: UNREADABLE,
      sent_at: new Date(START).toISOString(),
      samples: [sampleAt(minute)],
    })) as never,
  );
  expect([said, states]).toEqual([[], [true]]);
});

it("is invited to the live view by an answer that says so, and by nothing else", async () => {
  const console = startFakeHub();
  const answers = [true, "true", 1, {}, undefined];
  console.answer(() => Response.json({ success: true, accepted: 1, live: answers.shift() }));
  const { sender, buffer, invited, until, finish } = sendTo(console, [0]);
  for (let minute = 1; minute < 5; minute++) {
    await until(() => buffer.size === 0);
    buffer.add(sampleAt(minute));
    sender.wake();
  }
  await until(() => buffer.size === 0);
  await finish();
  expect([console.seen.length, invited.length]).toEqual([5, 1]);
});

it("sends queued samples oldest first, at most a thousand in a report", async () => {
  const console = startFakeHub();
  const { buffer, until, finish } = sendTo(console, upTo(1440));
  await until(() => buffer.size === 0);
  await finish();
  expect(console.reports().map(({ samples }) => samples.length)).toEqual([1000, 440]);
  expect(console.times()).toEqual(timesOf(upTo(1440)));
});

it("sends the time and the start of the machine by its clock, as of the newest sample", async () => {
  const console = startFakeHub();
  console.answer(() => refusal(500, "internal"));
  const { buffer, until, finish, time } = sendTo(console, [0]);
  await until(() => time.slept.length >= 1);
  time.setClock(3_600_000);
  const boot_time = "2026-01-01T01:00:00.000Z";
  buffer.add(sampleAt(61, { boot_time, traffic: { boot: "b00t", interfaces: {} } }));
  console.answer();
  await until(() => buffer.size === 0);
  const last = console.reports().at(-1);
  expect(last).toMatchObject({ boot_time, boot: "b00t" });
  expect(Date.parse(last?.sent_at ?? "")).toBeGreaterThanOrEqual(START + 3_600_000);
  await finish();
});

it("logs which samples the hub did not store", async () => {
  const console = startFakeHub();
  console.answer(() =>
    Response.json({ success: true, accepted: 0, not_stored: { future: 1, old: 2, same_second: 3 } }),
  );
  const { buffer, until, finish, said } = sendTo(console, [0]);
  await until(() => buffer.size === 0);
  await finish();
  expect(said).toEqual([
    `${console.url} did not store 1 sample with times in the future, because the clock of this machine or of the hub was wrong.`,
    `${console.url} did not store 2 samples that are older than 48 hours.`,
  ]);
});

it("backs off while the hub is failing, and loses no sample", async () => {
  const console = startFakeHub();
  const failures = [
    () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
    () => refusal(500, "internal", "Something went wrong."),
    () => new Response("<h1>Maintenance</h1>"),
    () => refusal(503, "unavailable", "The database is away.", { "retry-after": "200" }),
    () => new Response("<h1>Sign in</h1>", { status: 401 }),
    () => new Response("", { status: 404 }),
  ];
  let asked = 0;
  const onDisk: number[] = [];
  console.answer((seen) => {
    onDisk.push(countWaiting(folder));
    const failure = failures[asked++];
    if (failure) return failure();
    console.answer();
    return Response.json({ success: true, accepted: seen.body.samples.length });
  });
  const { buffer, until, finish, said, time, folder, states } = sendTo(console, [0, 1]);
  await until(() => buffer.size === 0);
  await finish();
  expect(console.times()).toEqual([0, 1, 2, 3, 4, 5, 6].flatMap(() => timesOf([0, 1])));
  expect(time.slept).toHaveLength(6);
  expect(time.slept[3]).toBeGreaterThanOrEqual(200_000);
  expect(said).toHaveLength(7);
  expect(said[0]).toContain("it answers 502");
  expect(said[6]).toContain("answers again");
  expect([...onDisk, countWaiting(folder)]).toEqual([0, 2, 2, 2, 2, 2, 2, 0]);
  expect([states.at(0), states.at(-1)]).toEqual([false, true]);
});

it("logs a persistent failure once an hour", async () => {
  const console = startFakeHub();
  console.answer(() => refusal(500, "internal", "Something went wrong."));
  const { until, finish, said, time } = sendTo(console, [0]);
  await until(() => time.slept.length >= 30);
  const hours = time.monotonic() / 3_600_000;
  await finish();
  expect(said.filter((text) => text.includes("Cannot report"))).toHaveLength(1 + Math.floor(hours));
});

it("stops when the hub reports that the server was deleted, and keeps its samples", async () => {
  const console = startFakeHub();
  console.answer(() => refusal(401, "agent_deleted"));
  const { running, buffer } = sendTo(console, [0, 1]);
  const error = await running.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FatalError);
  expect((error as Error).message).toContain("This server was deleted at");
  expect((error as Error).message).not.toContain(KEY);
  expect(buffer.size).toBe(2);
});

it("resumes when the hub knows its key again, and loses no sample", async () => {
  const console = startFakeHub();
  let refused = 0;
  console.answer(({ body }) => {
    if (++refused <= 6) return refusal(401, "unauthorized");
    return Response.json({ success: true, accepted: body.samples.length });
  });
  const { buffer, until, finish, said, states, time } = sendTo(console, [0, 1]);
  await until(() => buffer.size === 0);
  await finish();
  expect(time.slept).toHaveLength(6);
  expect(time.slept[0]).toBeLessThan(30_000);
  for (const pause of time.slept.slice(3)) expect([pause >= 300_000, pause <= 3_600_000]).toEqual([true, true]);
  expect(console.times().slice(-2)).toEqual(timesOf([0, 1]));
  expect(said).toHaveLength(2);
  expect(said[0]).toContain("does not know this machine's key. 2 samples kept; asking again within seconds,");
  expect(said[1]).toContain("answers again");
  expect(states).toEqual([false, true]);
});

it("asks a hub that was unreachable and then lost its data within seconds", async () => {
  const console = startFakeHub();
  let asked = 0;
  console.answer(({ body }) => {
    asked++;
    if (asked <= 5) return refusal(503, "unavailable", "Try again soon.");
    if (asked === 6) return refusal(401, "unauthorized");
    return Response.json({ success: true, accepted: body.samples.length });
  });
  const { buffer, until, finish, said, time } = sendTo(console, [0]);
  await until(() => buffer.size === 0);
  await finish();
  expect(time.slept[5]).toBeLessThan(30_000);
  expect(said[0]).toContain("it says: Try again soon. 1 sample kept");
});

it("stops without delay while the hub does not know its key", async () => {
  const console = startFakeHub();
  console.answer(() => refusal(401, "unauthorized"));
  const { until, finish, buffer, time } = sendTo(console, [0]);
  await until(() => time.slept.length >= 1);
  await finish();
  expect(buffer.size).toBe(1);
});

it("drops samples that the hub refuses and sends the rest", async () => {
  const console = startFakeHub();
  console.answer(({ body }) => {
    console.answer();
    return refusal(422, "validation", `Cannot take ${body.samples.length}.`);
  });
  const { sender, buffer, until, finish, said } = sendTo(console, upTo(1200));
  await until(() => buffer.size === 0);
  buffer.add(sampleAt(2000));
  sender.wake();
  await until(() => buffer.size === 0);
  await finish();
  expect(console.reports().map(({ samples }) => samples.length)).toEqual([1000, 200, 1]);
  expect(said).toEqual([`${console.url} refused 1000 samples, which are dropped: Cannot take 1000.`]);
});

it("halves a report that is too large", async () => {
  const console = startFakeHub();
  console.answer(({ body: { samples } }) =>
    samples.length > 300 ? refusal(413, "too_large") : Response.json({ success: true, accepted: samples.length }),
  );
  const { buffer, until, finish } = sendTo(console, upTo(600));
  await until(() => buffer.size === 0);
  await finish();
  expect(console.reports().map(({ samples }) => samples.length)).toEqual([600, 300, 300]);
});

it("sends its queue when stopped, also during a backoff", async () => {
  const console = startFakeHub();
  console.answer(() => refusal(500, "internal"));
  const { until, finish, time, buffer } = sendTo(console, [0, 1]);
  await until(() => time.slept.length >= 2);
  console.answer();
  await finish();
  expect(buffer.size).toBe(0);
});

it("tries once when stopped, then keeps the queue for the next start", async () => {
  const console = startFakeHub();
  const { until, finish, buffer, said } = sendTo(console, []);
  console.answer(() => refusal(500, "internal"));
  await until(() => true);
  buffer.add(sampleAt(0));
  await finish();
  expect(console.reports()).toHaveLength(1);
  expect(said.at(-1)).toBe("Stopping; 1 sample kept for the next start.");
});

it("aborts a pending request when the shutdown grace period ends", async () => {
  const console = startFakeHub();
  console.answer(() => new Promise(() => {}));
  const { until, end, stop, running, buffer } = sendTo(console, [0]);
  await until(() => console.seen.length === 1);
  stop.abort();
  end.abort();
  await running;
  expect(buffer.size).toBe(1);
});
