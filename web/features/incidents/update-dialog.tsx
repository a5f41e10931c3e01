import { useState } from "react";
import { useTranslation } from "react-i18next";
import { INCIDENT_LIMITS, INCIDENT_STATUSES, type IncidentStatus } from "../../../src/shared/status/incidents";
import { text } from "../../lib/form";
import { Field } from "../../ui/controls/field";
import { Segments } from "../../ui/controls/segments";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { changeUpdate, type Incident, type Update } from "./api";
import { fromLocal, toLocal } from "./local-time";

type Props = { incident: Incident; update: Update; onChanged: () => void; onClose: () => void };

/** Changes the text, the state or the time of an update. */
export function UpdateDialog({ incident, update, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const [status, setStatus] = useState<IncidentStatus>(update.status);
  const form = useSubmit(t("incidents.editor.saveFailed"));
  const choices = INCIDENT_STATUSES.map((value) => ({ value, label: t(`incidents.status.${value}`) }));
  const save = async (fields: FormData) => {
    const at = text(fields, "at");
    try {
      await changeUpdate(incident.id, update.id, {
        ...{ status, body: text(fields, "body"), updated_at: incident.updated_at },
        // The input has no seconds.
        ...(at !== toLocal(update.at) && { at: fromLocal(at) }),
      });
    } finally {
      onChanged();
    }
  };
  return (
    <FormDialog
      of={form}
      title={t("incidents.editor.editUpdate")}
      text={t("incidents.editor.editUpdateText")}
      className="incident-dialog"
      onClose={onClose}
      onValid={(fields) =>
        form.submit(
          () => save(fields),
          () => {
            toast(t("incidents.editor.saved"));
            onClose();
          },
        )
      }
    >
      <Segments label={t("incidents.editor.status")} choices={choices} chosen={status} onChoose={setStatus} />
      <Field label={t("incidents.editor.text")} hint={t("incidents.editor.textHint")} error={form.wrong("body")}>
        <textarea name="body" rows={6} required maxLength={INCIDENT_LIMITS.body} defaultValue={update.body} />
      </Field>
      <Field label={t("incidents.editor.at")} error={form.wrong("at")}>
        <input name="at" type="datetime-local" required defaultValue={toLocal(update.at)} />
      </Field>
    </FormDialog>
  );
}
