import { useSetAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language } from "../../../../src/shared/language";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { Segments } from "../../../ui/controls/segments";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { toast } from "../../../ui/feedback/toast";
import type { Notifications, OwnTemplate, Template } from "../api";
import { createTemplate, deleteTemplate, notificationsAtom, updateTemplate } from "../api";
import { useKindName } from "../labels";
import { TemplateDialog, type TemplateDraft } from "./template-dialog";

const names: Record<Language, string> = { "zh-CN": "中文", "en-US": "English" };

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

/** The messages of all channels: those that the user has written, and the built-in ones with example events. */
export function CommonTemplates({ data: { templates, own_templates }, by }: Props) {
  const { t, i18n } = useTranslation();
  const [language, setLanguage] = useState(i18n.language as Language);
  const builtIn = templates.filter(({ type }) => type === language);
  const own = own_templates.filter((template) => template.channel_id === null);
  return (
    <div className="stack">
      <p className="soft">{t("notifications.template.text")}</p>
      <div className="actions">
        <button type="button" className="plain" onClick={() => by.write({ event: null, channel_id: null })}>
          <Icon name="plus" />
          {t("notifications.template.add")}
        </button>
      </div>
      {own.length > 0 && (
        <section className="stack" aria-label={t("notifications.template.own")}>
          <h3>{t("notifications.template.own")}</h3>
          <OwnTemplates templates={own} place={t("notifications.template.allChannels")} by={by} />
        </section>
      )}
      <section className="stack" aria-label={t("notifications.template.builtIn")}>
        <div className="actions template-bar">
          <h3>{t("notifications.template.builtIn")}</h3>
          <Segments
            label={t("notifications.template.language")}
            choices={LANGUAGES.map((value) => ({ value, label: names[value] }))}
            chosen={language}
            onChoose={setLanguage}
          />
        </div>
        <ul className="card template-list">
          {builtIn.map((template) => (
            <BuiltInRow key={template.id} template={template} onCustomise={() => by.customise(template.name)} />
          ))}
        </ul>
      </section>
    </div>
  );
}

type OwnTemplatesProps = { templates: readonly OwnTemplate[]; place: string; by: Templates };

/** Templates of one channel, or of all. */
export function OwnTemplates({ templates, place, by }: OwnTemplatesProps) {
  return (
    <ul className="card-grid">
      {templates.map((template) => (
        <li key={template.id}>
          <OwnCard template={template} place={place} onEdit={by.write} onDelete={by.remove} />
        </li>
      ))}
    </ul>
  );
}

type OwnProps = {
  template: OwnTemplate;
  /** The name of its channel. */
  place: string;
  onEdit: (template: OwnTemplate) => void;
  onDelete: (template: OwnTemplate) => void;
};

function OwnCard({ template, place, onEdit, onDelete }: OwnProps) {
  const { t } = useTranslation();
  const kindName = useKindName();
  const { event, title, body } = template;
  const name = event === null ? t("notifications.template.allEvents") : kindName(event);
  const labelled = t("common.labelled", { label: place, value: name });
  return (
    <article className="card item-card message-card">
      <header>
        <div>
          <h4>{name}</h4>
          <p className="soft small truncate">{place}</p>
        </div>
        <IconButton icon="edit" label={t("common.action.edit")} of={labelled} onClick={() => onEdit(template)} />
        <IconButton
          icon="trash"
          label={t("notifications.template.reset")}
          of={labelled}
          onClick={() => onDelete(template)}
        />
      </header>
      <div className="message-sample source">
        <strong>{title}</strong>
        {body && <p>{body}</p>}
      </div>
    </article>
  );
}

/** A built-in message in one line: its event and its title; opened, also its text. */
function BuiltInRow({ template, onCustomise }: { template: Template; onCustomise: () => void }) {
  const { t } = useTranslation();
  const kindName = useKindName();
  const { name, type, subject, content } = template;
  return (
    <li>
      <details>
        <summary>
          <h4>{kindName(name)}</h4>
          <span className="soft small truncate" lang={type}>
            {subject}
          </span>
        </summary>
        <div className="message-sample" lang={type}>
          <p>{content}</p>
        </div>
      </details>
      <button
        type="button"
        className="quiet compact"
        aria-label={t("notifications.template.customiseOf", { name: kindName(name) })}
        onClick={onCustomise}
      >
        {t("notifications.template.customise")}
      </button>
    </li>
  );
}
