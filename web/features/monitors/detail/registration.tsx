import { useTranslation } from "react-i18next";
import { Ago } from "../../../ui/feedback/ago";
import { useFormat } from "../../../ui/hooks/use-format";
import type { MonitorDetail } from "../api";
import type { Fact } from "../form/kinds/kind";

/** The facts that the registry of a domain publishes; nothing for other kinds. */
export const useRegistrationFacts = ({ target, registration }: MonitorDetail): Fact[] => {
  const { t } = useTranslation();
  const format = useFormat();
  if (!registration) return [];
  const { name, registrar, registered_at, expires_at, statuses, asked_at } = registration;
  return [
    ...(name === target ? [] : [{ label: t("kinds.domain.registered"), value: name }]),
    ...(expires_at === null ? [{ label: t("kinds.domain.expires"), value: t("kinds.domain.noExpiry") }] : []),
    ...(registrar === null ? [] : [{ label: t("kinds.domain.registrar"), value: registrar }]),
    ...(registered_at === null ? [] : [{ label: t("kinds.domain.since"), value: format.day(registered_at) }]),
    ...(statuses.length === 0
      ? []
      : [{ label: t("kinds.domain.statuses"), value: statuses.map((status) => <div key={status}>{status}</div>) }]),
    { label: t("kinds.domain.asked"), value: <Ago time={asked_at} /> },
  ];
};
