import { useSetAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { Empty } from "../../../ui/feedback/empty";
import { QuotaCount, QuotaReached } from "../../../ui/feedback/quota";
import { toast } from "../../../ui/feedback/toast";
import type { Channel, Notifications } from "../api";
import { createChannel, deleteChannel, notificationsAtom, updateChannel } from "../api";
import { FirstSteps } from "../rules/first-steps";
import { ChannelCard } from "./channel-card";
import { ChannelDialog } from "./channel-dialog";

type Props = {
  data: Notifications;
  adding: boolean;
  onAdding: (adding: boolean) => void;
};

export function ChannelsTab({ data, adding, onAdding }: Props) {
  const { channels, kinds } = data;
  const { t } = useTranslation();
  const refresh = useSetAtom(notificationsAtom);
  const [editing, setEditing] = useState<Channel>();
  const [deleting, setDeleting] = useState<Channel>();

  const add = (
    <button type="button" onClick={() => onAdding(true)}>
      <Icon name="plus" />
      {t("notifications.channel.add")}
    </button>
  );
  const close = () => {
    setEditing(undefined);
    if (adding) onAdding(false);
  };

  return (
    <>
      {channels.length === 0 ? (
        <Empty
          heading="h2"
          icon="bell"
          title={t("notifications.channel.emptyTitle")}
          text={t("notifications.channel.emptyText")}
        >
          {add}
        </Empty>
      ) : (
        <div className="stack">
          <FirstSteps data={data} onAddChannel={() => onAdding(true)} />
          <QuotaReached name="channels" used={channels.length} />
          <div className="actions">
            {add}
            <QuotaCount name="channels" used={channels.length} />
          </div>
          <ul className="card-grid">
            {channels.map((channel) => (
              <li key={channel.id}>
                <ChannelCard
                  channel={channel}
                  form={kinds.find(({ kind }) => kind === channel.type)}
                  onEdit={setEditing}
                  onDelete={setDeleting}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      {(adding || editing) && (
        <ChannelDialog
          channel={editing}
          forms={kinds}
          onSave={async (body) => {
            await (editing ? updateChannel(editing.id, body) : createChannel(body));
            toast(t("notifications.channel.saved"));
            await refresh();
          }}
          onClose={close}
        />
      )}
      {deleting && (
        <DeleteDialog
          title={t("notifications.channel.deleteTitle", { name: deleting.name })}
          text={t("notifications.channel.deleteText")}
          done={t("notifications.channel.deleted", { name: deleting.name })}
          failed={t("notifications.channel.deleteFailed")}
          remove={() => deleteChannel(deleting.id)}
          onDeleted={() => void refresh()}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
