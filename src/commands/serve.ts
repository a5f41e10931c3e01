import { existsSync } from "node:fs";
import { isMusl, pageDirectory, version } from "../build-info";
import { recordDowntime, recordStop } from "../cluster/downtime";
import { isAlone } from "../cluster/instances";
import { createWatching } from "../cluster/watching";
import { type Config, ConfigError, readConfig, serviceEnvironment } from "../core/config";
import { createCostlyCalls } from "../core/costly-calls";
import type { Deps } from "../core/deps";
import { createMeters } from "../core/deps";
import { describeError } from "../core/errors";
import { createLog } from "../core/log";
import { SECRET_SETTINGS } from "../core/settings/environment";
import { settingsText } from "../core/settings/list";
import { connectServiceManager } from "../core/systemd/service-manager";
import { createTrials } from "../core/trials";
import { getOrCreateSetting, readSetting } from "../db/app-settings";
import { isPoolerMismatch } from "../db/errors";
import { isOfNewerVersion, openDatabase, tryDatabase } from "../db/open";
import { createListen } from "../db/postgres/listen";
import { createSlidingWindows } from "../lib/sliding-window";
import { systemClock } from "../lib/time";
import { createAdministrator, firstAccountNotice, registrationState } from "../modules/accounts/account/registration";
import { channelHosts } from "../modules/alerting/channels/hosts";
import { createDelivery } from "../modules/alerting/delivery/deliver";
import { createLive } from "../modules/live/live";
import { createRelay } from "../modules/live/relay";
import { createConnectivity } from "../modules/monitors/engine/connectivity";
import { createEngine } from "../modules/monitors/engine/engine";
import { createWitnesses } from "../modules/monitors/engine/own-network/witnesses";
import { extendDeadlines as extendPingDeadlines } from "../modules/monitors/heartbeats/deadlines";
import { createReportComposer } from "../modules/reports/schedules/message";
import { writeBeforeEnd } from "../modules/servers/ingest/journal/journal";
import { replayJournal } from "../modules/servers/ingest/journal/replay";
import { extendDeadlines } from "../modules/servers/ingest/offline";
import { createPages } from "../modules/status-page/access/pages";
import { invalidatePages } from "../modules/status-page/cache";
import { createNoticeSender } from "../modules/status-page/subscribers/sender";
import { readPageTargets } from "../modules/status-page/tagged";
import { type BackupProblem, folderProblem } from "../modules/system/backups/folder";
import { hasWallKey } from "../modules/wall/keys";
import { createOutbound } from "../probe/outbound";
import { createApp } from "../server/app";
import { jobs } from "../server/jobs";
import { listen } from "../server/listen";
import { createSubscriptionPage } from "../server/pages/subscription-page";
import { checkErrorText } from "../shared/check-error";

export const help = `usage: wakeful [serve [--check]]

Runs the hub. With --check it only reads the settings and connects to the database: it changes nothing, exits 0 if
both can be used, otherwise 1 with the reason, and names variables that look like a misspelled setting.

Settings come from environment variables, and each is optional:

${settingsText()}
These may be given as files, as Docker and systemd pass secrets, for example JWT_SECRET_FILE=/run/secrets/jwt:
${SECRET_SETTINGS.join(", ")}.

A setting that cannot be used stops the start with a message that names it. docs/settings.md says more.
`;

/** Creates the dependencies shared by all parts of the hub. */
const createDeps = async (config: Config): Promise<Deps> => {
  const log = createLog(config.logLevel, process.stdout.isTTY === true, (line) => process.stdout.write(line));
  const db = await openDatabase(config);
  if (await readSetting(db, "moving"))
    throw new Error("this database is half moved: give the same wakeful migrate-data again, which ends it");
  const instance = crypto.randomUUID().slice(0, 8);
  const jwtSecret = config.jwtSecret || (await getOrCreateSetting(db, "jwt_secret", randomSecret()));
  return {
    config,
    db,
    log,
    meters: createMeters(),
    outbound: createOutbound({ clock: systemClock, log }),
    clock: systemClock,
    live: createLive({ clock: systemClock, instance }),
    watching: createWatching({ db, clock: systemClock, log, instance }),
    instance,
    jwtSecret,
    sentMessages: createSlidingWindows(systemClock),
    costlyCalls: createCostlyCalls(),
    trials: createTrials(systemClock),
    changedMonitors: new Set(),
    installationId: await getOrCreateSetting(db, "installation_id", crypto.randomUUID()),
  };
};

/** Reports of servers that are not written within this time stay in the journal: Docker kills what does not end within ten seconds. */
const WRITE_WITHIN = 4000;

const randomSecret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");

