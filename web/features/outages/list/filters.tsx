import { useAtomValue } from "jotai";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { PHONE, useMedia } from "../../../lib/hooks/use-media";
import { Icon } from "../../../ui/controls/icon";
import { Segments } from "../../../ui/controls/segments";
import { notificationsAtom } from "../../notifications/api";
import { TargetPicker } from "../../notifications/dependencies/target-picker";
import { TagFilter } from "../../tags/tag-filter";
import { type Filter, GROUPS, targetAtom } from "./api";

type Props = { filter: Filter; onChange: (part: Partial<Filter>) => void };

/** The filters besides the range. On a phone, those other than the kinds are behind a button. */
export function Filters({ filter, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const isPhone = useMedia(PHONE);
  const { group, tags, target, channel, unacknowledged } = filter;
  const count = tags.length + [target, channel, unacknowledged].filter(Boolean).length;
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <div className="toolbar outages-filters">
      <Segments
        label={t("outages.list.kind")}
        choices={GROUPS.map((value) => ({ value, label: t(`outages.list.groups.${value}`) }))}
        chosen={group}
        onChoose={(value) => onChange({ group: value })}
      />
      {isPhone && (
        <button
          type="button"
          className="plain compact"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="funnel" />
          {t("monitors.filter.label")}
          {count > 0 && <span className="count figure">{count}</span>}
        </button>
      )}
      {(isOpen || !isPhone) && <Further id={id} filter={filter} onChange={onChange} />}
    </div>
  );
}

/** The filters besides the range and the kind. */
function Further({ id, filter, onChange }: Props & { id: string }) {
  const { t } = useTranslation();
  const { tags, target, channel, unacknowledged } = filter;
  return (
    <div className="outages-further" id={id}>
      <button
        type="button"
        className="quiet compact"
        aria-pressed={unacknowledged}
        onClick={() => onChange({ unacknowledged: !unacknowledged })}
      >
        {t("outages.list.unacknowledged")}
      </button>
      <TagFilter
        of="monitors"
        chosen={tags}
        onChange={(next) => onChange({ tags: next })}
        onManaged={() => undefined}
      />
      <ChannelChoice channel={channel} onChange={(next) => onChange({ channel: next })} />
      {target ? (
        <TargetChip target={target} onRemove={() => onChange({ target: null })} />
      ) : (
        <TargetPicker
          label={t("outages.list.target")}
          without={[]}
          busy={false}
          errorId={undefined}
          onPick={({ type, id }) => onChange({ target: `${type}:${id}` })}
        />
      )}
    </div>
  );
}

/** The channel that was notified. Without channels it is not shown. */
function ChannelChoice({ channel, onChange }: { channel: number | null; onChange: (id: number | null) => void }) {
  const { t } = useTranslation();
  const channels = useAtomValue(notificationsAtom).data?.channels ?? [];
  if (channels.length === 0) return null;
  return (
    <select
      aria-label={t("outages.list.channel")}
      value={channel ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? null : Number(event.target.value))}
    >
      <option value="">{t("outages.list.anyChannel")}</option>
      {channels.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function TargetChip({ target, onRemove }: { target: string; onRemove: () => void }) {
  const { t } = useTranslation();
  const name = useAtomValue(targetAtom(target)).data ?? target;
  return (
    <span className="tag-chip">
      <span className="truncate">{name}</span>
      <button
        type="button"
        aria-label={t("tags.unfilter", { name })}
        title={t("tags.unfilter", { name })}
        onClick={onRemove}
      >
        <Icon name="cross" />
      </button>
    </span>
  );
}
