import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  INCIDENT_IMPACTS,
  INCIDENT_LIMITS,
  INCIDENT_STATUSES,
  type IncidentImpact,
  type IncidentStatus,
} from "../../../src/shared/status/incidents";
import { text } from "../../lib/form";
import { Field } from "../../ui/controls/field";
import { Segments } from "../../ui/controls/segments";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { toast } from "../../ui/feedback/toast";
import { useFormat } from "../../ui/hooks/use-format";
import { useSubmit } from "../../ui/hooks/use-submit";
import {
  type Affected,
  changeIncident,
  type Incident,
  type IncidentPage,
  type IncidentSummary,
  type IncidentText,
  publishIncident,
} from "./api";
import { ComponentFields } from "./component-fields";
import { fromLocal, toLocal } from "./local-time";
import { NotifyChoice } from "./notify-choice";
import { OpenAlready } from "./open-already";
import { TextChoice } from "./text-choice";

/** The first values of a new incident, as from an outage. */
export type Start = {
  title: string;
  impact: IncidentImpact;
  affected: Affected;
  /** Components that it may be about, which other incidents may name. */
  concerned?: readonly number[];
  startedAt?: string;
  outageId?: number;
  /** For the writer alone. */
  cause?: string;
  component: string;
};
export const EMPTY_START: Start = { title: "", impact: "minor", affected: [], component: "" };

type ChoiceProps = { pages: readonly IncidentPage[]; chosen: readonly number[]; onChoose: (ids: number[]) => void };

