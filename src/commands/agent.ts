import { lstatSync } from "node:fs";
import { openFigures } from "../agent/figures/registry";
import { machineHere } from "../agent/machine";
import { readOptions } from "../agent/options";
import type { Platform, Selection } from "../agent/platform/platform";
import { createLogger, oneLine, systemTime, write } from "../agent/runtime";
import { countWaiting } from "../agent/send/sample-queue";
import { countSamples } from "../agent/send/send";
import { start } from "../agent/start";
import { EX_CONFIG, FatalError, readEnrollment, readRunState } from "../agent/state";
import { compiled, isMusl, releaseKey, repository, version } from "../build-info";
import { executableName } from "../shared/agents/downloads";

export const help = `usage: wakeful agent start|status|update|version [options]

Measures this machine (processor, memory, disks, network, temperatures, programs and more) and reports it to a hub. It
only reads and sends: nothing that a hub answers is ever run.

  start                    enroll, if that was not done before, then report until stopped
  status                   show the state of the agent on this machine; exits 0 if it reports, 1 if not
  update                   replace this program by a newer release, if its signature is right, and restart the agent; back
                           to this one if that does not report within 3 minutes. The hub has no part in it
  version                  print the version

  --server URL             the hub's address                             WAKEFUL_SERVER
  --token-file FILE        a file that holds a token from the hub,       WAKEFUL_TOKEN_FILE
                           for the first start; - is standard input
  --token TOKEN            the token itself, which all users of the      WAKEFUL_TOKEN
                           machine can see in the list of processes
  --interval SECONDS       between two samples, 60 by default            WAKEFUL_INTERVAL
  --name NAME              what the hub calls it at first                WAKEFUL_NAME
  --state DIR              where its key and waiting samples are kept    WAKEFUL_STATE
  --interfaces GLOBS       network interfaces to count, as in eth*,!eth1 WAKEFUL_INTERFACES
  --network-filesystems    count NFS, SMB and the like as disks, too     WAKEFUL_NETWORK_FILESYSTEMS
  --containers[=SOCKET]    report the containers of Docker or Podman. A  WAKEFUL_CONTAINERS
                           user who may open Docker's socket can become
                           root; SOCKET may also be the address of a
                           proxy that only lets reading pass
  --without FIGURES        figures not to read, as in processes,gpus;    WAKEFUL_WITHOUT
                           there are cpu_parts, disk_activity,
                           interfaces, temperatures, traffic, processors,
                           processes, failed_units, gpus, arrays and
                           reboot_required
  --releases URL           for update: the folder of the releases        WAKEFUL_RELEASES
  --check                  for update: only say whether there is one

Each option may come from the environment instead, under the name beside it. It exits 0 when it is asked to stop, and
${EX_CONFIG} when a restart cannot help: a wrong option, a first token that is refused, or a server that was deleted on the hub.
update exits 0 when there is nothing newer or the new program reports, 1 when nothing was changed, 2 when it went back, and with
--check 3 when there is one.
`;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** The state directory that install.sh uses. */
const INSTALLED = "/var/lib/wakeful-agent";

/** Whether an agent is installed whose files this user may not read. */
const isInstalledForRoot = (folder: string, installed: string): boolean =>
  folder !== installed && lstatSync(installed, { throwIfNoEntry: false }) !== undefined;

/** Describes the agent that uses this directory, line by line, and whether it is running and reporting. */
export const statusOf = (
  folder: string,
  running = isRunning,
  installed = INSTALLED,
): { healthy: boolean; lines: string[] } => {
  const enrollment = readEnrollment(folder);
  const runState = readRunState(folder);
  if (!enrollment) {
    const lines = isInstalledForRoot(folder, installed)
      ? [`An agent is installed on this machine; only root can read how it stands: sudo wakeful agent status`]
      : [`not enrolled: there is no key in ${folder}`, ...(runState ? [`state    ${runState.text}`] : [])];
    return { healthy: false, lines };
  }
  const alive = runState !== null && running(runState.process);
  const since = runState ? ` since ${runState.since}` : "";
  const state = !runState
    ? "has not reported yet"
    : alive || !runState.healthy
      ? `${runState.text}${since}`
      : runState.text === "stopped"
        ? `stopped${since}`
        : "not running";
  return {
    healthy: alive && runState.healthy,
    lines: [
      `hub      ${enrollment.server}`,
      `agent    ${enrollment.agent}`,
      `files    ${folder}`,
      `state    ${state}`,
      ...(alive && runState.refused ? [`token    refused: ${runState.refused}`] : []),
      `waiting  ${countSamples(countWaiting(folder))} on disk`,
    ],
  };
};

