import { version } from "../build-info";
import { collect, watchUnreadable } from "./collect";
import type { Figures } from "./figures/registry";
import type { createLiveView } from "./live";
import type { Options } from "./options";
import type { Platform } from "./platform/platform";
import type { Logger, Time } from "./runtime";
import { enroll, tokenHash } from "./send/hub-client";
import { openSampleQueue } from "./send/sample-queue";
import { countSamples, createSender, fitIdentity } from "./send/send";
import {
  type Enrollment,
  FatalError,
  machineSecret,
  openState,
  readEnrollment,
  writeEnrollment,
  writeRunState,
} from "./state";

/** How long queued samples may still be sent after a signal to stop. */
const SHUTDOWN_GRACE_MS = 5000;

/** Seconds. From this interval on, garbage is collected after each report: it would stay in memory for most of an hour. */
const COLLECT_FROM = 10;

type AgentRuntime = {
  platform: Platform;
  figures: Figures;
  time: Time;
  log: Logger;
  /** Aborts to stop the agent: it sends its queue, then ends. */
  stop: AbortSignal;
};

/** Whether reports cross a network without TLS. */
const isUnencrypted = (server: string): boolean => {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !/^(localhost|127\..+|\[::1\])$/.test(hostname);
};

/** Loads the live view when the hub has room for this agent in it. */
const createLiveStart = (options: Parameters<typeof createLiveView>[0]) => {
  let begin: ReturnType<typeof createLiveView> | undefined;
  return async (): Promise<void> => {
    begin ??= (await import("./live")).createLiveView(options);
    await begin();
  };
};

type Enrolled = Enrollment & {
  /** Why a new token was refused while the earlier enrollment stays in use. */
  refused?: string;
};

/**
 * Returns the stored enrollment, or enrolls if it is missing or the token is new. An enrolled machine keeps its enrollment if
 * the hub refuses the new token.
 */
const enrolled = async (options: Options, { platform, time, log, stop }: AgentRuntime): Promise<Enrolled | null> => {
  const { state, token, name } = options;
  const before = readEnrollment(state);
  if (before && (token === null || before.token === tokenHash(token)))
    return { ...before, server: options.server ?? before.server };
  const server = options.server ?? before?.server;
  if (!server) throw new FatalError("--server (or WAKEFUL_SERVER) must name the hub's address");
  if (token === null)
    throw new FatalError(
      "--token-file (or WAKEFUL_TOKEN, or --token) must hold a token; the hub's page that adds a server makes one",
    );
  const registration = {
    token,
    machine_id: machineSecret(state),
    ...(name ? { name } : {}),
    ...fitIdentity(await platform.identity()),
  };
  try {
    const enrollment = await enroll({ server, registration, time, log, signal: stop });
    if (!enrollment) return null;
    writeEnrollment(state, enrollment);
    log(`Enrolled at ${server} as agent ${enrollment.agent}. The token is used up and is not needed again.`);
    return enrollment;
  } catch (error) {
    if (!before || !(error instanceof FatalError)) throw error;
    log(`${error.message} The earlier enrollment at ${before.server} stays in use.`);
    return { ...before, refused: error.message };
  }
};

/**
 * Enrolls if necessary, then measures and reports until the signal aborts.
 * @throws {FatalError} when a restart cannot help
 */
export const start = async (options: Options, runtime: AgentRuntime): Promise<void> => {
  const { interval, state } = options;
  const { platform, figures, time, log, stop } = runtime;
  openState(state);
  let refused: string | undefined;
  const reportState = (healthy: boolean, text: string) => {
    const since = new Date(time.now()).toISOString();
    writeRunState(state, { process: process.pid, since, healthy, text, ...(refused ? { refused } : {}) });
  };
  reportState(false, "started, has not reported yet");
  const enrollment = await enrolled(options, {
    ...runtime,
    log: (text) => {
      reportState(false, text);
      log(text);
    },
  }).catch((error) => {
    reportState(false, String(error.message));
    throw error;
  });
  if (!enrollment) return;
  const { server, key, agent } = enrollment;
  refused = enrollment.refused;
  reportState(false, "started, has not reported yet");

  log(
    `Wakeful agent ${version} reports to ${server} as agent ${agent} every ${interval} s; its files are in ${state}.`,
  );
  if (isUnencrypted(server)) log("The address starts with http://, so the key and all figures are sent unencrypted.");
  for (const remark of platform.remarks) log(remark);

  const [ending, cut] = [new AbortController(), new AbortController()];
  let graceTimer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    ending.abort();
    graceTimer = setTimeout(() => cut.abort(), SHUTDOWN_GRACE_MS);
  };
  if (stop.aborted) end();
  else stop.addEventListener("abort", end);

  const buffer = openSampleQueue(state, log);
  if (buffer.size > 0) log(`${countSamples(buffer.size)} of an earlier run will be sent first.`);
  const unreadable = watchUnreadable(log);
  const onLive = createLiveStart({ server, key, platform, figures, time, stop: ending.signal });
  const sender = createSender({
    server,
    key,
    interval,
    facts: async () => ({
      ...(await platform.identity()),
      ...(await figures.facts(ending.signal)),
      unreadable_disks: unreadable.disks,
    }),
    buffer,
    time,
    log,
    onLive: () => void onLive(),
    reportState,
    rest: interval >= COLLECT_FROM ? () => Bun.gc(true) : undefined,
    stop: ending.signal,
    end: cut.signal,
  });
  const collecting = collect({
    platform,
    figures,
    time,
    interval,
    signal: ending.signal,
    onUnreadable: unreadable.set,
    keep: (sample) => {
      buffer.add(sample);
      sender.wake();
    },
  });
  try {
    await Promise.all([collecting, sender.run()]);
    reportState(true, "stopped");
    log(
      buffer.size > 0
        ? `Stopped. ${countSamples(buffer.size)} kept for the next start.`
        : "Stopped. Everything is sent.",
    );
  } catch (error) {
    reportState(false, error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    ending.abort();
    stop.removeEventListener("abort", end);
    clearTimeout(graceTimer);
    buffer.close();
  }
};
