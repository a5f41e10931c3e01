import type { Language } from "../../../shared/language";
import type { OutageCause } from "../../../shared/notifications";
import { insertValues } from "../../../shared/outages/words";
import { clockTimeIn, MAX_ADDRESS, oneLine, percentIn, type Reader } from "./format";
import { WORDS } from "./words";

type SharedCause = Extract<OutageCause, { others: number }>;

/** How many of the outages of one message have something in common; null for all. */
const SHARED_WORDS: Record<Language, (cause: SharedCause, count: number | null) => string> = {
  "en-US": ({ kind, value }, count) =>
    `Probably one cause: ${count ?? "all"} are ${kind === "shared_domain" ? "under" : "on"} ${oneLine(value, MAX_ADDRESS)}`,
  "zh-CN": ({ kind, value }, count) =>
    `可能是同一原因：${count === null ? "" : `其中 ${count} 个`}都在 ${oneLine(value, MAX_ADDRESS)} ${kind === "shared_domain" ? "下" : "上"}`,
};

/** What probably explains `count` of the `total` outages of one message, as one line of it. */
export const sharedCauseLine = (cause: OutageCause, count: number, total: number, reader: Reader): string =>
  "others" in cause && count > 1
    ? SHARED_WORDS[reader.language](cause, count === total ? null : count)
    : causeLine(cause, reader);

/** What probably explains an outage, as one line of a message. */
export const causeLine = (cause: OutageCause, reader: Reader): string => {
  const { language } = reader;
  const { causes } = WORDS[language];
  if ("others" in cause) {
    const text = `${cause.kind === "shared_domain" ? "under" : "on"}_${cause.others === 1 ? "one" : "other"}` as const;
    return insertValues(causes[text], { value: oneLine(cause.value, MAX_ADDRESS), number: cause.others });
  }
  const server = oneLine(cause.name);
  if (cause.kind !== "agent_disk_full")
    return insertValues(causes[cause.kind], { server, time: clockTimeIn(reader, cause.at) });
  const disk = { mount: cause.mount ? oneLine(cause.mount) : undefined, figure: percentIn(language, cause.percent) };
  return insertValues(cause.mount ? causes.agent_disk_full : causes.disk, { server, ...disk });
};
