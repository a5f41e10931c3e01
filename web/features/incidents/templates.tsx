import { useState } from "react";
import { useTranslation } from "react-i18next";
import { INCIDENT_LIMITS, type IncidentStatus, TEXT_VARIABLES } from "../../../src/shared/status/incidents";
import { text } from "../../lib/form";
import { Field } from "../../ui/controls/field";
import { IconButton } from "../../ui/controls/icon-button";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { deleteText, type IncidentText, saveText } from "./api";
import { StatusChips } from "./incident-dialog";

type DialogProps = { stored: IncidentText | undefined; onChanged: () => void; onClose: () => void };

function TemplateDialog({ stored, onChanged, onClose }: DialogProps) {
  const { t } = useTranslation();
  const [status, setStatus] = useState<IncidentStatus>(stored?.status ?? "investigating");
  const form = useSubmit(t("incidents.editor.saveFailed"));
  const save = (fields: FormData) =>
    form.submit(
      () =>
        saveText(
          { status, name: text(fields, "name"), title: text(fields, "title"), body: text(fields, "body") },
          stored?.id,
        ),
      () => {
        toast(t("incidents.editor.saved"));
        onChanged();
        onClose();
      },
    );
  return (
    <FormDialog
      of={form}
      title={t(stored ? "incidents.editor.templates.edit" : "incidents.editor.templates.add")}
      className="incident-dialog"
      onClose={onClose}
      onValid={save}
    >
      <Field label={t("incidents.editor.templates.name")} error={form.wrong("name")}>
        <input name="name" required maxLength={INCIDENT_LIMITS.textName} defaultValue={stored?.name ?? ""} />
      </Field>
      <StatusChips chosen={status} onChoose={setStatus} />
      <Field
        label={t("incidents.editor.name")}
        hint={t("incidents.editor.templates.titleHint")}
        error={form.wrong("title")}
      >
        <input name="title" maxLength={INCIDENT_LIMITS.title} defaultValue={stored?.title ?? ""} />
      </Field>
      <Field label={t("incidents.editor.text")} hint={t("incidents.editor.textHint")} error={form.wrong("body")}>
        <textarea name="body" rows={5} required maxLength={INCIDENT_LIMITS.body} defaultValue={stored?.body ?? ""} />
      </Field>
    </FormDialog>
  );
}

type Props = { texts: readonly IncidentText[]; canChange: boolean; onChanged: () => void };

/** The templates of the team. */
export function Templates({ texts, canChange, onChanged }: Props) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState<IncidentText | "new">();
  const [deleting, setDeleting] = useState<IncidentText>();
  const names = TEXT_VARIABLES.map((name) => `{{${name}}}`).join(" ");
  return (
    <section className="card">
      <div className="section-head">
        <h2>{t("incidents.editor.templates.title")}</h2>
        {canChange && (
          <button type="button" className="plain compact" onClick={() => setEditing("new")}>
            {t("incidents.editor.templates.add")}
          </button>
        )}
      </div>
      <p className="soft small">{t("incidents.editor.templates.about", { names })}</p>
      {texts.length === 0 && <p className="soft small">{t("incidents.editor.templates.none")}</p>}
      <ul className="incident-templates">
        {texts.map((one) => (
          <li key={one.id}>
            <span className="truncate">
              <b>{one.name}</b> <span className="soft small">{t(`incidents.status.${one.status}`)}</span>
            </span>
            {canChange && (
              <span className="incident-actions">
                <IconButton icon="edit" label={t("common.action.edit")} of={one.name} onClick={() => setEditing(one)} />
                <IconButton
                  icon="trash"
                  label={t("common.action.delete")}
                  of={one.name}
                  onClick={() => setDeleting(one)}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {editing && (
        <TemplateDialog
          stored={editing === "new" ? undefined : editing}
          onChanged={onChanged}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <DeleteDialog
          title={t("incidents.editor.templates.deleteTitle", { name: deleting.name })}
          text={t("incidents.editor.templates.deleteText")}
          done={t("incidents.editor.templates.deleted")}
          failed={t("incidents.editor.deleteFailed")}
          remove={() => deleteText(deleting.id)}
          onDeleted={onChanged}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </section>
  );
}
