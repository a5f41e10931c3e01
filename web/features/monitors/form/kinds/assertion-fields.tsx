import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  ASSERTION_LIMITS,
  type Assertion,
  hasPath,
  isNumeric,
  OPERATORS_OF,
  type Operator,
  SUBJECTS,
  type Subject,
} from "../../../../../src/shared/assertions";
import { raw, text } from "../../../../lib/form";
import { Icon } from "../../../../ui/controls/icon";
import { IconButton } from "../../../../ui/controls/icon-button";

/** The keys of the operators' words. */
const WORDS = {
  "=": "is",
  "!=": "isNot",
  "<": "less",
  "<=": "atMost",
  ">": "more",
  ">=": "atLeast",
  contains: "contains",
  lacks: "lacks",
  exists: "exists",
} as const satisfies Record<Operator, string>;

type Row = Assertion & { key: number };

const EMPTY: Record<Subject, Assertion> = {
  body: { on: "body", path: "", op: "contains", value: "", ignore_case: false },
  json: { on: "json", path: "", op: "=", value: "", ignore_case: false },
  header: { on: "header", path: "", op: "contains", value: "", ignore_case: false },
  time: { on: "time", path: "", op: "<", value: "", ignore_case: false },
};

const nameOf = (index: number, part: keyof Assertion) => `assertions.${index}.${part}`;

/** The assertions in a form, in the order of its rows. */
export const toAssertions = (form: FormData): Assertion[] => {
  const assertions: Assertion[] = [];
  for (let index = 0; form.has(nameOf(index, "on")); index++) {
    const on = text(form, nameOf(index, "on")) as Subject;
    assertions.push({
      on,
      path: text(form, nameOf(index, "path")),
      op: on === "time" ? "<" : (text(form, nameOf(index, "op")) as Operator),
      value: raw(form, nameOf(index, "value")),
      ignore_case: form.has(nameOf(index, "ignore_case")),
    });
  }
  return assertions;
};

/** An assertion as a sentence. */
const assertionText = ({ on, path, op, value }: Assertion, t: TFunction): string =>
  t(`kinds.http.assert.shown.${on}`, {
    path,
    value,
    op: t(`kinds.http.assert.op.${WORDS[op]}`),
    context: op === "exists" ? "exists" : undefined,
  });

/** Assertions as sentences. */
export function AssertionList({ assertions }: { assertions: readonly Assertion[] }) {
  const { t } = useTranslation();
  const sentences = assertions.map((assertion) => assertionText(assertion, t));
  return [...new Set(sentences)].map((sentence) => <div key={sentence}>{sentence}</div>);
}

type Part = { index: number; row: Row; onChange: (change: Partial<Row>) => void };

const typed = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/** Labels for screen readers, each with the label of the row. */
const useLabels = (index: number) => {
  const { t } = useTranslation();
  const row = t("kinds.http.assert.row", { row: index + 1 });
  return (value: string) => t("common.labelled", { label: row, value });
};

/** The value, behind its operator. A limit of the response time reads as a sentence of its own. */
function ValueFields({ index, row, onChange }: Part) {
  const { t } = useTranslation();
  const label = useLabels(index);
  const { on, op, value } = row;
  const isTime = on === "time";
  if (op === "exists") return null;
  const isNumber = isTime || isNumeric(op);
  return (
    <>
      <input
        {...typed}
        className="assertion-value"
        name={nameOf(index, "value")}
        type={isNumber ? "number" : "text"}
        required={isTime || isNumber || op === "contains" || op === "lacks"}
        {...(isTime ? { min: 1, max: ASSERTION_LIMITS.time, step: 1 } : isNumber && { step: "any" })}
        maxLength={ASSERTION_LIMITS.value}
        value={value}
        placeholder={t(`kinds.http.assert.example.${isTime ? "time" : isNumber ? "number" : on}`)}
        aria-label={label(t(isTime ? "kinds.http.assert.milliseconds" : "kinds.http.assert.value"))}
        onChange={(event) => onChange({ value: event.target.value })}
      />
      {isTime && <span className="assertion-word">{t("kinds.http.assert.countsAsSlow")}</span>}
    </>
  );
}

