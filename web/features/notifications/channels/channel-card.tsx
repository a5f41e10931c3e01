import { useAtomValue } from "jotai";
import { type ReactNode, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { ChannelField, ChannelForm } from "../../../../src/shared/channel-fields";
import { nowAtom } from "../../../lib/now";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { Badge } from "../../../ui/feedback/badge";
import { toast } from "../../../ui/feedback/toast";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Channel } from "../api";
import { testStored } from "../api";
import { searchOf } from "../history/api";
import { useChannelLabels, useDeliveryError, useTestFailure } from "../labels";

type Props = {
  channel: Channel;
  /** Undefined where the kind no longer exists. */
  form: ChannelForm | undefined;
  /** The names of the default rules and policies that notify it. */
  users: readonly string[];
  onEdit: (channel: Channel) => void;
  /** Undefined for users with one team. */
  onMove: ((channel: Channel) => void) | undefined;
  onDelete: (channel: Channel) => void;
  /** Its messages. */
  children: ReactNode;
};

/** The lines of facts in a card: of many, all but the last are in one. */
const linesOf = (facts: readonly ChannelField[]): [ChannelField, ...ChannelField[]][] => {
  const rest = facts.length > LINES ? facts.length - LINES + 1 : Math.min(1, facts.length);
  const [first, ...more] = facts.slice(0, rest);
  return [...(first ? [[first, ...more] as [ChannelField, ...ChannelField[]]] : []), ...facts.slice(rest).map(alone)];
};
const LINES = 2;
const alone = (field: ChannelField): [ChannelField] => [field];

export function ChannelCard({ channel, form, users, onEdit, onMove, onDelete, children }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const deliveryError = useDeliveryError();
  const labels = useChannelLabels();
  const { name, type, config, enabled, default: isDefault, problem_code: code, problem_detail: detail } = channel;
  const textOf = (field: ChannelField) => labels.value(type, field, config[field.name] ?? "");
  const labelled = (field: ChannelField, value: string) =>
    t("common.labelled", { label: labels.label(type, field), value });
  const facts = (form?.fields ?? []).filter(({ name, secret }) => !secret && config[name]);
  return (
    <article className={code ? "card item-card down" : "card item-card"}>
      <header>
        <div>
          <h2 className="truncate">{name}</h2>
          <p className="soft small">
            {form && <Icon path={form.icon} />} {labels.kind(type)}
          </p>
        </div>
        {isDefault ? (
          <span className="tag">{t("notifications.channel.default")}</span>
        ) : (
          <Badge tone={enabled ? "up" : "paused"}>{t(`notifications.channel.${enabled ? "on" : "off"}`)}</Badge>
        )}
      </header>
      <dl className="channel-facts">
        {linesOf(facts).map((fields) => (
          <div key={fields[0].name}>
            <dt>{labels.label(type, fields[0])}</dt>
            <dd
              title={fields.length > 1 ? fields.map((field) => labelled(field, textOf(field))).join("\n") : undefined}
            >
              {fields.map(textOf).join(" · ")}
            </dd>
          </div>
        ))}
      </dl>
      <div className="channel-notes">
        {users.length > 0 && (
          <p className="soft small">{t("notifications.channel.usedBy", { names: format.list(users) })}</p>
        )}
        {code && (
          <p className="message bad">
            <Icon name="alert" />
            <span>{t("notifications.channel.problem", { reply: deliveryError({ code, detail }) })}</span>
          </p>
        )}
        <LastResult channel={channel} />
        {isDefault && <p className="soft small">{t("notifications.channel.defaultText")}</p>}
      </div>
      {children}
      <Actions
        channel={channel}
        quotesAnswer={form?.quotesAnswer ?? false}
        onEdit={onEdit}
        onMove={onMove}
        onDelete={onDelete}
      />
    </article>
  );
}

/** How the last message ended, with a link to all of them. A problem that the card shows is not repeated. */
function LastResult({ channel: { id, last_result: last, problem_code } }: { channel: Channel }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useAtomValue(nowAtom);
  const deliveryError = useDeliveryError();
  if (!last) return <p className="soft small">{t("notifications.channel.last.none")}</p>;
  const { state, at, error_code: code, error_detail: detail } = last;
  const time = format.ago(Date.parse(at), now);
  const reason = code && deliveryError({ code, detail });
  const words = state === "failed" && reason && code !== problem_code ? "failedBecause" : state;
  const text = t(`notifications.channel.last.${words}`, { time, reason: reason ?? "" });
  return (
    <p className="small" title={format.dateTime(at)}>
      <Icon name={state === "sent" ? "check" : "alert"} />{" "}
      <Link href={`${paths.notifications}?tab=history&${searchOf({ of: "all", channel: id })}`}>{text}</Link>
    </p>
  );
}

function Actions({
  channel,
  quotesAnswer,
  onEdit,
  onMove,
  onDelete,
}: Omit<Props, "form" | "users" | "children"> & { quotesAnswer: boolean }) {
  const { t } = useTranslation();
  const testFailure = useTestFailure();
  const [testing, start] = useTransition();
  const { id, name, default: isDefault } = channel;

  const test = () =>
    start(async () => {
      try {
        const { message } = await testStored(id);
        const quote = quotesAnswer ? ` ${t("notifications.channel.reply", { reply: message })}` : "";
        toast(t("notifications.channel.tested") + quote);
      } catch (error) {
        toast(`${t("notifications.channel.testFailed")}: ${testFailure(error)}`, { tone: "bad" });
      }
    });

  return (
    <footer>
      <button
        type="button"
        className="quiet compact"
        disabled={testing}
        aria-label={t("notifications.channel.testOf", { name })}
        onClick={test}
      >
        {t(testing ? "notifications.channel.testing" : "notifications.channel.test")}
      </button>
      {!isDefault && (
        <>
          <IconButton icon="edit" label={t("common.action.edit")} of={name} onClick={() => onEdit(channel)} />
          {onMove && (
            <IconButton
              icon="users"
              label={t("notifications.channel.move")}
              of={name}
              onClick={() => onMove(channel)}
            />
          )}
          <IconButton icon="trash" label={t("common.action.delete")} of={name} onClick={() => onDelete(channel)} />
        </>
      )}
    </footer>
  );
}
