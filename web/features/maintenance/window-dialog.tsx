import { useState } from "react";
import { useTranslation } from "react-i18next";
import { WINDOW_LIMITS } from "../../../src/shared/outages/maintenance";
import { parseTagText, tagText } from "../../../src/shared/tags";
import { browserTimeZone } from "../../lib/format";
import { hubNow } from "../../lib/now";
import { Field } from "../../ui/controls/field";
import { Switch } from "../../ui/controls/switch";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { toast } from "../../ui/feedback/toast";
import { useFieldErrorText } from "../../ui/hooks/use-error-text";
import { useSubmit } from "../../ui/hooks/use-submit";
import type { NamedTarget } from "../notifications/dependencies/api";
import { type MaintenanceWindow, saveWindow } from "./api";
import { type Draft, draftOf, newDraft, scheduleOf } from "./draft";
import { Preview, usePreview } from "./preview";
import { ScheduleFields } from "./schedule-fields";
import { TargetFields } from "./target-fields";

type Props = {
  /** The window that is edited; undefined for a new one. */
  stored: MaintenanceWindow | undefined;
  /** The targets that it names. */
  named: readonly NamedTarget[];
  onSaved: () => void;
  onClose: () => void;
};

type Fields = { title: string; all: boolean; targets: readonly NamedTarget[]; counted: boolean; draft: Draft };

const SCHEDULE_FIELDS = ["from", "to", "days", "weeks", "anchor", "day", "at", "minutes", "cron", "zone"] as const;

/** The tags in the form, each as its name or name:value. */
const tagsIn = (form: HTMLFormElement | null): string[] => {
  const sent = form && new FormData(form).get("tags");
  return typeof sent === "string" ? (JSON.parse(sent) as ReturnType<typeof parseTagText>[]).map(tagText) : [];
};

/** The fields, what is wrong with them, and what saves them. */
const useEditor = ({ stored, named, onSaved, onClose }: Props) => {
  const { t } = useTranslation();
  const fieldErrorText = useFieldErrorText();
  const [initial] = useState(
    (): Fields => ({
      title: stored?.title ?? "",
      all: stored?.all ?? false,
      targets: named,
      counted: stored?.counted ?? false,
      draft: stored ? draftOf(stored, hubNow(), browserTimeZone()) : newDraft(hubNow(), browserTimeZone()),
    }),
  );
  const [fields, setFields] = useState(initial);
  const form = useSubmit(t("maintenance.saveFailed"));
  const { draft, targets, all } = fields;
  const preview = usePreview(draft, (error) => {
    for (const { path, message, code } of error.fields) {
      const name = path.split(".").at(-1) ?? "";
      form.mark(name, fieldErrorText(name, message, code));
    }
  });
  const edit = (change: Partial<Fields>) => setFields((before) => ({ ...before, ...change }));
  const editDraft = (change: Partial<Draft>) => {
    for (const name of SCHEDULE_FIELDS) form.mark(name, undefined);
    edit({ draft: { ...draft, ...change } });
  };

  const onSubmit = () => {
    const result = scheduleOf(draft);
    const tags = all ? [] : tagsIn(form.element.current);
    const title = fields.title.trim();
    const missing = [
      ...(title ? [] : (["title"] as const)),
      ...("missing" in result ? result.missing : []),
      ...(all || targets.length + tags.length > 0 ? [] : (["monitors"] as const)),
    ];
    if ("missing" in result || missing.length > 0)
      return form.refuse(Object.fromEntries(missing.map((name) => [name, t(`maintenance.missing.${name}`)])));
    const idsOf = (type: NamedTarget["type"]) =>
      all ? [] : targets.filter((target) => target.type === type).map(({ id }) => id);
    const body = {
      ...{ title, all, monitors: idsOf("monitor"), agents: idsOf("agent"), tags },
      ...{ schedule: result.schedule, counted: fields.counted },
    };
    form.submit(
      () => saveWindow(body, stored?.id),
      () => {
        toast(t("maintenance.saved"));
        onSaved();
        onClose();
      },
    );
  };
  const isDirty = () =>
    fields !== initial ||
    tagsIn(form.element.current).join("\n") !==
      (stored?.tags ?? []).map((tag) => tagText(parseTagText(tag))).join("\n");
  return { fields, form, preview, edit, editDraft, onSubmit, isDirty };
};

/** Plans a maintenance window, or changes one. */
export function WindowDialog(props: Props) {
  const { t } = useTranslation();
  const { stored, onClose } = props;
  const { fields, form, preview, edit, editDraft, onSubmit, isDirty } = useEditor(props);
  return (
    <FormDialog
      title={t(stored ? "maintenance.editTitle" : "maintenance.addTitle")}
      of={form}
      className="window-dialog"
      focus="input"
      isDirty={isDirty}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <Field label={t("maintenance.name")} error={form.wrong("title")}>
        <input
          name="title"
          required
          maxLength={WINDOW_LIMITS.title}
          placeholder={t("maintenance.namePlaceholder")}
          autoComplete="off"
          value={fields.title}
          onChange={(event) => {
            form.mark("title", undefined);
            edit({ title: event.target.value });
          }}
        />
      </Field>
      <TargetFields
        all={fields.all}
        targets={fields.targets}
        tags={stored?.tags ?? []}
        error={form.wrong("monitors")}
        onAll={(all) => edit({ all })}
        onTargets={(targets) => {
          form.mark("monitors", undefined);
          edit({ targets });
        }}
      />
      <ScheduleFields draft={fields.draft} errorOf={form.wrong} onChange={editDraft} />
      {preview && <Preview occurrences={preview} />}
      <Switch label={t("maintenance.count")} checked={fields.counted} onChange={(counted) => edit({ counted })} />
    </FormDialog>
  );
}
