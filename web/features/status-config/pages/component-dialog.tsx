import { useState } from "react";
import { useTranslation } from "react-i18next";
import { COMPONENT_MODES, COMPONENT_STATUSES, PAGE_LIMITS } from "../../../../src/shared/status/components";
import { TAG_LIMITS } from "../../../../src/shared/tags";
import { Field } from "../../../ui/controls/field";
import { Icon } from "../../../ui/controls/icon";
import { Switch } from "../../../ui/controls/switch";
import { FormDialog } from "../../../ui/feedback/form-dialog";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { keyOf, type NamedTarget } from "../../notifications/dependencies/api";
import { TargetPicker } from "../../notifications/dependencies/target-picker";
import { type Draft, missingIn } from "./draft";

type TargetsProps = {
  targets: readonly NamedTarget[];
  error: string | undefined;
  onChange: (targets: readonly NamedTarget[]) => void;
};

/** The monitors and servers that a component is about. */
function Targets({ targets, error, onChange }: TargetsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="component-targets" data-field="targets">
      <legend>{t("pages.component.targets")}</legend>
      {targets.length > 0 && (
        <ul className="tag-list">
          {targets.map((target) => (
            <li key={keyOf(target)} className="tag-chip">
              <Icon name={target.type === "agent" ? "server" : "pulse"} />
              <span className="truncate">{target.name}</span>
              <button
                type="button"
                aria-label={t("pages.component.remove", { name: target.name })}
                title={t("pages.component.remove", { name: target.name })}
                onClick={() => onChange(targets.filter((other) => other !== target))}
              >
                <Icon name="cross" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <TargetPicker
        label={t("pages.component.find")}
        mine
        without={targets.map(keyOf)}
        busy={false}
        errorId={error && "component-targets-error"}
        onPick={(target) => onChange([...targets, target])}
      />
      {error && (
        <p className="wrong" id="component-targets-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** When a component of several targets works. */
function ModeFields({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  const { t } = useTranslation();
  return (
    <div className="component-pair">
      <Field label={t("pages.component.mode")}>
        <select
          value={draft.mode}
          onChange={({ target }) => onChange({ mode: COMPONENT_MODES.find((mode) => mode === target.value) ?? "all" })}
        >
          {COMPONENT_MODES.map((mode) => (
            <option key={mode} value={mode}>
              {t(`pages.component.modes.${mode}`)}
            </option>
          ))}
        </select>
      </Field>
      {draft.mode === "at_least" && (
        <Field label={t("pages.component.n")}>
          <input
            type="number"
            min={1}
            max={draft.tag.trim() ? PAGE_LIMITS.targets : Math.max(1, draft.targets.length)}
            value={draft.n}
            onChange={({ target }) => onChange({ n: Math.max(1, Math.floor(Number(target.value))) })}
          />
        </Field>
      )}
    </div>
  );
}

type Props = {
  stored: Draft;
  isNew: boolean;
  groups: readonly string[];
  onDone: (draft: Draft) => void;
  onClose: () => void;
};

/** Edits one component. It is saved with its page. */
export function ComponentDialog({ stored, isNew, groups, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(stored);
  const form = useSubmit("");
  const edit = (change: Partial<Draft>) => {
    form.mark("name", undefined);
    form.mark("targets", undefined);
    setDraft((before) => ({ ...before, ...change }));
  };
  const onSubmit = () => {
    const missing = missingIn(draft);
    if (missing.length > 0)
      return form.refuse(Object.fromEntries(missing.map((name) => [name, t(`pages.component.${name}Missing`)])));
    const { length } = draft.targets;
    onDone({ ...draft, n: draft.tag.trim() ? draft.n : Math.min(draft.n, Math.max(1, length)) });
  };
  return (
    <FormDialog
      title={t(isNew ? "pages.component.add" : "pages.component.edit")}
      of={form}
      className="component-dialog"
      focus="input"
      submit={t("pages.component.done")}
      isDirty={() => draft !== stored}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <div className="component-pair">
        <Field label={t("pages.component.name")} hint={t("pages.component.nameHint")} error={form.wrong("name")}>
          <input
            name="name"
            maxLength={PAGE_LIMITS.name}
            autoComplete="off"
            value={draft.name}
            placeholder={draft.targets.length === 1 && !draft.tag.trim() ? draft.targets[0]?.name : undefined}
            onChange={({ target }) => edit({ name: target.value })}
          />
        </Field>
        <Field label={t("pages.component.group")} hint={t("pages.component.groupHint")} optional>
          <input
            maxLength={PAGE_LIMITS.name}
            autoComplete="off"
            list="component-groups"
            value={draft.group}
            onChange={({ target }) => edit({ group: target.value })}
          />
        </Field>
      </div>
      <datalist id="component-groups">
        {groups.map((group) => (
          <option key={group} value={group} />
        ))}
      </datalist>
      <Field label={t("pages.component.description")} optional>
        <input
          maxLength={PAGE_LIMITS.description}
          autoComplete="off"
          value={draft.description}
          onChange={({ target }) => edit({ description: target.value })}
        />
      </Field>
      <Targets targets={draft.targets} error={form.wrong("targets")} onChange={(targets) => edit({ targets })} />
      <Field label={t("pages.component.tag")} hint={t("pages.component.tagHint")} optional>
        <input
          maxLength={TAG_LIMITS.filter}
          autoComplete="off"
          value={draft.tag}
          // Chinese keyboards type a full-width colon.
          onChange={({ target }) => edit({ tag: target.value.replaceAll("：", ":") })}
        />
      </Field>
      {(draft.targets.length > 1 || draft.tag.trim() !== "") && <ModeFields draft={draft} onChange={edit} />}
      <Field label={t("pages.component.status")}>
        <select
          value={draft.status ?? "measured"}
          onChange={({ target }) => edit({ status: COMPONENT_STATUSES.find((one) => one === target.value) ?? null })}
        >
          {(["measured", ...COMPONENT_STATUSES] as const).map((status) => (
            <option key={status} value={status}>
              {t(`pages.component.statuses.${status}`)}
            </option>
          ))}
        </select>
      </Field>
      <Switch label={t("pages.component.bar")} checked={draft.bar} onChange={(bar) => edit({ bar })} />
    </FormDialog>
  );
}
