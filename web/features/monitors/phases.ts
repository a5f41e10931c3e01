import type { TFunction } from "i18next";
import type { ProbeResult } from "./api";

/** The parts of a request, in the order in which they happen. */
const PHASES = ["dns", "connect", "tls", "first_byte", "download"] as const;

/** Where the time of a request went, as one line, without the parts that there were none of. */
export const phasesText = (
  phases: NonNullable<ProbeResult["phases"]>,
  t: TFunction,
  milliseconds: (value: number) => string,
): string =>
  PHASES.filter((phase) => phases[phase] > 0)
    .map((phase) => `${t(`kinds.phases.${phase}`)} ${milliseconds(phases[phase])}`)
    .join(" · ");