/** Loads the readers for this operating system only. */
const openPlatform = async (selection: Selection): Promise<Platform> => {
  if (process.platform === "darwin") return (await import("../agent/platform/darwin")).createDarwin(selection);
  if (process.platform === "win32") return (await import("../agent/platform/windows")).createWindows();
  return (await import("../agent/platform/linux")).createLinux(selection);
};

const startHere = async (words: string[]): Promise<void> => {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  const options = readOptions(words, process.env);
  const platform = await openPlatform(options.selection);
  const log = createLogger(process.env.JOURNAL_STREAM === undefined);
  const figures = openFigures(machineHere(options.engines, systemTime, log), systemTime, options.without);
  await start(options, { platform, figures, time: systemTime, log, stop: stop.signal });
};

/** The configured folder of releases; by default this build's repository. */
const placeOf = (given: string | undefined): string => {
  const place = (
    given ||
    process.env.WAKEFUL_RELEASES ||
    (repository && `${repository}/releases/latest/download`)
  ).replace(/\/+$/, "");
  if (!place) throw new FatalError("--releases (or WAKEFUL_RELEASES) must name the folder of the releases");
  if (!/^https?:\/\/./.test(place)) throw new FatalError("--releases starts with https:// or http://");
  return place;
};

const updateHere = async (words: string[]): Promise<number> => {
  const isCheck = words.includes("--check");
  const rest = words.filter((word) => word !== "--check");
  const index = rest.indexOf("--releases");
  const [, given] = index < 0 ? [] : rest.splice(index, 2);
  if (index >= 0 && given === undefined) throw new FatalError("--releases needs a value");
  const { state } = readOptions(rest, process.env);
  if (!compiled) throw new FatalError("only the executable can be updated");
  if (!releaseKey)
    throw new FatalError("this program was built without a key for releases, so it can verify no update");
  const { findUpdate, update, UPDATE_CODES } = await import("../update/update");
  const { findService } = await import("../update/agent-service");
  const { agentSubject } = await import("../update/agent");
  const log = createLogger(false);
  const settings = {
    place: placeOf(given),
    publicKey: releaseKey,
    current: version,
    name: executableName(process.platform, process.arch, isMusl),
    program: process.execPath,
    time: systemTime,
    log,
  };
  try {
    const service = findService(readRunState(state)?.process ?? null, process.execPath);
    if (!isCheck)
      return await update({ ...settings, subject: agentSubject({ state, service, isRunning, time: systemTime }) });
    const release = await findUpdate(settings);
    log(
      release
        ? `Version ${release.version} of ${release.date} is available; this is ${version}.`
        : `Version ${version} is up to date.`,
    );
    return release ? UPDATE_CODES.available : UPDATE_CODES.done;
  } catch (error) {
    process.stderr.write(
      `wakeful agent: not updated: ${oneLine(error instanceof Error ? error.message : String(error))}\n`,
    );
    return UPDATE_CODES.failed;
  }
};

const act = async ([action, ...words]: string[]): Promise<number> => {
  if (action === "start") {
    await startHere(words);
    return 0;
  }
  if (action === "status") {
    const { healthy, lines } = statusOf(readOptions(words, process.env).state);
    write(`${lines.join("\n")}\n`);
    return healthy ? 0 : 1;
  }
  if (action === "update") return updateHere(words);
  if (action === "version") {
    write(`${version}\n`);
    return 0;
  }
  throw new FatalError("usage: wakeful agent start|status|update|version (--help explains them)");
};

export const run = async (words: string[]): Promise<void> => {
  try {
    process.exit(await act(words));
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    process.stderr.write(`wakeful agent: ${error.message}\n`);
    process.exit(EX_CONFIG);
  }
};
