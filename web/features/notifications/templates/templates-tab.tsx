import { useSetAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language } from "../../../../src/shared/language";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { Segments } from "../../../ui/controls/segments";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { toast } from "../../../ui/feedback/toast";
import type { Channel, OwnTemplate, Template } from "../api";
import { createTemplate, deleteTemplate, notificationsAtom, updateTemplate } from "../api";
import { useKindName } from "../labels";
import { TemplateDialog, type TemplateDraft } from "./template-dialog";

const names: Record<Language, string> = { "zh-CN": "中文", "en-US": "English" };

type Props = { templates: readonly Template[]; own: readonly OwnTemplate[]; channels: readonly Channel[] };

/** The messages of alerts: those that the user has written, and the built-in ones with example events. */
export function TemplatesTab({ templates, own, channels }: Props) {
  const { t, i18n } = useTranslation();
  const refresh = useSetAtom(notificationsAtom);
  const [language, setLanguage] = useState(i18n.language as Language);
  const [draft, setDraft] = useState<TemplateDraft>();
  const [deleting, setDeleting] = useState<OwnTemplate>();
  const builtIn = templates.filter(({ type }) => type === language);

  const customise = (event: Template["name"] | null) => {
    const stored = own.find((one) => one.event === event && one.channel_id === null);
    setDraft(stored ?? { event, channel_id: null });
  };

  return (
    <div className="stack">
      <p className="soft">{t("notifications.template.text")}</p>
      <div className="actions">
        <button type="button" onClick={() => setDraft({ event: null, channel_id: null })}>
          <Icon name="plus" />
          {t("notifications.template.add")}
        </button>
      </div>
      {own.length > 0 && (
        <section className="stack" aria-label={t("notifications.template.own")}>
          <h2>{t("notifications.template.own")}</h2>
          <ul className="card-grid">
            {own.map((template) => (
              <li key={template.id}>
                <OwnCard template={template} channels={channels} onEdit={setDraft} onDelete={setDeleting} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="stack" aria-label={t("notifications.template.builtIn")}>
        <div className="actions template-bar">
          <h2>{t("notifications.template.builtIn")}</h2>
          <Segments
            label={t("notifications.template.language")}
            choices={LANGUAGES.map((value) => ({ value, label: names[value] }))}
            chosen={language}
            onChoose={setLanguage}
          />
        </div>
        <ul className="card-grid">
          {builtIn.map((template) => (
            <li key={template.id}>
              <BuiltInCard template={template} onCustomise={() => customise(template.name)} />
            </li>
          ))}
        </ul>
      </section>
      {draft && (
        <TemplateDialog
          draft={draft}
          builtIn={templates.filter(({ type }) => type === i18n.language)}
          channels={channels}
          onSave={async ({ id, ...body }) => {
            await (id === undefined ? createTemplate(body) : updateTemplate(id, body));
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
    </div>
  );
}

type OwnProps = {
  template: OwnTemplate;
  channels: readonly Channel[];
  onEdit: (template: OwnTemplate) => void;
  onDelete: (template: OwnTemplate) => void;
};

function OwnCard({ template, channels, onEdit, onDelete }: OwnProps) {
  const { t } = useTranslation();
  const kindName = useKindName();
  const { event, channel_id: channelId, title, body } = template;
  const name = event === null ? t("notifications.template.allEvents") : kindName(event);
  const channel = channels.find(({ id }) => id === channelId)?.name ?? t("notifications.template.allChannels");
  const labelled = t("common.labelled", { label: channel, value: name });
  return (
    <article className="card item-card message-card">
      <header>
        <div>
          <h3>{name}</h3>
          <p className="soft small truncate">{channel}</p>
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

function BuiltInCard({ template, onCustomise }: { template: Template; onCustomise: () => void }) {
  const { t } = useTranslation();
  const kindName = useKindName();
  const { name, type, subject, content } = template;
  return (
    <article className="card item-card message-card">
      <header>
        <div>
          <h3>{kindName(name)}</h3>
        </div>
        <button
          type="button"
          className="quiet compact"
          aria-label={t("notifications.template.customiseOf", { name: kindName(name) })}
          onClick={onCustomise}
        >
          {t("notifications.template.customise")}
        </button>
      </header>
      <div className="message-sample" lang={type}>
        <strong>{subject}</strong>
        <p>{content}</p>
      </div>
    </article>
  );
}
