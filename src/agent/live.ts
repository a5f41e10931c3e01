import type { Sample } from "../shared/agents/report";
import { readMoment, sampleOf } from "./collect";
import type { Figures } from "./figures/registry";
import type { Platform } from "./platform/platform";
import type { Time } from "./runtime";
import { sendRequest } from "./send/hub-client";

/** The figures of each second: those that are read from a file of the kernel. */
const FIGURES = ["cpu_parts", "interfaces", "disk_activity"];
/** Milliseconds between two samples. */
const STEP_MS = 1000;
/** The hub answers a waiting call within 55 s. */
const WAIT_TIMEOUT_MS = 70_000;
const SEND_TIMEOUT_MS = 5000;
/** The longest time of sending samples that an answer may ask for (seconds). */
const LONGEST_SECONDS = 60;
/** A hub that ends waits sooner than this, in milliseconds, is not called again until it answers a report. */
const SHORTEST_WAIT_MS = 10_000;
/** Agents that are invited together call at random within this time (ms). */
const JITTER_MS = 5000;

type LiveOptions = {
  server: string;
  key: string;
  platform: Pick<Platform, "readQuick">;
  figures: Pick<Figures, "read">;
  time: Time;
  stop: AbortSignal;
  random?: () => number;
};

/**
 * The live view: a call to the hub waits until a page shows this server; then the agent sends a sample each second for as long
 * as the hub asks, in addition to its reports. Returns a function that starts it, to be called for each answer that invites;
 * it ends at the first failed call.
 */
export const createLiveView = ({ server, key, platform, figures, time, stop, random = Math.random }: LiveOptions) => {
  /** Sends samples, or none to wait, and returns for how many seconds the hub asks for them; null when it does not answer as one. */
  const call = async (samples: Sample[], timeout: number): Promise<number | null> => {
    const body = JSON.stringify({ samples });
    const keepalive = samples.length > 0;
    const answer = await sendRequest(server, { path: "api/agents/live", body, key, signal: stop, timeout, keepalive });
    if (answer.kind !== "accepted") return null;
    const seconds = answer.body.seconds;
    return typeof seconds === "number" && seconds >= 1 ? Math.min(seconds, LONGEST_SECONDS) : 0;
  };

  const source = {
    platform: { read: async () => platform.readQuick() },
    figures: { read: (reading: Parameters<Figures["read"]>[0]) => figures.read(reading, FIGURES) },
    time,
  };

  /** Sends a sample each second while the hub asks for them. Returns whether it answered each time. */
  const sendSamples = async (seconds: number): Promise<boolean> => {
    let before = await readMoment(source);
    let due = before.monotonic;
    let until = due + seconds * 1000;
    while (!stop.aborted && time.monotonic() < until) {
      // Seconds that a slow answer took are left out.
      due = Math.max(due + STEP_MS, time.monotonic());
      await time.sleep(Math.ceil(due - time.monotonic()), stop);
      if (stop.aborted) break;
      const after = await readMoment(source);
      const wanted = await call([sampleOf(before, after, true)], SEND_TIMEOUT_MS);
      if (wanted === null) return false;
      until = time.monotonic() + wanted * 1000;
      before = after;
    }
    return true;
  };

  const run = async (): Promise<void> => {
    await time.sleep(JITTER_MS * random(), stop);
    while (!stop.aborted) {
      const from = time.monotonic();
      const seconds = await call([], WAIT_TIMEOUT_MS);
      if (seconds === null) return;
      if (seconds > 0) {
        if (!(await sendSamples(seconds))) return;
      } else if (time.monotonic() - from < SHORTEST_WAIT_MS) return;
    }
  };

  let running = false;
  return async (): Promise<void> => {
    if (running || stop.aborted) return;
    running = true;
    await run().finally(() => {
      running = false;
    });
  };
};
