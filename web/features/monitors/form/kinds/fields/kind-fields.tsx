import type { TFunction } from "i18next";
import { type ComponentType, type ReactElement, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  Config,
  FieldOf,
  KindDescription,
  KindField,
  Rows,
} from "../../../../../../src/shared/monitor-kinds/field";
import { Field, PasswordInput } from "../../../../../ui/controls/field";
import type { FieldsProps } from "../kind";
import { TargetField } from "./target-field";

/** The text of a key that a field names. */
export const word = (t: TFunction, key: string, values: Record<string, unknown> = {}): string =>
  t(key as "kinds.preset", values);

/** The name of a field's input; a field `name` needs another name than the monitor's. */
export const inputName = (field: string): string => (field === "name" ? "config_name" : field);

export const labelOf = ({ label }: KindField, config: Config, t: TFunction): string =>
  word(t, typeof label === "string" ? label : label(config));

const optionsOf = ({ choices, nullable }: FieldOf<"choice">): readonly string[] =>
  nullable ? ["", ...choices] : choices;

/** The text of a choice; of none, where it is empty. */
export const choiceText = ({ none, words, names }: FieldOf<"choice">, choice: string, t: TFunction): string => {
  if (choice === "" && none) return word(t, none);
  return words ? word(t, `${words}.${choice}`) : (names?.[choice] ?? choice);
};

/** A configuration with the current choices. A choice that is no longer offered becomes the first one. */
const withChoices = (
  fields: readonly KindField[],
  stored: Config | undefined,
  picked: Config,
  preset: string,
): Config => {
  const config: Config = { ...stored, ...picked };
  const choices = fields.filter((field) => field.type === "choice");
  for (const field of choices) {
    const first = optionsOf(field)[0];
    config[field.name] = field.isPreset && !stored ? preset : (picked[field.name] ?? stored?.[field.name] ?? first);
  }
  for (const { name, offered } of choices) {
    const offers = offered?.(config);
    if (offers && !offers.includes(String(config[name]))) config[name] = offers[0];
  }
  return config;
};

/** The props of a field's control. */
export type ControlProps<F extends KindField = KindField> = Pick<FieldsProps, "wrong"> & {
  field: F;
  /** The stored fields, with the choices in the form. */
  config: Config;
  /** The stored fields; undefined for a new monitor. */
  stored: Config | undefined;
  pick: (value: string) => void;
};

