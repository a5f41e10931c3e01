import { useTranslation } from "react-i18next";
import { figureUnitOf, type OutageKind } from "../../../src/shared/notifications";
import { readableName } from "../../lib/format";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFormat } from "../../ui/hooks/use-format";
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
    const known = isMemory ? facts?.processes?.memory : facts?.processes?.cpu;
    const named = (known ?? []).slice(0, NAMED).map(({ name, value }) => {
      const amount = isMemory ? format.bytes(value, value)[0] : format.share(value);
      return `${readableName(name)} ${amount}`;
    });
    return format.list(named);
  };
};

/** The states of containers that have words of their own; others are shown as the engine names them. */
const STATES = ["exited", "unhealthy", "restarting", "dead"] as const;

/** Renders the state of a part of a server: that of a container in words, as in `exited (137)`. */
export const usePartState = () => {
  const { t } = useTranslation();
  return (kind: OutageKind, state: string): string => {
    const known =
      kind === "container" ? STATES.find((one) => state === one || state.startsWith(`${one} (`)) : undefined;
    return known ? t(`problems.states.${known}`) + readableName(state.slice(known.length)) : readableName(state);
  };
};

/** What is wrong with a part or the plan of a server. */
const usePartReason = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const figureText = useFigure();
  const stateText = usePartState();
  return ({ kind, subject, facts, figure }: Pick<Problem, "kind" | "subject" | "facts" | "figure">): string => {
    const [name, state] = [readableName(subject ?? ""), facts?.state && stateText(kind, facts.state)];
    const date = facts?.exhausted_at && format.day(facts.exhausted_at);
    switch (kind) {
      case "container":
        return state ? t("problems.container", { name, state }) : t("problems.containerOf", { name });
      case "service":
        return t("problems.service", { name });
      case "array":
        return state ? t("problems.array", { name, state }) : t("problems.arrayOf", { name });
      case "shared_key":
        return t("problems.sharedKey", { machines: format.list((facts?.machines ?? []).map(readableName)) });
      case "filling":
        return [
          figure === null
            ? t("problems.fillingOf", { name })
            : t("problems.filling", { name, figure: figureText(kind, figure) }),
          date && t("problems.full", { date }),
        ]
          .filter(Boolean)
          .join(" · ");
      case "traffic":
        return [
          figure !== null && t("problems.traffic", { figure: figureText(kind, figure) }),
          date && t("problems.usedUp", { date }),
        ]
          .filter(Boolean)
          .join(" · ");
      default:
        // Noon keeps the date the same in every time zone.
        return facts?.ends_on ? t("problems.contract", { date: format.day(`${facts.ends_on}T12:00:00`) }) : "";
    }
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
  return (problem: Reasoned): string => {
    const { kind, figure, threshold, mount, subject, facts, last_report } = problem;
    switch (kind) {
      case "down":
      case "slow":
      case "certificate":
        return checkError(problem);
      case "offline": {
        const { cpu, memory } = last_report ?? { cpu: null, memory: null };
        if (cpu === null || memory === null) return t("problems.offline");
        return t("problems.offlineAfter", { cpu: format.share(cpu), memory: format.share(memory) });
      }
      case "container":
      case "service":
      case "array":
      case "shared_key":
      case "filling":
      case "traffic":
      case "contract":
        return partReason(problem);
    }
    const name = [t(`problems.metric.${kind}`), readableName(mount ?? subject ?? "")].filter(Boolean).join(" ");
    const high =
      figure === null || threshold === null
        ? t("problems.high", { name })
        : t("problems.above", { name, figure: figureText(kind, figure), threshold: figureText(kind, threshold) });
    return [high, processes(kind, facts)].filter(Boolean).join(" · ");
  };
};