/** URL of the hub for a browser on this machine. */
export const localAddress = ({ host, basePath }: Pick<Config, "host" | "basePath">, port: number): string => {
  const name = ["0.0.0.0", "::"].includes(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}${basePath}`;
};

/** @throws {ConfigError} */
const readSettings = (): Config => {
  const config = readConfig(process.env);
  if (config.downloadsDir && !existsSync(config.downloadsDir))
    throw new ConfigError(`DOWNLOADS_DIR=${config.downloadsDir} is not usable: there is no such directory.`);
  return config;
};

const textOf = (code: BackupProblem) => checkErrorText({ code, detail: null }, "en-US");

/** @throws {ConfigError} when the settings or the database cannot be used */
const check = async (): Promise<void> => {
  const config = readSettings();
  for (const { name, setting } of config.misspelled)
    process.stderr.write(
      `wakeful: ${name} is not a setting and is ignored.${setting && ` Did you mean ${setting}?`}\n`,
    );
  const problem = config.backupDir && (await folderProblem(config));
  if (problem) throw new ConfigError(`BACKUP_DIR=${config.backupDir} is not usable: ${textOf(problem)}.`);
  await tryDatabase(config);
  if (isOfNewerVersion(config))
    process.stderr.write("wakeful: the database was written by a newer version, and may not work with this one\n");
  process.stdout.write("ok: the settings can be used, and the database answers\n");
};

export const run = async ([option, ...more]: string[] = []): Promise<void> => {
  const unknown = option === "--check" ? more[0] : option;
  if (unknown !== undefined)
    throw new Error(
      `serve takes no "${unknown}", its settings come from the environment. wakeful serve --help lists its options.`,
    );
  return option === "--check" ? check() : serve();
};

const serve = async (): Promise<void> => {
  const config = readSettings();
  const deps = await createDeps(config).catch((error: unknown) => {
    if (!isPoolerMismatch(error)) throw error;
    throw new ConfigError(
      "DATABASE_URL is not usable: this is a transaction pooler: add ?pool_mode=transaction to the address",
      { cause: error },
    );
  });
  await createAdministrator(deps);
  const witnesses = createWitnesses({ ...deps, channelHosts: () => channelHosts(deps) });
  const connectivity = createConnectivity(config.connectivityTarget, deps, witnesses);
  deps.watching.observe("hub_offline", connectivity.lostSince);
  deps.watching.confirmBy(connectivity.works);
  connectivity.reportCutsTo((cut) => deps.watching.missed({ ...cut, reason: "hub_offline" }));
  await replayJournal(deps);
  const downtime = await recordDowntime(deps);
  // Agents and jobs could not report while the hub was down.
  if (await isAlone(deps)) {
    await extendDeadlines(deps);
    await extendPingDeadlines(deps, downtime);
  }
  const delivery = createDelivery(deps, {
    checkNow: (id) => engine.checkNow(id),
    followed: (ids) => engine.followed(ids),
    composeReport: createReportComposer(deps, readPageTargets),
  });
  const notices = createNoticeSender(deps);
  const onChange = () => {
    invalidatePages(deps.db);
    void delivery.announce();
  };
  const engine = createEngine(deps, { connectivity, onChange });
  const app = createApp(deps, engine, connectivity, onChange);
  const server = await listen({
    ...{ ...deps, app },
    directory: pageDirectory(),
    pages: createPages(deps),
    subscription: createSubscriptionPage(pageDirectory(), deps),
    isWall: (key) => hasWallKey(deps, key),
  });
  const listenUrl = config.databaseUrl && (config.listenDatabaseUrl || config.databaseUrl);
  const relay = createRelay(deps, listenUrl ? createListen(listenUrl) : null);
  void relay.start();
  // Frees what only the start needed, such as compiled code: about 5 MB.
  Bun.shrink();
  const manager = await connectServiceManager(serviceEnvironment, deps, isMusl);
  const timers = jobs(deps, { engine, delivery, relay, notices, onChange, manager });
  const url = localAddress(config, Number(server.port));
  deps.log.info("listening", { url, version, database: deps.db.engine });
  manager?.notify("READY=1");

  // Monitoring does not wait for the disk of backups, which may hang.
  if (config.backupDir)
    void folderProblem(config).then((problem) => {
      if (problem) deps.log.warn("no backups can be made", { BACKUP_DIR: config.backupDir, reason: textOf(problem) });
    });
  for (const misspelled of config.misspelled)
    deps.log.warn("this variable is not a setting and is ignored", misspelled);
  if ((await registrationState(deps, false)).open)
    deps.log.info("registration is open: anyone who reaches this address can create an account", {
      close: "set REGISTRATION=closed, or use the switch on the users page",
    });
  const notice = await firstAccountNotice(deps, url);
  if (notice) deps.log.info("there is no account yet: open this address to create the administrator", notice);

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    deps.log.info("stopping", { signal });
    manager?.notify("STOPPING=1");
    timers.stop();
    deps.live.stop();
    await relay.stop();
    // The engine removes this instance, which releases its claims.
    await Promise.all([delivery.stop(), notices.stop()]);
    await engine.stop();
    await recordStop(deps).catch((error) =>
      deps.log.warn("the time of the stop was not stored", { error: describeError(error) }),
    );
    await server.stop(true);
    await writeBeforeEnd(deps, WRITE_WITHIN);
    await deps.db.close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
};
