import { atom, useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { type OutageAnswer, outageAtom } from "../outages/api";
import { SERVER, useCauseText } from "../problems/cause";
import { useReason } from "../problems/use-reason";
import type { IncidentPage } from "./api";
import type { Start } from "./incident-dialog";

const none = atom({ data: undefined });

/** The components of some pages that are about the target of an outage alone. */
const componentsOf = (pages: readonly IncidentPage[], { target_type, target_id }: OutageAnswer["outage"]) =>
  pages
    .flatMap(({ components }) => components)
    .filter(({ monitors, agents }) => {
      const [own, others] = target_type === "monitor" ? [monitors, agents] : [agents, monitors];
      return own.length === 1 && own[0] === target_id && others.length === 0;
    });

/** The ids of all components that the target of an outage is a part of. */
const concernedBy = (pages: readonly IncidentPage[], { target_type, target_id }: OutageAnswer["outage"]): number[] =>
  pages
    .flatMap(({ components }) => components)
    .filter(({ monitors, agents }) => (target_type === "monitor" ? monitors : agents).includes(target_id))
    .map(({ id }) => id);

/** How a component counts while its target is down, or not well. */
const STATED = "major_outage";
const UNWELL = "degraded_performance";
const DOWN: readonly string[] = ["down", "offline"];

/**
 * The beginning of an incident about an outage: its title, start and components, and for the writer alone why it began.
 * Undefined while the outage is loaded, and without one.
 */
export const useOutageStart = (id: string | null, pages: readonly IncidentPage[] | undefined): Start | undefined => {
  const { t } = useTranslation();
  const reason = useReason();
  const causeText = useCauseText();
  const { data } = useAtomValue(id === null ? none : outageAtom(id));
  if (!data || !pages) return undefined;
  const { outage, timeline } = data;
  const began = timeline.find((entry) => entry.kind === "began");
  const why =
    began && reason({ ...began, kind: outage.kind, subject: outage.subject, facts: outage.facts, last_report: null });
  const found = timeline.find((entry) => entry.kind === "cause")?.cause;
  const cause = found && causeText(found).replaceAll(SERVER, found.name ?? "");
  const texts = [why, cause].filter((text) => text);
  const status = DOWN.includes(outage.kind) ? STATED : UNWELL;
  const name = outage.target_name;
  const title =
    outage.kind === "down"
      ? t("incidents.editor.isDown", { name })
      : outage.kind === "offline"
        ? t("incidents.editor.isOffline", { name })
        : t("common.labelled", { label: name, value: t(`outages.kinds.${outage.kind}.label`) });
  return {
    title,
    impact: DOWN.includes(outage.kind) ? "major" : "minor",
    affected: componentsOf(pages, outage).map((component) => ({ id: component.id, status })),
    concerned: concernedBy(pages, outage),
    startedAt: outage.started_at,
    outageId: outage.id,
    component: outage.target_name,
    ...(texts.length > 0 && { cause: texts.join(" · ") }),
  };
};
