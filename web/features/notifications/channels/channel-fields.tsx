import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type ChannelConfig,
  type ChannelField,
  type ChannelForm,
  configProblems,
} from "../../../../src/shared/channel-fields";
import type { Language } from "../../../../src/shared/language";
import { CallError } from "../../../api";
import { text } from "../../../lib/form";
import { Field } from "../../../ui/controls/field";
import { Icon } from "../../../ui/controls/icon";
import { problemOfCode, useChannelLabels } from "../labels";

/** The name and the configuration in a form. Inputs have a prefix, because a field of a kind may be called `name`. */
export const readForm = (form: FormData, { fields }: ChannelForm): { name: string; config: ChannelConfig } => ({
  name: text(form, "name"),
  config: Object.fromEntries(
    fields.flatMap(({ name, required }) => {
      const value = text(form, inputName(name)).replaceAll("\r\n", "\n");
      return value === "" && !required ? [] : [[name, value]];
    }),
  ),
});

export const inputName = (field: string) => `config.${field}`;

/** The error of each input of a channel's form, by the rules that the hub applies too. */
export const useChannelErrors = (form: ChannelForm | undefined) => {
  const { t } = useTranslation();
  const labels = useChannelLabels();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const fields = form?.fields ?? [];
  const kind = form?.kind ?? "";

  return {
    of: (input: string): string | undefined => errors[input],

    /** Validates a configuration, and a name unless it is undefined. `shown` is the stored one with masked secrets. Returns the invalid inputs. */
    check: (config: ChannelConfig, shown: ChannelConfig, name: string | undefined): string[] => {
      const problems = configProblems(fields, config, shown);
      const messages = fields.flatMap((field) => {
        const problem = problems[field.name];
        return problem ? [[inputName(field.name), labels.problem(kind, field, problem, config)]] : [];
      });
      const all = Object.fromEntries([...(name === "" ? [["name", t("errors.code.name_required")]] : []), ...messages]);
      setErrors(all);
      return Object.keys(all);
    },

    drop: (input: string) => setErrors(({ [input]: _, ...others }) => others),

    /** Shows the fields that the hub refused. */
    setRefused: (error: unknown) => {
      const refused = error instanceof CallError ? error.fields : [];
      const entries = refused.map(({ path, message, code }) => {
        const field = fields.find(({ name }) => name === path);
        const problem = field && problemOfCode(field, code);
        const text = field && problem ? labels.problem(kind, field, problem) : message.replace(/^[\w.]+: /, "");
        return [field ? inputName(field.name) : path, code === "name_required" ? t("errors.code.name_required") : text];
      });
      setErrors(Object.fromEntries(entries));
    },
  };
};

/** The kinds that are used the most in a language, in order. The others follow as the hub lists them. */
const FIRST_KINDS: Record<Language, readonly string[]> = {
  "zh-CN": ["dingtalk", "wecom", "feishu", "serverchan", "bark", "pushplus", "smtp"],
  "en-US": ["telegram", "smtp", "slack", "discord", "teams", "ntfy", "webhook"],
};

/** The kinds of channels, those first that are used the most in a language. */
export const sortKinds = (forms: readonly ChannelForm[], language: Language): ChannelForm[] => {
  const placeOf = ({ kind }: ChannelForm) => {
    const place = FIRST_KINDS[language].indexOf(kind);
    return place < 0 ? FIRST_KINDS[language].length : place;
  };
  return forms.toSorted((one, other) => placeOf(one) - placeOf(other));
};

/** From this number on, kinds can be searched. */
const MANY_KINDS = 8;

type TypeProps = { forms: readonly ChannelForm[]; chosen: string; onChoose: (kind: string) => void };

/** The choice of a channel kind: a grid, which can be searched by name. */
export function TypeChoice({ forms, chosen, onChoose }: TypeProps) {
  const { t } = useTranslation();
  const labels = useChannelLabels();
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = forms.filter(({ kind }) => `${kind} ${labels.kind(kind)}`.toLowerCase().includes(wanted));
  return (
    <fieldset className="field">
      <legend>{t("notifications.form.type")}</legend>
      {forms.length >= MANY_KINDS && (
        <input
          type="search"
          value={search}
          placeholder={t("alerts.kinds.search")}
          aria-label={t("alerts.kinds.search")}
          onChange={(event) => setSearch(event.target.value)}
          // It would save the channel.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      )}
      <div className="type-choice">
        {found.map(({ kind, icon }) => (
          <label key={kind}>
            <input type="radio" name="type" value={kind} checked={kind === chosen} onChange={() => onChoose(kind)} />
            <Icon path={icon} />
            <span className="truncate">{labels.kind(kind)}</span>
          </label>
        ))}
      </div>
      {found.length === 0 && <p className="soft small">{t("alerts.kinds.none")}</p>}
    </fieldset>
  );
}

type Props = {
  form: ChannelForm;
  /** The stored configuration, with its secrets masked. */
  config?: ChannelConfig;
  errorOf: (field: ChannelField) => string | undefined;
};

/** The fields of one channel kind. A masked secret is selected on focus, so that typing replaces it as a whole. */
export function ConfigFields({ form: { kind, fields }, config, errorOf }: Props) {
  const { t } = useTranslation();
  const labels = useChannelLabels();
  return fields.map((field) => {
    const { name, type, required = false, secret, example, choices, initial } = field;
    const isStored = Boolean(secret && config?.[name]);
    const attributes = {
      name: inputName(name),
      required,
      defaultValue: config?.[name],
      placeholder: example,
      autoComplete: "off",
      autoCapitalize: "none",
      spellCheck: false,
    };
    return (
      <Field
        key={`${kind} ${name}`}
        label={labels.label(kind, field)}
        hint={isStored ? t("notifications.form.kept") : labels.hint(kind, field)}
        error={errorOf(field)}
        optional={!required && initial === undefined}
      >
        {choices ? (
          <select
            name={inputName(name)}
            required={required}
            defaultValue={config?.[name] ?? initial ?? (required ? choices[0] : "")}
          >
            {!required && initial === undefined && <option value="">–</option>}
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {labels.choice(kind, field, choice)}
              </option>
            ))}
          </select>
        ) : type === "template" ? (
          <textarea rows={4} {...attributes} />
        ) : type === "headers" ? (
          <textarea rows={2} {...attributes} />
        ) : (
          <input
            inputMode={type === "url" ? "url" : undefined}
            onFocus={(event) => isStored && event.target.select()}
            {...attributes}
          />
        )}
      </Field>
    );
  });
}
