/** An instance of the hub: its process, and what happens to it. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Settings, startConsole } from "../smoke/lib/hub";

/** A slice of the time of a starved hub, and its running part (ms): 10 % of a core. */
const SLICE = { all: 100, running: 10 };
/** Debian's package faketime. */
const FAKE_TIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

type Place = { folder: string; executable: string };
/** Words that run a command in the network of the instance, and its address for this process. */
type Where = { enter: string[]; address: string; port: number };

/** The settings that replace the clock. A file has its difference from the true time. */
const fakeTime = (file: string): Settings => ({
  LD_PRELOAD: FAKE_TIME,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: "1",
  // Timers run on.
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
});

/** Starts an instance. `hasClock`: its clock can be set. */
export const openInstance = async (
  place: Place,
  settings: Settings,
  { where, hasClock, number }: { where: Where; hasClock: boolean; number: number },
) => {
  const clock = join(place.folder, `clock-${number}`);
  const setClock = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? "" : "+"}${seconds}`);
  setClock(0);
  const env = {
    ...{
      HOST: "0.0.0.0",
      PORT: String(where.port),
      PRIVATE_TARGETS: "all",
      DEFAULT_LANGUAGE: "en-US",
      MIN_INTERVAL: "10",
    },
    ...(hasClock && fakeTime(clock)),
    ...settings,
  };
  let process = await startConsole(place, env, where);
  const logs = [process.log];
  return {
    /** The lines of the log of each start. */
    logs,
    current: () => process,
    kill: () => process.kill(),
    restart: async (): Promise<void> => {
      process = await startConsole(place, env, where);
      logs.push(process.log);
    },
    freeze: () => process.signal("SIGSTOP"),
    thaw: () => process.signal("SIGCONT"),
    /** Lets it run a tenth of the time, until the returned function is called. */
    starve: (): (() => void) => {
      const timer = setInterval(() => {
        process.signal("SIGCONT");
        setTimeout(() => process.signal("SIGSTOP"), SLICE.running);
      }, SLICE.all);
      return () => {
        clearInterval(timer);
        setTimeout(() => process.signal("SIGCONT"), SLICE.all);
      };
    },
    /** Sets how far its clock is ahead of the true time (s). */
    setClock,
    stop: async (): Promise<void> => {
      await process.stop();
      rmSync(clock);
    },
  };
};

export type Instance = Awaited<ReturnType<typeof openInstance>>;
