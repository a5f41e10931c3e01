import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "../../ui/controls/field";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { useFormat } from "../../ui/hooks/use-format";
import { useSubmit } from "../../ui/hooks/use-submit";
import { type Outage, writeNote } from "./api";
import { LinkedText } from "./linked-text";

/** Characters of a note at most. */
const MAX_NOTE = 4000;

type Props = { outage: Outage; onChanged: () => void };

/** The note of an outage, which everyone who sees the outage may write. */
export function Note({ outage, onChanged }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [editing, setEditing] = useState(false);
  const { note } = outage;
  return (
    <section className="card outage-note">
      <div className="section-head">
        <h2>{t("outages.note.title")}</h2>
        <button type="button" className="quiet compact" onClick={() => setEditing(true)}>
          {t(note ? "common.action.edit" : "outages.note.write")}
        </button>
      </div>
      {note ? (
        <>
          <p className="outage-note-text">
            <LinkedText text={note.text} />
          </p>
          <small className="soft">{[note.by, format.moment(note.at)].filter(Boolean).join(" · ")}</small>
        </>
      ) : (
        <p className="soft small">{t("outages.note.none")}</p>
      )}
      {editing && <NoteDialog outage={outage} onChanged={onChanged} onClose={() => setEditing(false)} />}
    </section>
  );
}

function NoteDialog({ outage: { id, note }, onChanged, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation();
  const form = useSubmit(t("outages.note.failed"));
  return (
    <FormDialog
      of={form}
      title={t("outages.note.title")}
      onClose={onClose}
      onValid={(fields) =>
        form.submit(async () => {
          await writeNote(id, String(fields.get("text")));
          onChanged();
          onClose();
        })
      }
    >
      <Field label={t("outages.note.label")} hint={t("outages.note.hint")} error={form.wrong("text")}>
        <textarea name="text" rows={6} maxLength={MAX_NOTE} defaultValue={note?.text ?? ""} />
      </Field>
    </FormDialog>
  );
}
