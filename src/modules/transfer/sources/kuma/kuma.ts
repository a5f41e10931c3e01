/** Uptime Kuma: the SQLite file of 1.x and 2.x, and the JSON backup of 1.x. */

import { hashSecret } from "../../../../core/secrets";
import { IMPORT_LIMITS } from "../../../../shared/transfer/imports";
import type { Draft, Item, ReadContext, Source, Upload } from "../source";
import { isSqlite, openForeign, unreadable } from "../sqlite";
import { boundedItems, clean, type Fields, flagIn, note, numberIn, recordOf, textOf } from "../text";
import { channelItems } from "./channels";
import { historyOf, readHistory } from "./history";
import { maintenanceItems } from "./maintenance";
import { monitorItems } from "./monitors";
import { incidentItems, pageItems } from "./pages";
import { type KumaRows, readRows, rowsOfBackup } from "./rows";
import { rulesOf } from "./rules";

const NAME = "kuma";

/** Objects without a counterpart here, each with its name. */
const OTHERS = [
  ["proxy", "host", "object_unsupported"],
  ["docker_host", "name", "object_unsupported"],
  ["api_key", "name", "object_unsupported"],
] as const;

/** Uptime Kuma watches the expiry of the domain of a monitor, which is a monitor of its own here. */
const domainItems = ({ monitor }: KumaRows): Item[] =>
  monitor.some((row) => flagIn(row, "domain_expiry_notification"))
    ? [
        {
          ...{ part: "other" as const, externalId: "domain-expiry", name: "domain expiry", kind: "", content: null },
          notes: [note("domain_expiry")],
        },
      ]
    : [];

const otherItems = (rows: KumaRows): Item[] =>
  OTHERS.flatMap(([table, name, code]) =>
    rows[table].map((row) => ({
      part: "other" as const,
      externalId: `${table}:${numberIn(row, "id")}`,
      name: clean(row[name], 200) || table,
      kind: table.replace("_", " "),
      content: null,
      notes: [note(code, table.replace("_", " "))],
    })),
  );

/** Two installations have different secrets. */
const installationOf = ({ setting }: KumaRows): string => {
  const secret = setting.find((row) => textOf(row, "key") === "jwtSecret");
  return secret ? hashSecret(textOf(secret, "value")).slice(0, 16) : "";
};

const draftOf = (rows: KumaRows, { config, now }: ReadContext, history: Draft["history"]): Draft => {
  const monitors = monitorItems(rows, config);
  const channels = channelItems(rows);
  const { rules, policies } = rulesOf(rows, channels);
  const taken = new Set(monitors.flatMap(({ content }) => (content?.id === undefined ? [] : [content.id])));
  const pages = pageItems(rows, taken);
  const items = [
    ...channels,
    ...policies,
    ...monitors,
    ...maintenanceItems(rows, monitors, now),
    ...pages,
    ...incidentItems(rows, pages, now),
    ...otherItems(rows),
    ...domainItems(rows),
  ];
  return {
    source: NAME,
    version: rows.version,
    sourceId: installationOf(rows),
    items: boundedItems(items),
    rules: Object.fromEntries(Object.entries(rules).filter(([id]) => taken.has(Number(id)))),
    history,
  };
};

const readJson = async ({ file, size }: Upload): Promise<Fields> => {
  if (size > IMPORT_LIMITS.text) throw unreadable("it is larger than any backup");
  const backup = recordOf(
    await Bun.file(file)
      .json()
      .catch(() => null),
  );
  if (!Array.isArray(backup.monitorList)) throw unreadable("it is no complete backup");
  return backup;
};

/** The start of a backup, whose first field is its version. */
const isBackup = (start: Uint8Array): boolean => {
  const text = Buffer.from(start).toString("utf8");
  return /^\uFEFF?\s*\{/.test(text) && /"(notificationList|monitorList)"\s*:/.test(text);
};

const usingDatabase = async <T>(
  { file }: Upload,
  work: (database: ReturnType<typeof openForeign>) => T,
): Promise<T> => {
  const database = openForeign(file);
  try {
    return await work(database);
  } finally {
    database.close();
  }
};

export const kuma: Source = {
  name: NAME,
  recognise: async (upload, start) =>
    isSqlite(start)
      ? usingDatabase(
          upload,
          ({ columnsOf }) =>
            columnsOf("monitor").includes("upside_down") || columnsOf("heartbeat").includes("important"),
        )
      : isBackup(start),
  read: async (upload, context) => {
    const start = new Uint8Array(await Bun.file(upload.file).slice(0, 16).arrayBuffer());
    if (!isSqlite(start)) return draftOf(rowsOfBackup(await readJson(upload)), context, null);
    return usingDatabase(upload, (database) => draftOf(readRows(database), context, historyOf(database)));
  },
  readHistory: async function* ({ file }, ids) {
    const database = openForeign(file);
    try {
      yield* readHistory(database, ids);
    } finally {
      database.close();
    }
  },
};
