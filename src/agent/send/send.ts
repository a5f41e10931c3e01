import { version } from "../../build-info";
import {
  type Identity,
  type MachineFacts,
  REPORT_LIMITS,
  type Report,
  type Sample,
  type UnreadableDisk,
} from "../../shared/agents/report";
import { ownPlatform } from "../machine";
import type { Logger, Time } from "../runtime";
import { FatalError } from "../state";
import { pauseAfter, pauseAfterUnknownKey, sendRequest } from "./hub-client";
import type { SampleQueue } from "./sample-queue";

/** Bytes of samples in one report, well below the hub's limit. */
const LARGEST = 900_000;

/** The oldest samples that fit into one report, at least one. */
export const fitToBody = (samples: Sample[], count: number, largest = LARGEST): Sample[] => {
  let size = 0;
  const end = samples.findIndex((sample, index) => {
    size += Buffer.byteLength(JSON.stringify(sample)) + 1;
    return index > 0 && (index >= Math.min(count, REPORT_LIMITS.samples) || size > largest);
  });
  return end === -1 ? samples : samples.slice(0, end);
};

/** A cut must not split a surrogate pair. */
const cut = (text: string): string => text.slice(0, REPORT_LIMITS.text).toWellFormed();

/** The machine's identity, cut to the hub's length limits. */
export const fitIdentity = ({ hostname, ip_addresses, os, version }: Identity): Identity => ({
  hostname: cut(hostname) || "unnamed",
  ip_addresses: ip_addresses.slice(0, REPORT_LIMITS.addresses),
  os: cut(os),
  version: cut(version),
});

/** The part of a report besides its samples. */
type Facts = Identity & MachineFacts & { unreadable_disks: UnreadableDisk[] };

/** The machine's clock when a report is sent: its time, and when the machine was started according to it. */
const clockOf = (now: number, { boot_time, traffic }: Partial<Sample> = {}) => ({
  sent_at: new Date(now).toISOString(),
  ...(boot_time && { boot_time }),
  ...(traffic && { boot: traffic.boot }),
});

export const reportOf = (facts: Facts, interval: number, samples: Sample[]): Report => ({
  interval,
  ...facts,
  ...fitIdentity(facts),
  agent_version: version,
  agent_kind: "executable",
  agent_platform: ownPlatform(),
  samples,
});

/** A failure that persists is logged again after this time. */
const REPEAT_LOG_MS = 3_600_000;

type SenderOptions = {
  server: string;
  key: string;
  /** Seconds. */
  interval: number;
  facts: () => Promise<Facts>;
  buffer: SampleQueue;
  time: Time;
  log: Logger;
  /** Called when the hub has room for this agent in its live view. */
  onLive: () => void;
  /** Called when reporting starts to work or to fail. */
  reportState: (healthy: boolean, text: string) => void;
  /** Called each time that everything is sent. */
  rest?: () => void;
  /** Aborts to stop: the queue is sent, then the sender ends. */
  stop: AbortSignal;
  /** Aborts sending the queue after `stop`. */
  end: AbortSignal;
};

/** A count of samples for a log line. */
export const countSamples = (count: number): string => `${count} ${count === 1 ? "sample" : "samples"}`;

/** Sentences about the samples that the hub names as not stored. They would be refused again, so they are dropped. */
const describeNotStored = (found: unknown): string[] => {
  const { future, old } = Object(found) as Record<string, unknown>;
  const sentence = (count: unknown, which: string) =>
    typeof count === "number" && count > 0 ? [`did not store ${countSamples(count)} ${which}.`] : [];
  return [
    ...sentence(future, "with times in the future, because the clock of this machine or of the hub was wrong"),
    ...sentence(old, "that are older than 48 hours"),
  ];
};

/** Sends queued samples, oldest first. `wake` is called after a sample is queued. */
export const createSender = (options: SenderOptions) => {
  const { server, key, interval, facts, buffer, time, log, onLive, reportState, rest, stop, end } = options;
  let pending = Promise.withResolvers<void>();
  let failures = 0;
  /** Consecutive reports refused because of an unknown key. */
  let unknown = 0;
  let lastFailure = { reason: "", loggedAt: 0 };
  let started = false;
  /** Samples in one report, halved after a report that was too large. */
  let count: number = REPORT_LIMITS.samples;

  const wake = () => pending.resolve();

  const onAccepted = () => {
    const failed = failures + unknown > 0;
    if (failed) log(`${server} answers again; queued samples are being sent.`);
    if (failed || !started) reportState(true, `reports to ${server}`);
    started = true;
    failures = 0;
    unknown = 0;
    lastFailure = { reason: "", loggedAt: 0 };
  };

  const onUnavailable = (reason: string) => {
    failures++;
    buffer.keep();
    if (reason === lastFailure.reason && time.monotonic() - lastFailure.loggedAt < REPEAT_LOG_MS) return;
    if (reason !== lastFailure.reason) reportState(false, `cannot report to ${server}: ${reason}`);
    lastFailure = { reason, loggedAt: time.monotonic() };
    log(`Cannot report to ${server}: ${reason}. ${countSamples(buffer.size)} kept; trying again until it works.`);
  };

  /** A hub that is being restored may not know the key, so the agent keeps retrying unless the hub reports the deletion. */
  const onUnknownKey = () => {
    unknown++;
    buffer.keep();
    if (unknown > 1) return;
    reportState(false, `cannot report to ${server}: it does not know this machine's key`);
    log(
      `${server} does not know this machine's key. ${countSamples(buffer.size)} kept; asking again within seconds, later every 5 to 60 minutes. If the server is missing there for good, make a new token on the page that adds a server and start the agent with it.`,
    );
  };

  /**
   * Sends one report and returns milliseconds to wait before the next.
   * @throws {FatalError} when the server was deleted
   */
  const sendOnce = async (): Promise<number> => {
    const samples = fitToBody(buffer.oldest(count), count);
    const report = reportOf(await facts(), interval, samples);
    const body = JSON.stringify({ ...report, ...clockOf(time.now(), buffer.newest) });
    const answer = await sendRequest(server, { path: "api/agents/report", body, key, signal: end });
    if (answer.kind === "accepted") {
      buffer.drop(samples);
      onAccepted();
      for (const text of describeNotStored(answer.body.not_stored)) log(`${server} ${text}`);
      if (answer.body.live === true && !stop.aborted) onLive();
    } else if (answer.kind === "unavailable") {
      onUnavailable(answer.reason);
      return pauseAfter(failures, answer.retryAfter);
    } else if (answer.code === "agent_deleted") {
      throw new FatalError(
        `This server was deleted at ${server}. To add it again, make a new token on the page that adds a server and start the agent with it.`,
      );
    } else if (answer.status === 401) {
      onUnknownKey();
      return pauseAfterUnknownKey(unknown);
    } else if (answer.status === 413 && samples.length > 1) {
      count = Math.ceil(samples.length / 2);
    } else {
      buffer.drop(samples);
      log(`${server} refused ${countSamples(samples.length)}, which are dropped: ${answer.message}`);
    }
    return 0;
  };

  const run = async (): Promise<void> => {
    stop.addEventListener("abort", wake);
    while (!stop.aborted) {
      if (buffer.size === 0) {
        rest?.();
        await pending.promise;
        pending = Promise.withResolvers();
        continue;
      }
      const pause = await sendOnce();
      if (pause > 0) await time.sleep(pause, stop);
    }
    while (buffer.size > 0 && !end.aborted) if ((await sendOnce()) > 0) break;
    if (buffer.size > 0) log(`Stopping; ${countSamples(buffer.size)} kept for the next start.`);
  };

  return { wake, run };
};
