import { useSetAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { toast } from "../../../ui/feedback/toast";
import type { Notifications, OwnTemplate, Template } from "../api";
import { createTemplate, deleteTemplate, notificationsAtom, updateTemplate } from "../api";
import { useKindName } from "../labels";
import { BuiltInTemplates } from "./built-in";
import { TemplateDialog, type TemplateDraft } from "./template-dialog";

/** The dialogs that write and delete templates, and how they are opened. */
export const useTemplates = ({ templates, own_templates: own, channels }: Notifications) => {
  const { t, i18n } = useTranslation();
  const refresh = useSetAtom(notificationsAtom);
  const [draft, setDraft] = useState<TemplateDraft>();
  const [deleting, setDeleting] = useState<OwnTemplate>();
  const dialogs = (
    <>
      {draft && (
        <TemplateDialog
          draft={draft}
          builtIn={templates.filter(({ type }) => type === i18n.language)}
          channels={channels}
          onSave={async ({ id, version, ...body }) => {
            await (id === undefined ? createTemplate(body) : updateTemplate(id, body, version));
            toast(t("notifications.template.saved"));
            await refresh();
          }}
          onClose={() => setDraft(undefined)}
        />
      )}
      {deleting && (
        <DeleteDialog
          title={t("notifications.template.deleteTitle")}
          text={t("notifications.template.deleteText")}
          action={{ label: t("notifications.template.reset"), busy: t("notifications.template.resetting") }}
          done={t("notifications.template.deleted")}
          failed={t("notifications.template.deleteFailed")}
          remove={() => deleteTemplate(deleting.id)}
          onDeleted={() => void refresh()}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
  const customise = (event: Template["name"] | null, channelId: number | null = null) =>
    setDraft(
      own.find((one) => one.event === event && one.channel_id === channelId) ?? { event, channel_id: channelId },
    );
  return { dialogs, write: setDraft, remove: setDeleting, customise };
};
export type Templates = ReturnType<typeof useTemplates>;

type Props = { data: Notifications; by: Templates };

/** The messages of all channels: first those that the user has written, then the built-in ones. */
export function CommonTemplates({ data: { templates, own_templates }, by }: Props) {
  const { t } = useTranslation();
  const own = own_templates.filter((template) => template.channel_id === null);
  return (
    <div className="common-templates">
      <div className="section-head">
        <p className="soft small">{t("notifications.template.text")}</p>
        <button type="button" className="plain compact" onClick={() => by.write({ event: null, channel_id: null })}>
          <Icon name="plus" />
          {t("notifications.template.add")}
        </button>
      </div>
      {own.length > 0 && (
        <section aria-label={t("notifications.template.own")}>
          <h3>{t("notifications.template.own")}</h3>
          <OwnTemplates templates={own} place={t("notifications.template.allChannels")} by={by} />
        </section>
      )}
      <BuiltInTemplates
        templates={templates}
        customised={own.map(({ event }) => event)}
        onCustomise={(event) => by.customise(event)}
      />
    </div>
  );
}

type OwnTemplatesProps = {
  templates: readonly OwnTemplate[];
  /** The name of their channel. */
  place: string;
  by: Templates;
};

/** Templates of one channel, or of all: each with its event and the beginning of its text. */
export function OwnTemplates({ templates, place, by }: OwnTemplatesProps) {
  const { t } = useTranslation();
  const kindName = useKindName();
  return (
    <ul className="rule-rows own-templates">
      {templates.map((template) => {
        const { id, event, title, body } = template;
        const name = event === null ? t("notifications.template.allEvents") : kindName(event);
        const labelled = t("common.labelled", { label: place, value: name });
        return (
          <li key={id} className="rule-row">
            <Icon name="page" />
            <h4 className="rule-name truncate">{name}</h4>
            <code className="rule-text soft small truncate" title={`${title}\n${body}`}>
              {title}
            </code>
            <span className="rule-actions">
              <IconButton
                icon="edit"
                label={t("common.action.edit")}
                of={labelled}
                onClick={() => by.write(template)}
              />
              <IconButton
                icon="trash"
                label={t("notifications.template.reset")}
                of={labelled}
                onClick={() => by.remove(template)}
              />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