const typed = { type: "text", autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

type NumberProps = Omit<ControlProps<FieldOf<"number">>, "wrong" | "pick" | "stored"> & {
  value: unknown;
  required: boolean;
};

/** A number. A new choice replaces the previous one's default. */
function NumberInput({ field, config, value, ...about }: NumberProps) {
  const { usual, min, max, name, placeholder } = field;
  const input = useRef<HTMLInputElement>(null);
  const filled = usual?.of(config);
  const [initial] = useState(value ?? filled);
  const before = useRef(filled);
  useEffect(() => {
    const { current } = input;
    const isUsual = current && (current.value === "" || usual?.all.includes(Number(current.value)));
    if (before.current !== filled && isUsual) current.value = String(filled ?? "");
    before.current = filled;
  }, [filled, usual]);
  return (
    <input
      {...about}
      ref={input}
      name={name}
      type="number"
      min={min}
      max={max}
      step={1}
      defaultValue={initial as number | undefined}
      placeholder={placeholder as string | undefined}
    />
  );
}

const inputOf = (props: ControlProps, t: TFunction): ReactElement<{ required?: boolean }> => {
  const { field, config, stored, pick } = props;
  const { name, placeholder } = field;
  const value = stored ? stored[name] : field.default;
  const attributes = {
    name: inputName(name),
    defaultValue: (value as string | null | undefined) ?? (field.required ? undefined : ""),
    placeholder: typeof placeholder === "function" ? placeholder(config) : placeholder,
  };
  switch (field.type) {
    case "number":
      return <NumberInput field={field} config={config} value={value} required={!field.nullable} />;
    case "choice": {
      const choose = (event: { currentTarget: HTMLSelectElement }) => pick(event.currentTarget.value);
      return (
        // The form may render at the input event, before the change event, which would restore the previous choice.
        <select name={name} value={String(config[name])} onInput={choose} onChange={choose}>
          {(field.offered?.(config) ?? optionsOf(field)).map((choice) => (
            <option key={choice} value={choice}>
              {choiceText(field, choice, t)}
            </option>
          ))}
        </select>
      );
    }
    case "days":
      return (
        <input
          {...attributes}
          type="text"
          inputMode="numeric"
          maxLength={100}
          defaultValue={(value as readonly number[]).join(", ")}
          placeholder={t("kinds.certificate.never")}
          autoComplete="off"
        />
      );
    case "password":
      return <PasswordInput {...attributes} maxLength={field.maxLength} autoComplete="new-password" />;
    case "bytes":
      return field.rows ? (
        <textarea {...attributes} rows={field.rows} spellCheck={false} />
      ) : (
        <input {...typed} {...attributes} />
      );
    case "text":
      return (
        <input
          {...typed}
          {...attributes}
          required={field.required}
          maxLength={field.maxLength}
          inputMode={field.inputMode}
        />
      );
    default:
      throw new Error(`the field ${name} needs a component`);
  }
};

const OPTIONAL = ["text", "password", "bytes"];

function Switch({ field, stored, label }: ControlProps & { label: string }) {
  const { t } = useTranslation();
  const { name, hint } = field;
  return (
    <div className="field">
      <label className="check">
        <input type="checkbox" name={name} defaultChecked={(stored ? stored[name] : field.default) === true} />
        {label}
      </label>
      {typeof hint === "string" && <span className="hint">{word(t, hint)}</span>}
    </div>
  );
}

function Control(props: ControlProps) {
  const { t } = useTranslation();
  const { field, config, stored, wrong } = props;
  const { name, type, required, hint } = field;
  if (type === "choice" && field.isPreset && !stored)
    return <input type="hidden" name={name} value={String(config[name])} />;
  const label = labelOf(field, config, t);
  const limit = type === "bytes" ? field.most : undefined;
  const error = wrong(inputName(name)) && field.wrong ? word(t, field.wrong, { limit }) : wrong(inputName(name));
  if (type === "host" || type === "address")
    return (
      <TargetField
        field={field}
        label={label}
        placeholder={field.placeholder as string | undefined}
        stored={stored?.[name] as string | undefined}
        error={error}
      />
    );
  if (type === "switch") return <Switch {...props} label={label} />;
  const hintText = typeof hint === "function" ? hint(config, !stored) : hint;
  return (
    <Field
      label={label}
      hint={hintText && word(t, hintText)}
      optional={OPTIONAL.includes(type) && !required}
      error={error}
    >
      {inputOf(props, t)}
    </Field>
  );
}

type Props = FieldsProps & {
  kind: Pick<KindDescription, "fields">;
  stored: Config | undefined;
  /** The names of the fields; a nested list is one row. */
  rows: Rows;
  /** The components of custom fields. */
  controls: Readonly<Record<string, ComponentType<ControlProps>>>;
};

/** Fields of a kind in the form. */
export function KindFields({ kind: { fields }, stored, rows, controls, wrong, preset = "" }: Props) {
  const [picked, setPicked] = useState<Config>({});
  const config = withChoices(fields, stored, picked, preset);
  const draw = (name: string) => {
    const field = fields.find((one) => one.name === name);
    if (!field || field.when?.(config) === false) return null;
    const Custom = controls[name] ?? Control;
    const pick = (value: string) => setPicked((before) => ({ ...before, [name]: value }));
    return <Custom key={name} field={field} config={config} stored={stored} wrong={wrong} pick={pick} />;
  };
  return rows.map((row) =>
    typeof row === "string" ? (
      draw(row)
    ) : (
      <div key={row.join()} className={row.includes("port") ? "host-port" : "pair"}>
        {row.map(draw)}
      </div>
    ),
  );
}
