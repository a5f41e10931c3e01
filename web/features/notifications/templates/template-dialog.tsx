import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../../../src/shared/language";
import { EVENT_KINDS, type EventKind } from "../../../../src/shared/notifications";
import { checkTemplate, templateProblemText } from "../../../../src/shared/template/template";
import { TEMPLATE_LIMITS, type TemplateVariable } from "../../../../src/shared/template/variables";
import { Field } from "../../../ui/controls/field";
import { FormDialog } from "../../../ui/feedback/form-dialog";
import { useSubmit } from "../../../ui/hooks/use-submit";
import type { Channel, Template } from "../api";
import { Conflict, storedSince } from "../conflict";
import { capital, useKindName } from "../labels";
import { Filters, Palette, Preview } from "./template-help";
import { usePreview } from "./use-preview";

/** A template to write: for a channel or all (null), and for a kind of event or all. A stored one has an id and texts. */
export type TemplateDraft = {
  id?: number;
  event: EventKind | null;
  channel_id: number | null;
  title?: string;
  body?: string;
  updated_at?: string;
};
type Texts = { title: string; body: string };
type SavedTemplate = Texts & {
  id?: number;
  event: EventKind | null;
  channel_id: number | null;
  version?: string | undefined;
};

type Props = {
  draft: TemplateDraft;
  /** The built-in templates in the language of the page. */
  builtIn: readonly Template[];
  channels: readonly Channel[];
  onSave: (template: SavedTemplate) => Promise<void>;
  onClose: () => void;
};

/** Where one begins: with the built-in message of the event. */
const beginningOf = (event: EventKind | null, builtIn: readonly Template[]): Texts => {
  const template = builtIn.find(({ name }) => name === event);
  return { title: template?.title ?? "{{title}}", body: template?.body ?? "{{message}}" };
};

type PlaceProps = {
  event: EventKind | null;
  channelId: number | null;
  channels: readonly Channel[];
  /** A stored template stays where it is. */
  fixed: boolean;
  onEvent: (event: EventKind | null) => void;
  onChannel: (id: number | null) => void;
};

