import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { OUTCOMES } from "../../../../src/shared/notifications";
import { paths } from "../../../paths";
import { Segments } from "../../../ui/controls/segments";
import { notificationsAtom } from "../api";
import type { EventsOf, HistoryFilter } from "./api";

type Props = { filter: HistoryFilter; onChange: (part: Partial<HistoryFilter>) => void };

/** The filters of the history: by target, outcome and channel. */
export function HistoryFilters({ filter, onChange }: Props) {
  const { t } = useTranslation();
  const choices = (["all", "monitor", "agent"] as const).map((value) => ({
    value,
    label: t(`notifications.history.filter.${value}`),
  }));
  return (
    <div className="toolbar">
      <Segments<EventsOf>
        label={t("notifications.history.filter.label")}
        choices={choices}
        chosen={filter.of}
        onChoose={(of) => onChange({ of })}
      />
      <select
        aria-label={t("notifications.history.filter.outcome")}
        value={filter.outcome ?? ""}
        onChange={({ target }) => onChange({ outcome: OUTCOMES.find((one) => one === target.value) ?? null })}
      >
        <option value="">{t("notifications.history.filter.anyOutcome")}</option>
        {OUTCOMES.map((outcome) => (
          <option key={outcome} value={outcome}>
            {t(`notifications.history.state.${outcome}`)}
          </option>
        ))}
      </select>
      <ChannelChoice channel={filter.channel} onChange={(channel) => onChange({ channel })} />
      <span className="spring" />
      <Link href={paths.outages} className="small">
        {t("outages.list.all")}
      </Link>
    </div>
  );
}

/** The choice of a channel. A deleted channel is shown while the address names it. */
function ChannelChoice({ channel, onChange }: { channel: number | null; onChange: (id: number | null) => void }) {
  const { t } = useTranslation();
  const { data } = useAtomValue(notificationsAtom);
  const channels = data?.channels ?? [];
  const isUnknown = channel !== null && !channels.some(({ id }) => id === channel);
  if (channels.length === 0 && !isUnknown) return null;
  return (
    <select
      aria-label={t("notifications.history.filter.channel")}
      value={channel ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : Number(target.value))}
    >
      <option value="">{t("notifications.history.filter.anyChannel")}</option>
      {channels.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {isUnknown && <option value={channel}>{data ? t("notifications.history.filter.deleted") : ""}</option>}
    </select>
  );
}