/** The pages that show the incident, where there are several. */
function PageChoice({ pages, chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation();
  if (pages.length < 2) return null;
  return (
    <fieldset className="incident-pages">
      <legend>{t("incidents.editor.pages")}</legend>
      {pages.map(({ id, title, slug }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={(event) =>
              onChoose(event.target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
          />
          {title || slug}
        </label>
      ))}
    </fieldset>
  );
}

/** The pages with a component that the incident is about from the start; all of them without one. */
const pagesOf = ({ affected }: Start, pages: readonly IncidentPage[]): number[] => {
  const ids = new Set(affected.map(({ id }) => id));
  const concerned = pages.filter(({ components }) => components.some(({ id }) => ids.has(id)));
  return (concerned.length > 0 ? concerned : pages).map(({ id }) => id);
};

/** A choice with its label above it. */
function Chips<T extends string>(props: ComponentProps<typeof Segments<T>>) {
  return (
    <div className="incident-chips">
      <span aria-hidden="true">{props.label}</span>
      <Segments {...props} />
    </div>
  );
}

type ImpactProps = { chosen: IncidentImpact; onChoose: (impact: IncidentImpact) => void };

/** The impacts of an incident as chips. */
function ImpactChips(props: ImpactProps) {
  const { t } = useTranslation();
  const choices = INCIDENT_IMPACTS.map((value) => ({ value, label: t(`incidents.impact.${value}`) }));
  return <Chips label={t("incidents.editor.impact")} choices={choices} {...props} />;
}

/** Errors that the controls of the form do not find. */
const useMissing = () => {
  const { t } = useTranslation();
  return (fields: FormData, pages: readonly number[]): Record<string, string> => ({
    ...(text(fields, "title") === "" && { title: t("incidents.editor.missing.title") }),
    ...(pages.length === 0 && { pages: t("incidents.editor.missing.pages") }),
  });
};

type NewProps = {
  start: Start;
  pages: readonly IncidentPage[];
  open: readonly IncidentSummary[];
  texts: readonly IncidentText[];
  onPublished: () => void;
  onClose: () => void;
};

/** Publishes an incident with its first update. It may be over already. */
export function NewIncident({ start, pages, open, texts, onPublished, onClose }: NewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const missing = useMissing();
  const [title, setTitle] = useState(start.title);
  const [body, setBody] = useState("");
  const [impact, setImpact] = useState<IncidentImpact>(start.impact);
  const [status, setStatus] = useState<IncidentStatus>("investigating");
  const [shownOn, setShownOn] = useState(() => pagesOf(start, pages));
  const [affected, setAffected] = useState(start.affected);
  const [notify, setNotify] = useState(true);
  const form = useSubmit(t("incidents.editor.publishFailed"));
  const chosenPages = pages.filter(({ id }) => shownOn.includes(id));
  const since = start.startedAt ?? new Date().toISOString();
  const values = {
    component: start.component,
    since: format.moment(since),
    duration: format.duration((Date.now() - Date.parse(since)) / 1000),
  };
  const publish = (fields: FormData) => {
    const errors = missing(fields, shownOn);
    if (Object.keys(errors).length > 0) return form.refuse(errors);
    const [startedAt, at] = [text(fields, "started_at"), text(fields, "at")];
    const isStart = start.startedAt !== undefined && startedAt === toLocal(start.startedAt);
    const visible = new Set(chosenPages.flatMap(({ components }) => components.map(({ id }) => id)));
    form.submit(
      () =>
        publishIncident({
          ...{ title, impact, status, body, notify, pages: shownOn },
          components: affected.filter(({ id }) => visible.has(id)),
          ...(startedAt && { started_at: isStart ? start.startedAt : fromLocal(startedAt) }),
          ...(at && { at: fromLocal(at) }),
          ...(start.outageId !== undefined && { outage_id: start.outageId }),
        }),
      () => {
        toast(t("incidents.editor.published"));
        onPublished();
        onClose();
      },
    );
  };
  return (
    <FormDialog
      of={form}
      title={t("incidents.editor.publish")}
      className="incident-dialog"
      focus={start.title ? "[name=body]" : "[name=title]"}
      submit={t("incidents.editor.publish")}
      onClose={onClose}
      onValid={publish}
    >
      <OpenAlready open={open} components={[...(start.concerned ?? []), ...affected.map(({ id }) => id)]} />
      {start.cause && <p className="incident-cause">{t("incidents.editor.cause", { text: start.cause })}</p>}
      <TextChoice
        texts={texts}
        values={values}
        onChoose={(chosen) => {
          if (chosen.title) setTitle(chosen.title);
          setStatus(chosen.status);
          setBody(chosen.body);
        }}
      />
      <Field label={t("incidents.editor.name")} error={form.wrong("title")}>
        <input
          name="title"
          required
          maxLength={INCIDENT_LIMITS.title}
          placeholder={t("incidents.editor.namePlaceholder")}
          autoComplete="off"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </Field>
      <StatusChips chosen={status} onChoose={setStatus} />
      <Field label={t("incidents.editor.text")} hint={t("incidents.editor.textHint")} error={form.wrong("body")}>
        <textarea
          name="body"
          rows={4}
          required
          maxLength={INCIDENT_LIMITS.body}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
      </Field>
      <ImpactChips chosen={impact} onChoose={setImpact} />
      <PageChoice pages={pages} chosen={shownOn} onChoose={setShownOn} />
      {form.wrong("pages") && <p className="wrong">{form.wrong("pages")}</p>}
      <ComponentFields
        pages={chosenPages}
        affected={affected}
        open={start.affected.length > 0}
        onChange={setAffected}
      />
      <NotifyChoice pages={chosenPages} chosen={notify} onChoose={setNotify} />
      <details className="incident-times">
        <summary>{t("incidents.editor.times")}</summary>
        <Field label={t("incidents.editor.startedAt")} error={form.wrong("started_at")}>
          <input
            name="started_at"
            type="datetime-local"
            defaultValue={start.startedAt ? toLocal(start.startedAt) : ""}
          />
        </Field>
        <Field label={t("incidents.editor.at")} hint={t("incidents.editor.atHint")} error={form.wrong("at")}>
          <input name="at" type="datetime-local" />
        </Field>
      </details>
    </FormDialog>
  );
}

type ChipsProps = { chosen: IncidentStatus; onChoose: (status: IncidentStatus) => void };

/** The states of an update as chips. */
export function StatusChips({ chosen, onChoose }: ChipsProps) {
  const { t } = useTranslation();
  const choices = INCIDENT_STATUSES.map((value) => ({ value, label: t(`incidents.status.${value}`) }));
  return <Chips label={t("incidents.editor.status")} choices={choices} chosen={chosen} onChoose={onChoose} />;
}

type EditProps = { incident: Incident; pages: readonly IncidentPage[]; onChanged: () => void; onClose: () => void };

/** Changes the title, the impact, the beginning and the pages of an incident. */
export function EditIncident({ incident, pages, onChanged, onClose }: EditProps) {
  const { t } = useTranslation();
  const missing = useMissing();
  const [impact, setImpact] = useState<IncidentImpact>(incident.impact);
  const [shownOn, setShownOn] = useState(incident.pages);
  const form = useSubmit(t("incidents.editor.saveFailed"));
  const save = (fields: FormData) => {
    const errors = missing(fields, shownOn);
    if (Object.keys(errors).length > 0) return form.refuse(errors);
    const startedAt = text(fields, "started_at");
    const visible = new Set(
      pages.filter(({ id }) => shownOn.includes(id)).flatMap(({ components }) => components.map(({ id }) => id)),
    );
    form.submit(
      () =>
        changeIncident(incident.id, {
          ...{ title: text(fields, "title"), impact, pages: shownOn, updated_at: incident.updated_at },
          components: incident.components.filter(({ id }) => visible.has(id)).map(({ id, status }) => ({ id, status })),
          ...(startedAt !== toLocal(incident.started_at) && { started_at: fromLocal(startedAt) }),
        }).finally(onChanged),
      () => {
        toast(t("incidents.editor.saved"));
        onClose();
      },
    );
  };
  return (
    <FormDialog
      of={form}
      title={t("incidents.editor.edit")}
      className="incident-dialog"
      onClose={onClose}
      onValid={save}
    >
      <Field label={t("incidents.editor.name")} error={form.wrong("title")}>
        <input
          name="title"
          required
          maxLength={INCIDENT_LIMITS.title}
          autoComplete="off"
          defaultValue={incident.title}
        />
      </Field>
      <ImpactChips chosen={impact} onChoose={setImpact} />
      <Field label={t("incidents.editor.startedAt")} error={form.wrong("started_at")}>
        <input name="started_at" type="datetime-local" required defaultValue={toLocal(incident.started_at)} />
      </Field>
      <PageChoice pages={pages} chosen={shownOn} onChoose={setShownOn} />
      {form.wrong("pages") && <p className="wrong">{form.wrong("pages")}</p>}
    </FormDialog>
  );
}