function AssertionRow({ index, row, onChange, onRemove, wrong }: Part & { onRemove: () => void; wrong: boolean }) {
  const { t } = useTranslation();
  const label = useLabels(index);
  const { on, op, path } = row;
  const remove = t("kinds.http.assert.remove", { row: index + 1 });
  return (
    <div className="assertion" data-on={on}>
      <div className="assertion-fields">
        <select
          name={nameOf(index, "on")}
          value={on}
          aria-label={label(t("kinds.http.assert.subject"))}
          aria-invalid={wrong ? true : undefined}
          onChange={(event) => onChange(EMPTY[event.target.value as Subject])}
        >
          {SUBJECTS.map((name) => (
            <option key={name} value={name}>
              {t(`kinds.http.assert.on.${name}`)}
            </option>
          ))}
        </select>
        {hasPath(on) && (
          <input
            {...typed}
            className="assertion-path"
            name={nameOf(index, "path")}
            required
            maxLength={ASSERTION_LIMITS.path}
            value={path}
            placeholder={on === "json" ? "data.items[0].status" : "Content-Type"}
            aria-label={label(t(`kinds.http.assert.path.${on === "json" ? "json" : "header"}`))}
            onChange={(event) => onChange({ path: event.target.value })}
          />
        )}
        {on === "time" ? (
          <span className="assertion-word">{t("kinds.http.assert.slowFrom")}</span>
        ) : (
          <select
            name={nameOf(index, "op")}
            value={op}
            aria-label={label(t("kinds.http.assert.operator"))}
            onChange={(event) => onChange({ op: event.target.value as Operator })}
          >
            {OPERATORS_OF[on].map((name) => (
              <option key={name} value={name}>
                {t(`kinds.http.assert.op.${WORDS[name]}`)}
              </option>
            ))}
          </select>
        )}
        <ValueFields index={index} row={row} onChange={onChange} />
        {(op === "contains" || op === "lacks") && (
          <label className="assertion-case small">
            <input
              type="checkbox"
              name={nameOf(index, "ignore_case")}
              checked={row.ignore_case}
              onChange={(event) => onChange({ ignore_case: event.target.checked })}
            />
            {t("kinds.http.assert.ignoreCase")}
          </label>
        )}
      </div>
      <IconButton icon="cross" label={remove} className="quiet icon-only" onClick={onRemove} />
    </div>
  );
}

/** Conditions on the answer besides its status: one sentence for each assertion. */
export function AssertionFields({ stored, error }: { stored: readonly Assertion[]; error?: string }) {
  const { t } = useTranslation();
  const [rows, setRows] = useState<Row[]>(() => stored.map((assertion, key) => ({ ...assertion, key })));
  const change = (key: number, part: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part, key } : row)));
  const add = () => setRows([...rows, { ...EMPTY.body, key: Math.max(-1, ...rows.map(({ key }) => key)) + 1 }]);

  return (
    <fieldset className="field" data-field="assertions">
      <legend>{t("kinds.http.assert.legend")}</legend>
      <div className="assertions">
        {rows.map((row, index) => (
          <AssertionRow
            key={row.key}
            index={index}
            row={row}
            wrong={error !== undefined && index === 0}
            onChange={(part) => change(row.key, part)}
            onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
      </div>
      {rows.length < ASSERTION_LIMITS.count && (
        <div>
          <button type="button" className="quiet compact" onClick={add}>
            <Icon name="plus" />
            {t("kinds.http.assert.add")}
          </button>
        </div>
      )}
      <span className="hint">{t("kinds.http.assert.hint")}</span>
      {error && (
        <span className="wrong" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}
