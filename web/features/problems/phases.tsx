import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { PresentedPhases } from "../../../src/shared/monitor";
import { useFormat } from "../../ui/hooks/use-format";

/** The parts of a request, in order. */
const PHASES = ["dns", "connect", "tls", "first_byte", "download"] as const;

/** Where the time of a request went, as one line, without the parts that there were none of. */
export const phasesText = (phases: PresentedPhases, t: TFunction, milliseconds: (value: number) => string): string =>
  PHASES.filter((phase) => phases[phase] > 0)
    .map((phase) => `${t(`kinds.phases.${phase}`)} ${milliseconds(phases[phase])}`)
    .join(" · ");

/** The same as a line of its own; nothing where no part took any time. */
export function PhasesLine({ phases }: { phases: PresentedPhases }) {
  const { t } = useTranslation();
  const text = phasesText(phases, t, useFormat().milliseconds);
  return text && <span className="phases soft small">{text}</span>;
}
