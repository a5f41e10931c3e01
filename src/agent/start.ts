import { version } from "../build-info";
import { FatalError } from "./fatal-error";
import { machineSecret } from "./machine";
import { collect } from "./measure/collect";
import type { Platform } from "./measure/reading";
import { watchUnreadable } from "./measure/unreadable";
import type { Options } from "./options";
import type { Logger } from "./output";
import { fitIdentity } from "./send/batch";
import { enroll, tokenHash } from "./send/enroll";
import { openSampleQueue } from "./send/sample-queue";
import { createSender, plural } from "./send/send";
import { type Enrollment, openState, readEnrollment, writeEnrollment, writeRunState } from "./state";
import type { Time } from "./time";

/** Milliseconds for sending what there is when asked to stop. */
const FAREWELL = 5000;

export type AgentRuntime = {
  platform: Platform;
  time: Time;
  say: Logger;
  /** Asks the agent to send what it holds and end. */
  stop: AbortSignal;
};

/** Whether what is sent passes a network in the clear. */
const isOpenToOthers = (server: string): boolean => {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !/^(localhost|127\..+|\[::1\])$/.test(hostname);
};

type Enrolled = Enrollment & {
  /** Why a new token was refused, where the earlier enrolment goes on. */
  refused?: string;
};

/**
 * The enrolment of an earlier start, or a new one where there is none or the token is new. A machine that is enrolled
 * goes on with the earlier one when the hub refuses the new token.
 */
const enrolled = async (options: Options, { platform, time, say, stop }: AgentRuntime): Promise<Enrolled | null> => {
  const { state, token, name } = options;
  const before = readEnrollment(state);
  if (before && (token === null || before.token === tokenHash(token)))
    return { ...before, server: options.server ?? before.server };
  const server = options.server ?? before?.server;
  if (!server) throw new FatalError("--server (or WAKEFUL_SERVER) must name the console's address");
  if (token === null)
    throw new FatalError(
      "--token-file (or WAKEFUL_TOKEN, or --token) must hold a token; the console's page that adds a server makes one",
    );
  const registration = {
    token,
    machine_id: machineSecret(state),
    ...(name ? { name } : {}),
    ...fitIdentity(await platform.identity()),
  };
  try {
    const enrolment = await enroll({ server, registration, time, say, signal: stop });
    if (!enrolment) return null;
    writeEnrollment(state, enrolment);
    say(`Enrolled at ${server} as agent ${enrolment.agent}. The token is used up and not needed again.`);
    return enrolment;
  } catch (error) {
    if (!before || !(error instanceof FatalError)) throw error;
    say(`${error.message} The earlier enrolment at ${before.server} goes on.`);
    return { ...before, refused: error.message };
  }
};

/**
 * Enrols if that was not done before, then measures and reports until it is asked to stop. Throws a Refusal when a
 * person has to look at it.
 */
export const start = async (options: Options, surroundings: AgentRuntime): Promise<void> => {
  const { interval, state } = options;
  const { platform, time, say, stop } = surroundings;
  openState(state);
  let refused: string | undefined;
  const stand = (well: boolean, text: string) => {
    const since = new Date(time.now()).toISOString();
    writeRunState(state, { process: process.pid, since, well, text, ...(refused ? { refused } : {}) });
  };
  stand(false, "started, has not reported yet");
  const enrolment = await enrolled(options, {
    ...surroundings,
    say: (text) => {
      stand(false, text);
      say(text);
    },
  }).catch((error) => {
    stand(false, String(error.message));
    throw error;
  });
  if (!enrolment) return;
  const { server, key, agent } = enrolment;
  refused = enrolment.refused;
  stand(false, "started, has not reported yet");

  say(
    `Wakeful agent ${version} reports to ${server} as agent ${agent} every ${interval} s; its files are in ${state}.`,
  );
  if (isOpenToOthers(server)) say("The address starts with http://, so key and figures travel readable for others.");
  for (const remark of platform.remarks) say(remark);

  const [ending, cut] = [new AbortController(), new AbortController()];
  let farewell: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    ending.abort();
    farewell = setTimeout(() => cut.abort(), FAREWELL);
  };
  if (stop.aborted) end();
  else stop.addEventListener("abort", end);

  const buffer = openSampleQueue(state, say);
  if (buffer.size > 0) say(`Of an earlier run ${plural(buffer.size)} will be sent first.`);
  const unreadable = watchUnreadable(say);
  const sender = createSender({
    server,
    key,
    interval,
    facts: async () => ({ ...(await platform.identity()), unreadable_disks: unreadable.disks }),
    buffer,
    time,
    say,
    stand,
    stop: ending.signal,
    end: cut.signal,
  });
  const collecting = collect({
    platform,
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
    stand(true, "stopped");
    say(buffer.size > 0 ? `Stopped. ${plural(buffer.size)} kept for the next start.` : "Stopped. Everything is sent.");
  } catch (error) {
    stand(false, error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    ending.abort();
    stop.removeEventListener("abort", end);
    clearTimeout(farewell);
    buffer.close();
  }
};
