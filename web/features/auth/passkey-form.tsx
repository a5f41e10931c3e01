import { useTranslation } from "react-i18next";
import { Form } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { useSubmit } from "../../ui/hooks/use-submit";

type Props = { label: string; className?: string; onSubmit: () => Promise<void> };

/** A button that asks the browser for a passkey, and the failure of the last attempt. */
export function PasskeyForm({ label, className, onSubmit }: Props) {
  const { t } = useTranslation();
  const form = useSubmit(t("factors.step.failed"), { plain: true });
  return (
    <Form of={form} onValid={() => form.submit(onSubmit)} guarded={false}>
      {form.error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {form.error}
        </p>
      )}
      <button type="submit" className={className} disabled={form.busy} aria-busy={form.busy}>
        {form.busy ? t("factors.step.busy") : label}
      </button>
    </Form>
  );
}
