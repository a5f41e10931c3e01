import { useTranslation } from "react-i18next";
import type { ChannelType } from "../../../../src/shared/alerts";
import { Field } from "../../../ui/controls/field";
import { type ChannelConfig, type ConfigField, configFields, isSecret } from "./channel-body";

const examples: Partial<Record<ConfigField, string>> = {
  botToken: "123456789:AAE…",
  chatId: "-1001234567890",
  apiKey: "re_…",
  from: "Wakeful <alerts@example.com>",
  to: "alice@example.com, bob@example.com",
};

type Props = {
  type: ChannelType;
  /** What is stored, secrets masked. */
  config?: ChannelConfig;
  wrong: (field: ConfigField) => string | undefined;
};

/** What one kind of channel asks for. A masked secret is selected on focus, so that typing replaces all of it. */
export function ConfigFields({ type, config, wrong }: Props) {
  const { t } = useTranslation();
  return configFields[type].map((field) => {
    const kept = isSecret(field) && config?.[field];
    const hint = kept ? t("notifications.form.kept") : t(`notifications.form.${field}Hint`);
    return (
      <Field key={field} label={t(`notifications.form.${field}`)} hint={hint} error={wrong(field)}>
        <input
          name={field}
          required
          maxLength={2000}
          defaultValue={config?.[field]}
          placeholder={examples[field]}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onFocus={(event) => kept && event.target.select()}
        />
      </Field>
    );
  });
}
