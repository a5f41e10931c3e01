import { useTranslation } from "react-i18next";
import { useFormat } from "../../ui/hooks/use-format";
import { useUnknownWords } from "../../ui/hooks/use-unknown-words";
import type { Entry } from "./api";

type Of<Kind extends Entry["kind"]> = Extract<Entry, { kind: Kind }>;

/** A gap of the hub: whether the outage went on is not known. */
export function Unknown({ entry: { gap } }: { entry: Of<"unknown"> }) {
  const { t } = useTranslation();
  return (
    <>
      <h3>{t("common.status.unknown")}</h3>
      <p>{useUnknownWords().gap(gap)}</p>
    </>
  );
}

/** Maintenance of the target: no alert is sent in it. */
export function Maintained({ entry: { maintenance } }: { entry: Of<"maintenance"> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { from, to, title } = maintenance;
  return (
    <>
      <h3>{t("common.status.maintenance")}</h3>
      <p>{[title, format.momentRange(from, to)].filter(Boolean).join(" · ")}</p>
    </>
  );
}
