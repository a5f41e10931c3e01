import { useTranslation } from "react-i18next";
import type { ChannelConfig, ChannelField, ChannelForm } from "../../../../src/shared/channel-fields";
import { Field } from "../../../ui/controls/field";
import { useChannelWords } from "../use-channel-words";
import { inputName } from "./channel-form";

type Props = {
  form: ChannelForm;
  /** The stored configuration, with its secrets masked. */
  config?: ChannelConfig;
  errorOf: (field: ChannelField) => string | undefined;
};

/** The fields of one kind of channel. A masked secret is selected on focus, so that typing replaces all of it. */
export function ConfigFields({ form: { kind, fields }, config, errorOf }: Props) {
  const { t } = useTranslation();
  const words = useChannelWords();
  return fields.map((field) => {
    const { name, type, required = false, secret, example } = field;
    const isKept = Boolean(secret && config?.[name]);
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
        label={words.label(kind, field)}
        hint={isKept ? t("notifications.form.kept") : words.hint(kind, field)}
        error={errorOf(field)}
        optional={!required}
      >
        {type === "headers" ? (
          <textarea rows={2} {...attributes} />
        ) : (
          <input
            inputMode={type === "url" ? "url" : undefined}
            onFocus={(event) => isKept && event.target.select()}
            {...attributes}
          />
        )}
      </Field>
    );
  });
}
