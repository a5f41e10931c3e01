import { type FormEvent, useEffect, useId, useRef, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { type AlertPolicy, POLICY_LIMITS } from "../../../../src/shared/alert-policy";
import { CallError } from "../../../api";
import { Field } from "../../../ui/controls/field";
import { focusFirstWrong } from "../../../ui/controls/form";
import { Icon } from "../../../ui/controls/icon";
import { useModal } from "../../../ui/feedback/confirm-dialog";
import { useDiscardQuestion } from "../../../ui/feedback/unsaved";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import type { Channel } from "../api";
import { GroupFields, QuietFields, ReminderFields } from "./editor-fields";
import {
  HUB_PROBLEMS,
  nextStep,
  type PolicyBody,
  type PolicyDraft,
  type Problems,
  policyOfDraft,
  problemsOf,
  timelineOf,
  toPolicyBody,
} from "./policy";
import { useChannelNames } from "./sentence";
import type { EditorProps } from "./sentence-fields";
import { StepFields } from "./step-fields";

/** The fields that a failed call refuses for a reason that only the hub knows. */
const refusedFields = (error: unknown): Problems =>
  error instanceof CallError
    ? Object.fromEntries(
        error.fields.flatMap(({ path, code }) => {
          const known = HUB_PROBLEMS.find((problem) => problem === code);
          return known ? [[path, known]] : [];
        }),
      )
    : {};

/** When the example of the preview begins, in minutes of the day. */
const NOON = 12 * 60;
const clock = (minutes: number) =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

/** The messages of the policy about an outage that begins at noon. */
function Preview({ policy, channels }: { policy: AlertPolicy; channels: readonly Channel[] }) {
  const { t } = useTranslation();
  const nameOf = useChannelNames(channels);
  const { moments, goesOn } = timelineOf(policy);
  return (
    <div className="policy-preview">
      <p className="soft small">{t("policies.preview", { time: clock(NOON) })}</p>
      <ol>
        {moments.map(({ minutes, channels: ids }) => (
          <li key={`${minutes} ${ids}`}>
            <span className="figure">{clock(NOON + minutes)}</span>{" "}
            {ids === "reminder" ? t("policies.reminder") : ids.map(nameOf).join(t("policies.sentence.between"))}
          </li>
        ))}
        {goesOn && <li>…</li>}
      </ol>
    </div>
  );
}

/** The steps of the draft, and the button that adds one. */
function Steps(editor: EditorProps) {
  const { t } = useTranslation();
  const { steps } = editor.draft;
  const add = useRef<HTMLButtonElement>(null);
  return (
    <fieldset className="policy-steps" aria-label={t("policies.steps")}>
      <ol>
        {steps.map(({ key }, index) => (
          <StepFields
            key={key}
            index={index}
            {...editor}
            onRemove={() => {
              editor.onChange({ steps: steps.filter((step) => step.key !== key) });
              add.current?.focus();
            }}
          />
        ))}
      </ol>
      <button
        type="button"
        className="plain compact"
        ref={add}
        disabled={steps.length >= POLICY_LIMITS.steps}
        onClick={() => editor.onChange({ steps: [...steps, nextStep(steps)] })}
      >
        <Icon name="plus" />
        {t("policies.addStep")}
      </button>
    </fieldset>
  );
}

type Props = {
  initial: PolicyDraft;
  /** Whether the policy is stored already. */
  stored: boolean;
  channels: readonly Channel[];
  /** Whether a new policy is to be used for all monitors and servers, unless the user chooses otherwise. */
  forAll: boolean;
  onSave: (body: PolicyBody, forAll: boolean) => Promise<void>;
  onClose: () => void;
};

/** The draft, its wrong fields, and what saves it. */
const useEditor = ({ initial, stored, channels, forAll, onSave, onClose }: Props) => {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(initial);
  const [problems, setProblems] = useState<Problems>({});
  const [isForAll, setForAll] = useState(forAll && !stored);
  const [failure, setFailure] = useState<string>();
  const [refusals, setRefusals] = useState(0);
  const [saving, start] = useTransition();
  const known = new Set(channels.map(({ id }) => id));
  useEffect(() => {
    if (refusals > 0 && form.current) focusFirstWrong(form.current);
  }, [refusals]);

  const refuse = (found: Problems) => {
    setProblems(found);
    setRefusals((count) => count + 1);
  };
  const onChange = (change: Partial<PolicyDraft>) => {
    const next = { ...draft, ...change };
    setDraft(next);
    // A field that is right now is shown as such at once; a new error waits for the next attempt to save.
    const still = problemsOf(policyOfDraft(next, known));
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([path]) => still[path])));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const policy = policyOfDraft(draft, known);
    const found = problemsOf(policy);
    setFailure(undefined);
    if (Object.keys(found).length > 0) return refuse(found);
    start(async () => {
      try {
        await onSave(toPolicyBody(policy), isForAll);
        onClose();
      } catch (error) {
        refuse(refusedFields(error));
        setFailure(failureText(t("policies.saveFailed"), error));
      }
    });
  };
  const editor: EditorProps = { draft, channels, problems, onChange };
  return { form, editor, policy: policyOfDraft(draft, known), isForAll, setForAll, failure, saving, onSubmit };
};

/** Creates or edits a policy, as sentences with fields in them. */
export function PolicyDialog(props: Props) {
  const { initial, stored, channels, onClose } = props;
  const { t } = useTranslation();
  const dialog = useModal();
  const id = useId();
  const { form, editor, policy, isForAll, setForAll, failure, saving, onSubmit } = useEditor(props);
  const { draft, problems, onChange } = editor;
  const { onCancel, question } = useDiscardQuestion(() => draft !== initial, saving, onClose);
  const nameProblem = problems.name && t(`policies.problem.${problems.name}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new dialog takes the focus
  useEffect(() => form.current?.querySelector<HTMLElement>("input")?.focus(), []);

  return (
    <dialog
      ref={dialog}
      className="form-dialog policy-dialog"
      aria-labelledby={`${id}-title`}
      onCancel={onCancel}
      onClose={onClose}
    >
      <article>
        <h2 id={`${id}-title`}>{t(stored ? "policies.editTitle" : "policies.add")}</h2>
        <form ref={form} onSubmit={onSubmit} noValidate>
          <Field label={t("policies.name")} error={nameProblem}>
            <input
              name="name"
              required
              maxLength={POLICY_LIMITS.nameLength}
              placeholder={t("policies.namePlaceholder")}
              autoComplete="off"
              value={draft.name}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          </Field>
          <Steps {...editor} />
          <ReminderFields {...editor} />
          <QuietFields {...editor} />
          <GroupFields {...editor} />
          {Object.keys(problemsOf(policy)).length === 0 && <Preview policy={policy} channels={channels} />}
          {!stored && (
            <label className="for-all">
              <input type="checkbox" checked={isForAll} onChange={(event) => setForAll(event.target.checked)} />
              {t("policies.useForAll")}
            </label>
          )}
          <div role="status" aria-live="polite">
            {failure && (
              <p className="message bad">
                <Icon name="alert" />
                <span>{failure}</span>
              </p>
            )}
          </div>
          <div className="actions">
            <button type="button" className="quiet" disabled={saving} onClick={onClose}>
              {t("common.action.cancel")}
            </button>
            <button type="submit" disabled={saving} aria-busy={saving}>
              {t(saving ? "common.action.saving" : "common.action.save")}
            </button>
          </div>
        </form>
      </article>
      {question}
    </dialog>
  );
}
