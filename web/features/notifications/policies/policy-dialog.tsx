import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AlertPolicy, POLICY_LIMITS } from "../../../../src/shared/alert-policy";
import { CallError } from "../../../api";
import { browserTimeZone } from "../../../lib/format";
import { Field } from "../../../ui/controls/field";
import { Icon } from "../../../ui/controls/icon";
import { FormDialog } from "../../../ui/feedback/form-dialog";
import { useSubmit } from "../../../ui/hooks/use-submit";
import type { Channel } from "../api";
import { Conflict, storedSince } from "../conflict";
import { GroupFields, QuietFields, ReminderFields } from "./editor-fields";
import {
  draftOf,
  HUB_PROBLEMS,
  nextStep,
  type Policy,
  type PolicyBody,
  type PolicyDraft,
  type Problems,
  policyOfDraft,
  problemsOf,
  timelineOf,
  toPolicy,
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
          const problemCode = HUB_PROBLEMS.find((problem) => problem === code);
          return problemCode ? [[path, problemCode]] : [];
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
  /** The policy as it is stored; undefined for a new one. */
  stored: Policy | undefined;
  channels: readonly Channel[];
  /** Whether a new policy is to be used for all monitors and servers, unless the user chooses otherwise. */
  forAll: boolean;
  onSave: (body: PolicyBody & { version: string | undefined }, forAll: boolean) => Promise<void>;
  onClose: () => void;
};

/** The draft, its wrong fields, and what saves it. */
const useEditor = ({ initial, stored, channels, forAll, onSave, onClose }: Props) => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(initial);
  const [problems, setProblems] = useState<Problems>({});
  const [isForAll, setForAll] = useState(forAll && !stored);
  const [version, setVersion] = useState(stored?.version);
  /** The draft that was refused because others have stored another policy, which is in the form now. */
  const [mine, setMine] = useState<PolicyDraft>();
  const onRefused = (error: unknown) => {
    setProblems(refusedFields(error));
    const since = storedSince(error);
    if (!since) return;
    const policy = toPolicy(since as Parameters<typeof toPolicy>[0]);
    setMine(draft);
    setDraft(draftOf(policy, browserTimeZone()));
    setVersion(policy.version);
  };
  const form = useSubmit(t("policies.saveFailed"), { onRefused });
  const channelIds = new Set(channels.map(({ id }) => id));

  const onChange = (change: Partial<PolicyDraft>) => {
    const next = { ...draft, ...change };
    setDraft(next);
    // A field that is right now is shown as such at once; a new error waits for the next attempt to save.
    const still = problemsOf(policyOfDraft(next, channelIds));
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([path]) => still[path])));
  };
  const policy = policyOfDraft(draft, channelIds);
  const onSubmit = () => {
    const errors = problemsOf(policy);
    setProblems(errors);
    if (Object.keys(errors).length > 0) form.refuse({});
    else form.submit(() => onSave({ ...toPolicyBody(policy), version }, isForAll), onClose);
  };
  const editor: EditorProps = { draft, channels, problems, onChange };
  const takeMine =
    mine &&
    (() => {
      setDraft(mine);
      setMine(undefined);
    });
  return { form, editor, policy, isForAll, setForAll, onSubmit, takeMine };
};

/** Creates or edits a policy, as sentences with fields in them. */
export function PolicyDialog(props: Props) {
  const { initial, stored, channels, onClose } = props;
  const { t } = useTranslation();
  const { form, editor, policy, isForAll, setForAll, onSubmit, takeMine } = useEditor(props);
  const { draft, problems, onChange } = editor;
  const nameProblem = problems.name && t(`policies.problem.${problems.name}`);

  return (
    <FormDialog
      title={t(stored ? "policies.editTitle" : "policies.add")}
      of={form}
      className="policy-dialog"
      focus="input"
      isDirty={() => draft !== initial}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {takeMine && <Conflict onMine={takeMine} />}
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
    </FormDialog>
  );
}
