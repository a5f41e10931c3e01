/** The update of an agent: whether its program works is told by its reports. */
import type { Time } from "../agent/runtime";
import { readRunState } from "../agent/state";
import type { Service } from "./agent-service";
import { UpdateError } from "./release";
import type { Subject } from "./update";

export type Agent = {
  /** The agent's directory, where it notes how it stands. */
  state: string;
  service: Service | null;
  isRunning: (process: number) => boolean;
  time: Time;
};

const REPORT_TIMEOUT_MS = 3 * 60_000;
const POLL_MS = 1000;

export const agentSubject = ({ state, service, isRunning, time }: Agent): Subject => {
  /** When the agent that runs before a restart was started. */
  let since: string | undefined;
  return {
    assertWorks: () => {
      const runState = readRunState(state);
      if (service && !(runState?.healthy && isRunning(runState.process)))
        throw new UpdateError("the agent does not report at present, so it could not be told whether a new one works");
    },
    restart:
      service &&
      (() => {
        since = readRunState(state)?.since;
        service.restart();
      }),
    works: async () => {
      const deadline = time.monotonic() + REPORT_TIMEOUT_MS;
      for (; time.monotonic() < deadline; await time.sleep(POLL_MS)) {
        const runState = readRunState(state);
        if (runState?.healthy && runState.since !== since && isRunning(runState.process)) return true;
      }
      return false;
    },
    words: {
      works: "runs and reports",
      fails: "did not report within 3 minutes",
      restart: "Restart the agent to use it.",
    },
  };
};
