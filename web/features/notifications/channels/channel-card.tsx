import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { Badge } from "../../../ui/feedback/badge";
import { toast } from "../../../ui/feedback/toast";
import { testStored } from "../calls";
import { useDeliveryError, useTestFailure } from "../history/use-said";
import type { Channel } from "../normalise";
import { useTypeName } from "../use-type-name";
import { configFields, isSecret, isUsable } from "./channel-body";

type Props = { channel: Channel; onEdit: (channel: Channel) => void; onDelete: (channel: Channel) => void };

export function ChannelCard({ channel, onEdit, onDelete }: Props) {
  const { t } = useTranslation();
  const said = useDeliveryError();
  const typeName = useTypeName();
  const { name, type, config, enabled, isDefault, problem } = channel;
  const facts = (isUsable(type) ? configFields[type] : []).filter((field) => !isSecret(field) && config[field]);
  return (
    <article className={problem ? "card item-card down" : "card item-card"}>
      <header>
        <div>
          <h2 className="truncate">{name}</h2>
          <p className="soft small">{typeName(type)}</p>
        </div>
        {isDefault ? (
          <span className="tag">{t("notifications.channel.default")}</span>
        ) : (
          <Badge tone={enabled ? "up" : "paused"}>{t(`notifications.channel.${enabled ? "on" : "off"}`)}</Badge>
        )}
      </header>
      <dl className="channel-facts">
        {facts.map((field) => (
          <div key={field}>
            <dt>{t(`notifications.form.${field}`)}</dt>
            <dd>{config[field]}</dd>
          </div>
        ))}
      </dl>
      {problem && (
        <p className="message bad">
          <Icon name="alert" />
          <span>{t("notifications.channel.problem", { said: said(problem) })}</span>
        </p>
      )}
      {isDefault && <p className="soft small">{t("notifications.channel.defaultText")}</p>}
      <Actions channel={channel} onEdit={onEdit} onDelete={onDelete} />
    </article>
  );
}

function Actions({ channel, onEdit, onDelete }: Props) {
  const { t } = useTranslation();
  const failure = useTestFailure();
  const [testing, start] = useTransition();
  const { id, name, isDefault } = channel;
  const words = (action: "edit" | "delete") => ({
    "aria-label": t(`notifications.channel.${action}Of`, { name }),
    title: t(`common.action.${action}`),
  });

  const test = () =>
    start(async () => {
      try {
        await testStored(id);
        toast(t("notifications.channel.tested"));
      } catch (error) {
        toast(`${t("notifications.channel.testFailed")}: ${failure(error)}`, { tone: "bad" });
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
          <button type="button" className="quiet compact icon-only" onClick={() => onEdit(channel)} {...words("edit")}>
            <Icon name="edit" />
          </button>
          <button
            type="button"
            className="quiet compact icon-only"
            onClick={() => onDelete(channel)}
            {...words("delete")}
          >
            <Icon name="trash" />
          </button>
        </>
      )}
    </footer>
  );
}