/** The scope of a template. */
function Place({ event, channelId, channels, fixed, onEvent, onChannel }: PlaceProps) {
  const { t } = useTranslation();
  const kindName = useKindName();
  return (
    <div className="template-place-fields">
      <Field label={t("notifications.template.event")}>
        <select
          name="event"
          value={event ?? ""}
          disabled={fixed}
          onChange={({ target }) => onEvent(EVENT_KINDS.find((kind) => kind === target.value) ?? null)}
        >
          <option value="">{t("notifications.template.allEvents")}</option>
          {EVENT_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {kindName(kind)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t("notifications.template.channel")}>
        <select
          name="channel"
          value={channelId ?? ""}
          disabled={fixed}
          onChange={({ target }) => onChannel(target.value === "" ? null : Number(target.value))}
        >
          <option value="">{t("notifications.template.allChannels")}</option>
          {channels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}

/** Writes a template, with the message of an example event beside it. */
export function TemplateDialog({ draft, builtIn, channels, onSave, onClose }: Props) {
  const { t, i18n } = useTranslation();
  // The texts are checked as they are typed, so their fields show nothing else.
  const form = useSubmit(t("notifications.template.saveFailed"), { onRefused: (error) => takeStored(error) });
  const fields = { title: useRef<HTMLInputElement>(null), body: useRef<HTMLTextAreaElement>(null) };
  const active = useRef<keyof Texts>("body");
  const [event, setEvent] = useState(draft.event);
  const [channelId, setChannelId] = useState(draft.channel_id);
  const [texts, setTexts] = useState<Texts>(() => ({ ...beginningOf(draft.event, builtIn), ...textsOf(draft) }));
  const { settled, preview, failed } = usePreview(texts, event);
  const [version, setVersion] = useState(draft.updated_at);
  /** The texts that were refused because others have stored some, which are in the form now. */
  const [mine, setMine] = useState<Texts>();
  const takeStored = (error: unknown) => {
    const since = storedSince(error);
    if (!since) return;
    setMine(texts);
    setTexts({ title: String(since.title), body: String(since.body) });
    setVersion(String(since.version));
  };

  const problemOf = (field: keyof Texts, text: string): string | undefined => {
    if (field === "title" && text.trim() === "") return t("notifications.template.titleRequired");
    const [problem] = checkTemplate(text);
    return problem && capital(templateProblemText(problem, i18n.language as Language));
  };
  const errors = { title: problemOf("title", settled.title), body: problemOf("body", settled.body) };

  const choose = (next: EventKind | null) => {
    const before = beginningOf(event, builtIn);
    // The texts of the user stay.
    if (texts.title === before.title && texts.body === before.body) setTexts(beginningOf(next, builtIn));
    setEvent(next);
  };

  const insert = (variable: TemplateVariable) => {
    const field = fields[active.current].current;
    if (!field) return;
    const [from, to] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
    const text = `{{${variable}}}`;
    setTexts({ ...texts, [active.current]: field.value.slice(0, from) + text + field.value.slice(to) });
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(from + text.length, from + text.length);
    });
  };

  const select = (name: keyof Texts) => {
    const [problem] = checkTemplate(texts[name]);
    fields[name].current?.focus();
    if (problem) fields[name].current?.setSelectionRange(problem.start, problem.end);
  };

  const onSubmit = () => {
    const wrong = (["title", "body"] as const).find((name) => problemOf(name, texts[name]) !== undefined);
    if (wrong) return select(wrong);
    const { id } = draft;
    form.submit(
      () => onSave({ ...texts, event, channel_id: channelId, version, ...(id !== undefined && { id }) }),
      onClose,
    );
  };

  const control = (name: keyof Texts) => ({
    name,
    value: texts[name],
    maxLength: TEMPLATE_LIMITS[name],
    spellCheck: false,
    autoComplete: "off",
    onFocus: () => {
      active.current = name;
    },
    onChange: ({ target }: { target: { value: string } }) => setTexts({ ...texts, [name]: target.value }),
  });
  const showPlace = (name: keyof Texts) =>
    errors[name] && checkTemplate(settled[name]).length > 0 ? (
      <button type="button" className="quiet compact template-place" onClick={() => select(name)}>
        {t("notifications.template.showPlace")}
      </button>
    ) : null;

  return (
    <FormDialog
      title={t(draft.id === undefined ? "notifications.template.add" : "notifications.template.editTitle")}
      of={form}
      className="template-dialog"
      first={
        <button
          type="button"
          className="plain first"
          disabled={form.busy}
          onClick={() => setTexts(beginningOf(event, builtIn))}
        >
          {t("notifications.template.restore")}
        </button>
      }
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <div className="template-columns">
        <div className="template-fields">
          {mine && (
            <Conflict
              onMine={() => {
                setTexts(mine);
                setMine(undefined);
              }}
            />
          )}
          <Place
            {...{ event, channelId, channels }}
            fixed={draft.id !== undefined}
            onEvent={choose}
            onChannel={setChannelId}
          />
          <Field label={t("notifications.template.subject")} error={errors.title}>
            <input ref={fields.title} required {...control("title")} />
          </Field>
          {showPlace("title")}
          <Field label={t("notifications.template.content")} error={errors.body}>
            <textarea ref={fields.body} rows={6} {...control("body")} />
          </Field>
          {showPlace("body")}
          <Palette values={preview?.values} onInsert={insert} />
          <Filters />
        </div>
        <Preview preview={preview} stale={errors.title !== undefined || errors.body !== undefined} failed={failed} />
      </div>
    </FormDialog>
  );
}

const textsOf = ({ title, body }: TemplateDraft): Partial<Texts> =>
  title === undefined || body === undefined ? {} : { title, body };
