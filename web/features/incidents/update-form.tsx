import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { INCIDENT_LIMITS, INCIDENT_STATUSES, type IncidentStatus } from "../../../src/shared/status/incidents";
import { toHubTime } from "../../lib/now";
import { Field } from "../../ui/controls/field";
import { Form } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { Segments } from "../../ui/controls/segments";
import { toast } from "../../ui/feedback/toast";
import { useFormat } from "../../ui/hooks/use-format";
import { useSubmit } from "../../ui/hooks/use-submit";
import { type Affected, type Incident, type IncidentPage, type IncidentText, postUpdate } from "./api";
import { ComponentFields } from "./component-fields";
import { NotifyChoice } from "./notify-choice";
import { TextChoice } from "./text-choice";

type Props = {
  incident: Incident;
  pages: readonly IncidentPage[];
  texts: readonly IncidentText[];
  /** Whether the viewer has come to write: the text has the focus at once. */
  isAsked: boolean;
  /** Also called when another person has changed the incident, so that their text is shown. */
  onChanged: () => void;
};

/** The states and the text of an update, made for a phone: a chip, which leads to the text, and the button. */
export function UpdateForm({ incident, pages, texts, isAsked, onChanged }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [status, setStatus] = useState<IncidentStatus>(incident.status);
  const [body, setBody] = useState("");
  const stored = incident.components.map(({ id, status }) => ({ id, status }));
  const [changed, setChanged] = useState<Affected>();
  const [notify, setNotify] = useState(true);
  const writing = useRef<HTMLTextAreaElement>(null);
  const form = useSubmit(t("incidents.editor.postFailed"));
  useEffect(() => {
    if (isAsked) writing.current?.focus();
  }, [isAsked]);
  const shownOn = pages.filter(({ id }) => incident.pages.includes(id));
  const seconds = (toHubTime(Date.now()) - Date.parse(incident.started_at)) / 1000;
  const values = {
    component: format.names(incident.components.map(({ name }) => name)) || incident.title,
    since: format.moment(incident.started_at),
    duration: format.duration(seconds),
  };
  const post = () =>
    form.submit(
      async () => {
        try {
          await postUpdate(incident.id, {
            ...{ status, body, notify, updated_at: incident.updated_at },
            ...(changed && { components: changed }),
          });
        } catch (error) {
          onChanged();
          throw error;
        }
      },
      () => {
        setBody("");
        setChanged(undefined);
        toast(t("incidents.editor.posted"));
        onChanged();
      },
    );
  const choices = INCIDENT_STATUSES.map((value) => ({ value, label: t(`incidents.status.${value}`) }));
  return (
    <Form of={form} onValid={post} className="incident-form">
      <Segments
        label={t("incidents.editor.status")}
        choices={choices}
        chosen={status}
        onChoose={(value, byPointer) => {
          setStatus(value);
          // Phones open the keyboard only in the tap itself.
          if (byPointer) writing.current?.focus();
        }}
      />
      <Field label={t("incidents.editor.text")} hint={t("incidents.editor.textHint")} error={form.wrong("body")}>
        <textarea
          ref={writing}
          name="body"
          rows={3}
          required
          maxLength={INCIDENT_LIMITS.body}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
      </Field>
      <ComponentFields pages={shownOn} affected={changed ?? stored} onChange={setChanged} />
      <NotifyChoice pages={shownOn} chosen={notify} onChoose={setNotify} />
      {form.error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          <span>{form.error}</span>
        </p>
      )}
      <div className="actions">
        <TextChoice
          texts={texts}
          values={values}
          onChoose={(text) => {
            setStatus(text.status);
            setBody(text.body);
          }}
        />
        <button type="submit" disabled={form.busy} aria-busy={form.busy}>
          {t("incidents.editor.post")}
        </button>
      </div>
    </Form>
  );
}
