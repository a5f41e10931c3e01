import { expect, it } from "bun:test";
import { isoTime } from "../../../../lib/time";
import type { Report, Sample } from "../../../../shared/agents/report";
import type { ThresholdMetric } from "../../../../shared/agents/thresholds";
import { MINUTE } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { enrollAgent, sampleAt } from "../../../../testing/fixtures/agents";
import { readEvents } from "../../../../testing/fixtures/alerts";
import { seeds } from "../../../../testing/random";

/** Repeatable numbers from 0 up to 1. */
const createRandom = (seed: number) => {
  let state = seed * 7919;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
};

type Threshold = { id: number; threshold: number; clear: number; minutes: number };
type Seen = { at: number; value: number | null; isGap: boolean };

/** Figures with parts, each paired with one part. */
const FIGURES: [ThresholdMetric, string][] = [
  ["cpu", ""],
  ["load", ""],
  ["disk", "/a"],
  ["disk", "/b"],
  ["temperature", "core"],
];
const PROCESSORS = 4;

/**
 * The plain model of one figure: it looks at all samples since its last change, and asks for how long the latest of them
 * have been on the other side of the limit.
 */
const createModel = () => {
  let seen: Seen[] = [];
  let alerting = false;
  let isSilent = false;
  let before = false;
  const events: ("begun" | "ended")[] = [];
  const change = (next: boolean, silent = false) => {
    alerting = next;
    isSilent = silent;
    seen = seen.slice(-1);
  };
  const lasts = (isOther: (value: number) => boolean, { minutes }: Threshold): boolean => {
    const latest = seen.at(-1);
    if (latest?.value == null || !isOther(latest.value)) return false;
    let since = latest.at;
    for (const [index, one] of [...seen.entries()].toReversed()) {
      if (one.value === null) {
        if (!alerting) break;
      } else if (isOther(one.value)) since = one.at;
      else break;
      // Nothing is known of the time before; where the figure was missing then, the next known sample begins.
      if (one.isGap && index >= 0) {
        if (one.value === null) since = seen.slice(index).find(({ value }) => value !== null)?.at ?? since;
        break;
      }
    }
    return latest.at - since >= minutes * MINUTE;
  };
  return {
    events,
    isAlerting: () => alerting,
    /** Of several changes in one report only the last counts. */
    endReport: () => {
      if (alerting !== before && !isSilent) events.push(alerting ? "begun" : "ended");
      before = alerting;
    },
    step: (applied: Threshold | undefined, sample: Seen) => {
      if (!applied) {
        change(false, true);
        seen = [];
        return;
      }
      seen.push(sample);
      if (!alerting && lasts((value) => value >= applied.threshold, applied)) {
        change(true);
        return;
      }
      if (alerting && lasts((value) => value < applied.clear, applied)) change(false);
      const known = seen.findLastIndex(({ value }) => value !== null);
      const missing = seen[known + 1];
      if (alerting && missing && missing.value === null && sample.at - missing.at >= 60 * MINUTE) change(false, true);
    },
  };
};

const play = async (seed: number, steps: number) => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob, { machine_id: "m" });
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const models = new Map(FIGURES.map((figure) => [figure.join(" "), createModel()]));
  const thresholds = new Map<string, Threshold>();
  let [previous, processors]: [number | null, number] = [null, PROCESSORS];
  const story: string[] = [];

  const changeThreshold = async () => {
    const [metric, subject] = pick(FIGURES);
    const key = `${metric} ${subject}`;
    const applied = thresholds.get(key);
    if (applied) {
      await app.as(bob).delete(`/api/thresholds/${applied.id}`);
      thresholds.delete(key);
    } else {
      const scale = metric === "load" ? 0.1 : 1;
      const setting = { threshold: 50 * scale, clear: pick([50, 45, 40]) * scale, minutes: pick([0, 1, 3, 10]) };
      const body = { scope: "agent", agent_id: agent.id, metric, subject, ...setting };
      const { id } = (await app.as(bob).post("/api/thresholds", body)).body.threshold;
      thresholds.set(key, { id, ...setting });
    }
    story.push(`threshold ${key} ${JSON.stringify(thresholds.get(key) ?? null)}`);
  };

  /** A figure that stays for a while, near the limits; null: not reported. */
  let level = 30;
  const nextValue = (): number | null => {
    if (random() < 0.3) level = pick([30, 42, 47, 52, 70]);
    return random() < 0.05 ? null : level;
  };

  const send = async (samples: Sample[]) => {
    const more: Partial<Report> = { processors };
    expect((await agent.report(samples, more)).status).toBe(200);
  };

  const report = async (count: number) => {
    const times = Array.from({ length: count }, (_, index) => app.clock.now() - (count - 1 - index) * MINUTE);
    const samples = times.map((at) => {
      const values = new Map(FIGURES.map((figure) => [figure.join(" "), nextValue()]));
      const of = (key: string) => values.get(key) ?? null;
      const isGap = previous === null || at - previous > 4 * MINUTE;
      if (previous === null || at > previous)
        for (const [key, model] of models) {
          const value = of(key);
          model.step(thresholds.get(key), { at, value: value !== null && key === "load " ? value / 10 : value, isGap });
        }
      previous = Math.max(previous ?? 0, at);
      const disks = ["/a", "/b"].flatMap((mount) => {
        const used = of(`disk ${mount}`);
        return used === null ? [] : [{ mount, total: 100, used }];
      });
      const [load, celsius] = [of("load "), of("temperature core")];
      return sampleAt(at, {
        cpu: of("cpu "),
        // A disk without a threshold, so that the list is never empty.
        disks: [...disks, { mount: "/other", total: 100, used: 99 }],
        ...(load !== null && { load: [(load / 10) * PROCESSORS, 9, 9] as [number, number, number] }),
        temperatures: celsius === null ? [] : [{ sensor: "core", celsius }],
      });
    });
    for (const model of models.values()) model.endReport();
    await send(samples);
    story.push(`report ${times.map(isoTime)} ${JSON.stringify(samples.map(({ cpu }) => cpu))}`);
  };

  for (let step = 0; step < steps; step++) {
    await app.clock.advance(pick([1, 1, 1, 1, 2, 3, 8, 45]) * MINUTE);
    if (random() < 0.2) await changeThreshold();
    processors = PROCESSORS;
    await report(pick([1, 1, 1, 3]));
    const { body } = await app.as(bob).get(`/api/outages?target=agent:${agent.id}&open=1`);
    const open = body.outages
      .map(({ kind, subject }) => `${kind} ${subject ?? ""}`)
      .filter((one) => one !== "offline ");
    const expected = [...models].filter(([, model]) => model.isAlerting()).map(([key]) => key);
    expect([seed, story.slice(-30), open.toSorted()]).toEqual([seed, story.slice(-30), expected.toSorted()]);
  }
  const events = await readEvents(app);
  for (const [key, { events: expected }] of models) {
    const [metric = "", subject = ""] = key.split(" ");
    const kinds = events
      .filter((one) => one.kind.startsWith(`${metric}_`) && one.subject === subject)
      .map(({ kind }) => (kind.endsWith("_high") ? "begun" : "ended"));
    expect([seed, key, kinds]).toEqual([seed, key, expected]);
  }
  return events.length;
};

it("alerts by thresholds are those of a plain model, for random figures, gaps, missing parts and changes of thresholds", async () => {
  let events = 0;
  for (const seed of seeds(5)) events += await play(seed, 40);
  expect(events).toBeGreaterThan(30);
});
