import type { Language } from "../../../shared/language";
import type { DeliveryPurpose } from "../../../shared/notifications";
import { CLOSING_PHASES, OPENING_PHASES } from "../../../shared/outages/kinds";

/** The groups of events in a message about several, in their order. */
export const GROUPS = [...OPENING_PHASES, "flapping", ...CLOSING_PHASES, "settled", "acknowledged"] as const;
export type Group = (typeof GROUPS)[number];
export type Phase = Exclude<Group, DeliveryPurpose>;

type Words = {
  /** How many there are of a group that is no phase, as the message's first line has it. */
  counts: Record<Exclude<Group, Phase>, (count: number) => string>;
  /** When the last change of targets was that are stable again. */
  stable: (time: string) => string;
  named: (count: string, names: string) => string;
  figure: (name: string, figure: string) => string;
  /** A time of several, which are more than a minute apart. */
  earliest: (line: string) => string;
  latest: (line: string) => string;
  mostly: (error: string, count: number) => string;
  /** The number of targets that are down for other reasons. */
  others: (count: number) => string;
  /** The names of targets that are down because of the targets before. */
  explained: (names: string) => string;
  changes: (count: number) => string;
  separator: string;
};

/** The texts of messages about several events. */
export const DIGEST_WORDS: Record<Language, Words> = {
  "en-US": {
    counts: {
      flapping: (count) => `🟠 ${count} ${count === 1 ? "keeps" : "keep"} changing`,
      settled: (count) => `🟢 ${count} stable again`,
      acknowledged: (count) => `🟣 ${count} acknowledged`,
    },
    stable: (time) => `No change since ${time}`,
    named: (count, names) => `${count}: ${names}`,
    figure: (name, figure) => `${name} (${figure})`,
    earliest: (line) => `${line} (the first)`,
    latest: (line) => `${line} (the last)`,
    mostly: (error, count) => `Reason of ${count}: ${error}`,
    others: (count) => `${count} more for other reasons`,
    explained: (names) => `Also down because of them: ${names}`,
    changes: (count) => `${count} changes are in this message.`,
    separator: " · ",
  },
  "zh-CN": {
    counts: {
      flapping: (count) => `🟠 ${count} 个状态反复变化`,
      settled: (count) => `🟢 ${count} 个恢复稳定`,
      acknowledged: (count) => `🟣 ${count} 个已确认`,
    },
    stable: (time) => `${time} 起没有变化`,
    named: (count, names) => `${count}：${names}`,
    figure: (name, figure) => `${name}（${figure}）`,
    earliest: (line) => `${line}（最早）`,
    latest: (line) => `${line}（最晚）`,
    mostly: (error, count) => `其中 ${count} 个的原因：${error}`,
    others: (count) => `另有 ${count} 个因其他原因故障`,
    explained: (names) => `受其影响同时故障：${names}`,
    changes: (count) => `本条消息合并了 ${count} 次变化。`,
    separator: " · ",
  },
};
