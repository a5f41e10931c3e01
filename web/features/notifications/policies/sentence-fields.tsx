import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Channel } from "../api";
import type { PolicyDraft, Problems } from "./policy";

/** The draft in the editor with its wrong fields, and the callback that edits it. */
export type EditorProps = {
  draft: PolicyDraft;
  channels: readonly Channel[];
  problems: Problems;
  onChange: (change: Partial<PolicyDraft>) => void;
};

/** The attributes of a control that is wrong for the reason with this id. */
export const invalid = (isWrong: boolean, id: string) => ({
  "aria-invalid": isWrong || undefined,
  "aria-describedby": isWrong ? id : undefined,
});

/** One sentence of the editor, with the problems of the fields in it below. */
export function Line({
  problems,
  fields,
  id,
  children,
}: {
  problems: Problems;
  fields: string[];
  id: string;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const wrong = [...new Set(fields.flatMap((field) => problems[field] ?? []))];
  return (
    <>
      <div className="sentence">{children}</div>
      {wrong.length > 0 && (
        <div className="wrong" id={id} role="alert">
          {wrong.map((problem) => (
            <p key={problem}>{t(`policies.problem.${problem}`)}</p>
          ))}
        </div>
      )}
    </>
  );
}

type NumberProps = {
  label: string;
  value: number;
  max: number;
  wrong: boolean;
  about: string;
  onChange: (value: number) => void;
};

/** A whole number within a sentence. Text that is not a number stays in the field and counts as wrong. */
export function NumberInput({ label, value, max, wrong, about, onChange }: NumberProps) {
  return (
    <input
      type="number"
      inputMode="numeric"
      min={0}
      max={max}
      step={1}
      aria-label={label}
      value={Number.isNaN(value) ? "" : value}
      onChange={(event) => onChange(event.target.valueAsNumber)}
      {...invalid(wrong, about)}
    />
  );
}
