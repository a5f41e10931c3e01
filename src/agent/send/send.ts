import { REPORT_LIMITS } from "../../shared/report";
import { FatalError } from "../fatal-error";
import type { Logger } from "../output";
import type { Time } from "../time";
import { pauseAfter, pauseAfterUnknownKey } from "./backoff";
import { type Facts, fitToBody, reportOf } from "./batch";
import { sendRequest } from "./hub-client";
import type { SampleQueue } from "./sample-queue";

/** Milliseconds until a trouble that goes on is told again. */
const REMINDER = 3_600_000;

export type Sending = {
  server: string;
  key: string;
  /** Seconds. */
  interval: number;
  facts: () => Promise<Facts>;
  buffer: SampleQueue;
  time: Time;
  say: Logger;
  /** Called when reporting starts to work, and when it starts to fail. */
  stand: (well: boolean, text: string) => void;
  /** Asks it to send what there is and end. */
  stop: AbortSignal;
  /** Cuts that short. */
  end: AbortSignal;
};

/** A number of samples in words. */
export const plural = (count: number): string => `${count} ${count === 1 ? "sample" : "samples"}`;

/** Sends what the buffer holds, oldest first, whenever `wake` says that there is something. */
export const createSender = (sending: Sending) => {
  const { server, key, interval, facts, buffer, time, say, stand, stop, end } = sending;
  let bell = Promise.withResolvers<void>();
  let failures = 0;
  /** How often in a row the hub refused the key. */
  let unknown = 0;
  let trouble = { reason: "", saidAt: 0 };
  let started = false;
  /** Samples for each report: fewer after one that was too large. */
  let count: number = REPORT_LIMITS.samples;

  const wake = () => bell.resolve();

  const onAccepted = () => {
    const failed = failures + unknown > 0;
    if (failed) say(`${server} answers again; what waited is being sent.`);
    if (failed || !started) stand(true, `reports to ${server}`);
    started = true;
    failures = 0;
    unknown = 0;
    trouble = { reason: "", saidAt: 0 };
  };

  const onUnclear = (reason: string) => {
    failures++;
    buffer.keep();
    if (reason === trouble.reason && time.monotonic() - trouble.saidAt < REMINDER) return;
    if (reason !== trouble.reason) stand(false, `cannot report to ${server}: ${reason}`);
    trouble = { reason, saidAt: time.monotonic() };
    say(`Cannot report to ${server}: ${reason}. ${plural(buffer.size)} kept; trying again until it works.`);
  };

  /** A hub whose data are away for a moment knows no key, so the agent goes on until the hub says that it was deleted. */
  const onUnknownKey = () => {
    unknown++;
    buffer.keep();
    if (unknown > 1) return;
    stand(false, `cannot report to ${server}: it does not know this machine's key`);
    say(
      `${server} does not know this machine's key. ${plural(buffer.size)} kept; asking again every 5 to 60 minutes. If the server is missing there for good, make a new token on the page that adds a server and start the agent with it.`,
    );
  };

  /** Sends one report; returns milliseconds to wait before the next. Throws a Refusal when the server was deleted. */
  const sendOnce = async (): Promise<number> => {
    const samples = fitToBody(buffer.oldest(count), count);
    const body = JSON.stringify(reportOf(await facts(), interval, samples));
    const answer = await sendRequest(server, { path: "api/agents/report", body, key, signal: end });
    if (answer.kind === "accepted") {
      buffer.drop(samples);
      onAccepted();
    } else if (answer.kind === "unclear") {
      onUnclear(answer.reason);
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
      say(`${server} refused ${plural(samples.length)}, which are given up: ${answer.message}`);
    }
    return 0;
  };

  const run = async (): Promise<void> => {
    stop.addEventListener("abort", wake);
    while (!stop.aborted) {
      if (buffer.size === 0) {
        await bell.promise;
        bell = Promise.withResolvers();
        continue;
      }
      const pause = await sendOnce();
      if (pause > 0) await time.sleep(pause, stop);
    }
    while (buffer.size > 0 && !end.aborted) if ((await sendOnce()) > 0) break;
    if (buffer.size > 0) say(`Stopping; ${plural(buffer.size)} kept for the next start.`);
  };

  return { wake, run };
};
