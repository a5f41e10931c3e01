import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "../../../ui/controls/field";

/** The request's body. It is kept while the method sends none, for when the method is changed back. */
export function BodyField({ body, sent, error }: { body: string; sent: boolean; error?: string }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(body);

  if (!sent && !error) return <input type="hidden" name="body" value={typed} />;
  return (
    <Field label={t("monitors.form.body")} hint={t("monitors.form.bodyHint")} error={error}>
      <textarea
        name="body"
        rows={5}
        value={typed}
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Field>
  );
}
