import { useTranslation } from "react-i18next";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFormat } from "../../ui/hooks/use-format";
import type { Problem } from "./api";

/** Renders why something is not well, in the language of the interface. */
export const useReason = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  return (
    problem: Pick<Problem, "kind" | "error_code" | "error_detail" | "figure" | "threshold" | "mount" | "last_report">,
  ) => {
    const { kind, figure, threshold, mount, last_report } = problem;
    if (kind === "down" || kind === "slow" || kind === "certificate") return checkError(problem);
    if (kind === "offline") {
      const { cpu, memory } = last_report ?? { cpu: null, memory: null };
      if (cpu === null || memory === null) return t("problems.offline");
      return t("problems.offlineAfter", { cpu: format.share(cpu), memory: format.share(memory) });
    }
    const what = t(`agents.resource.${kind}`);
    const name = mount === null ? what : `${what} ${mount}`;
    if (figure === null || threshold === null) return t("problems.high", { name });
    return t("problems.above", { name, figure: format.share(figure), threshold: format.share(threshold) });
  };
};
