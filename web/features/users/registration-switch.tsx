import { useAtom } from "jotai";
import { useOptimistic, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Switch } from "../../ui/controls/switch";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { setRegistration } from "./calls";
import { registrationAtom } from "./users-state";

/** The switch that opens and closes registration. Renders nothing until the current setting is loaded. */
export function RegistrationSwitch() {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [{ data }, refresh] = useAtom(registrationAtom);
  const [open, setOpen] = useOptimistic(data?.open);
  const [, start] = useTransition();
  if (open === undefined) return null;

  const change = (next: boolean) =>
    start(async () => {
      setOpen(next);
      try {
        await setRegistration(next);
      } catch (error) {
        toast(failureText(t("users.registration.failed"), error), { tone: "bad" });
      }
      await refresh();
    });

  return (
    <section className="card registration">
      <Switch label={t("users.registration.label")} checked={open} disabled={data?.fixed} onChange={change} />
      <p className="soft small">{t(`users.registration.${data?.fixed ? "fixed" : open ? "open" : "closed"}`)}</p>
    </section>
  );
}
