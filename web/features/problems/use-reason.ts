import { useTranslation } from "react-i18next";
import { THRESHOLD_METRICS } from "../../../src/shared/agents/thresholds";
import { figureUnitOf, type OutageKind } from "../../../src/shared/notifications";
import { OUTAGES } from "../../../src/shared/outages/kinds";
import { insertValues, isComplete } from "../../../src/shared/outages/words";
import { readableName } from "../../lib/format";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFormat } from "../../ui/hooks/use-format";
import { useOutageWords } from "../../ui/hooks/use-outage-words";
import type { Problem } from "./api";

/** Renders the figure of a server's problem in its unit. */
export const useFigure = () => {
  const format = useFormat();
  return (kind: OutageKind, figure: number): string => {
    const unit = figureUnitOf(kind);
    if (unit === "celsius") return `${format.number(figure, 1)} °C`;
    if (unit === "number") return format.number(figure, 2);
    return unit === "days" ? format.elapsed(figure * 86_400) : format.share(figure);
  };
};

type Facts = Problem["facts"];

/** Programs that are named. */
const NAMED = 3;

/** Names the programs that used the most when a figure became high; empty where they are not known. */
export const useProcesses = () => {
  const format = useFormat();
  return (kind: OutageKind, facts: Facts): string => {
    const isMemory = kind === "memory" || kind === "swap";
    const processes = isMemory ? facts?.processes?.memory : facts?.processes?.cpu;
    const named = (processes ?? []).slice(0, NAMED).map(({ name, value }) => {
      const amount = isMemory ? format.bytes(value, value)[0] : format.share(value);
      return `${readableName(name)} ${amount}`;
    });
    return format.list(named);
  };
};

/** The states of containers that have words of their own; others are shown as the engine names them. */
const STATES = ["exited", "unhealthy", "restarting", "dead"] as const;

/** The activities and the faults of disk arrays; other states are shown as the machine names them. */
const ACTIVITIES = ["recovering", "resyncing", "reshaping", "checking", "repairing"] as const;
const FAULTS = ["inactive", "degraded", "faulted", "offline", "unavail", "removed", "suspended"] as const;
const isWell = (state: string): boolean => ["clean", "active", "online"].includes(state.toLowerCase());

/** Renders the state of a disk array in words: `degraded, recovering` for `clean, degraded, recovering`. */
export const useArrayState = () => {
  const { t } = useTranslation();
  const knownOf = (part: string) => [...ACTIVITIES, ...FAULTS].find((one) => one === part.toLowerCase());
  const wordOf = (part: string): string => {
    const known = knownOf(part);
    return known ? t(`problems.arrays.${known}`) : readableName(part);
  };
  return (state: string, isDegraded = !isWell(state)): string => {
    const parts = state.split(",").flatMap((part) => part.trim() || []);
    const others = parts.filter((part) => !isWell(part));
    const hasFault = others.some((part) => FAULTS.some((one) => one === knownOf(part)));
    const first = hasFault ? [] : [t(isDegraded ? "problems.arrays.degraded" : "problems.arrays.well")];
    return [...first, ...others.map(wordOf)].join(t("problems.arrays.and"));
  };
};

/** Renders the state of a part of a server in words, such as `exited (137)` for a container. */
export const usePartState = () => {
  const { t } = useTranslation();
  const arrayState = useArrayState();
  return (kind: OutageKind, state: string): string => {
    if (kind === "array") return arrayState(state);
    const containerState =
      kind === "container" ? STATES.find((one) => state === one || state.startsWith(`${one} (`)) : undefined;
    return containerState
      ? t(`problems.states.${containerState}`) + readableName(state.slice(containerState.length))
      : readableName(state);
  };
};

/** The problem of a server's part or plan. */
const usePartReason = () => {
  const format = useFormat();
  const figureText = useFigure();
  const stateText = usePartState();
  const words = useOutageWords();
  return ({ kind, subject, facts, figure }: Pick<Problem, "kind" | "subject" | "facts" | "figure">): string => {
    const { reason, lines, part = "" } = words[kind];
    const values = {
      subject: facts?.machines ? format.list(facts.machines.map(readableName)) : readableName(subject ?? ""),
      state: facts?.state && stateText(kind, facts.state),
      figure: figure === null ? undefined : figureText(kind, figure),
      exhausted_at: facts?.exhausted_at && format.day(facts.exhausted_at),
      // Noon keeps the date the same in every time zone.
      ends_on: facts?.ends_on && format.day(`${facts.ends_on}T12:00:00`),
    };
    const sentences = (reason ?? lines?.[0] ?? []).map((text, index) =>
      isComplete(text, values) ? text : index === 0 ? part : "",
    );
    return sentences
      .filter(Boolean)
      .map((text) => insertValues(text, values))
      .join(" · ");
  };
};

type Reasoned = Pick<
  Problem,
  "kind" | "error_code" | "error_detail" | "figure" | "threshold" | "mount" | "subject" | "facts" | "last_report"
>;

/** Renders why something is not well, in the language of the interface. */
export const useReason = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  const figureText = useFigure();
  const partReason = usePartReason();
  const processes = useProcesses();
  const words = useOutageWords();
  return (problem: Reasoned): string => {
    const { kind, figure, threshold, mount, subject, facts, last_report } = problem;
    const metric = THRESHOLD_METRICS.find((one) => one === kind);
    if (OUTAGES[kind].target === "monitor") return checkError(problem);
    if (kind === "offline") {
      const { cpu, memory } = last_report ?? { cpu: null, memory: null };
      if (cpu === null || memory === null) return t("problems.offline");
      return t("problems.offlineAfter", { cpu: format.share(cpu), memory: format.share(memory) });
    }
    if (!metric) return partReason(problem);
    const name = [words[metric].metric, readableName(mount ?? subject ?? "")].filter(Boolean).join(" ");
    const high =
      figure === null || threshold === null
        ? t("problems.high", { name })
        : t("problems.above", { name, figure: figureText(kind, figure), threshold: figureText(kind, threshold) });
    return [high, processes(kind, facts)].filter(Boolean).join(" · ");
  };
};
