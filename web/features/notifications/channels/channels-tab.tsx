import { useSetAtom } from "jotai";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { Empty } from "../../../ui/feedback/empty";
import { QuotaCount, QuotaReached } from "../../../ui/feedback/quota";
import { toast } from "../../../ui/feedback/toast";
import { useSeveralTeams } from "../../teams/choice";
import { MoveDialog } from "../../teams/move";
import type { Channel, Notifications } from "../api";
import { createChannel, deleteChannel, notificationsAtom, updateChannel } from "../api";
import { FirstSteps } from "../rules/first-steps";
import { CommonTemplates, OwnTemplates, type Templates, useTemplates } from "../templates/templates";
import { ChannelCard } from "./channel-card";
import { ChannelDialog } from "./channel-dialog";

/** The default rules with their names. */
const RULES = [
  { key: "global-monitor", label: "monitors" },
  { key: "global-agent", label: "agents" },
] as const;

type Props = {
  data: Notifications;
  adding: boolean;
  /** Whether the messages of all channels are shown. */
  showsTemplates: boolean;
  onAdding: (adding: boolean) => void;
};

export function ChannelsTab({ data, adding, showsTemplates, onAdding }: Props) {
  const { channels, kinds } = data;
  const { t } = useTranslation();
  const refresh = useSetAtom(notificationsAtom);
  const [editing, setEditing] = useState<Channel>();
  const [deleting, setDeleting] = useState<Channel>();
  const [moving, setMoving] = useState<Channel>();
  const hasTeams = useSeveralTeams();
  const templates = useTemplates(data);

  const usersOf = (id: number): string[] => [
    ...RULES.flatMap(({ key, label }) => {
      const { enabled, policyId, channels } = data.settings[key];
      return enabled && policyId === null && channels.includes(id) ? [t(`notifications.setting.${label}`)] : [];
    }),
    ...data.policies.filter(({ steps }) => steps.some((step) => step.channels.includes(id))).map(({ name }) => name),
  ];

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
          <div className="actions channels-head">
            <QuotaCount name="channels" used={channels.length} />
            {add}
          </div>
          <ul className="card-grid channel-cards">
            {channels.map((channel) => (
              <li key={channel.id}>
                <ChannelCard
                  channel={channel}
                  form={kinds.find(({ kind }) => kind === channel.type)}
                  users={usersOf(channel.id)}
                  onEdit={setEditing}
                  onMove={hasTeams ? setMoving : undefined}
                  onDelete={setDeleting}
                >
                  <ChannelTemplates channel={channel} data={data} by={templates} />
                </ChannelCard>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Messages data={data} by={templates} isOpen={showsTemplates} />
      {templates.dialogs}
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
      {moving && (
        <MoveDialog
          of={{ type: "channel", id: moving.id, name: moving.name }}
          onMoved={() => void refresh()}
          onClose={() => setMoving(undefined)}
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

type TemplatesProps = { data: Notifications; by: Templates };

/** The messages of all channels, folded unless the address leads to them. */
function Messages({ data, by, isOpen }: TemplatesProps & { isOpen: boolean }) {
  const { t } = useTranslation();
  const part = useRef<HTMLDetailsElement>(null);
  const own = data.own_templates.filter(({ channel_id }) => channel_id === null);
  useEffect(() => {
    if (!isOpen || !part.current) return;
    part.current.open = true;
    part.current.scrollIntoView({ block: "start" });
  }, [isOpen]);
  return (
    <details className="card messages-part" ref={part}>
      <summary>
        <h2>{t("alerts.templates.all")}</h2>
        {own.length > 0 && <span className="soft figure">{own.length}</span>}
      </summary>
      <CommonTemplates data={data} by={by} />
    </details>
  );
}

/** The messages that the user has written for one channel. */
function ChannelTemplates({ channel: { id, name }, data, by }: TemplatesProps & { channel: Channel }) {
  const { t } = useTranslation();
  const own = data.own_templates.filter((template) => template.channel_id === id);
  return (
    <details className="disclosure channel-templates">
      <summary>
        {t("alerts.templates.ofChannel")} {own.length > 0 && <span className="soft figure">{own.length}</span>}
      </summary>
      <OwnTemplates templates={own} place={name} by={by} />
      <button
        type="button"
        className="plain compact"
        aria-label={t("common.labelled", { label: t("notifications.template.add"), value: name })}
        onClick={() => by.write({ event: null, channel_id: id })}
      >
        <Icon name="plus" />
        {t("notifications.template.add")}
      </button>
    </details>
  );
}
