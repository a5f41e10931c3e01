import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { ConfirmDialog } from "../../../ui/feedback/confirm-dialog";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { SettingRow } from "../setting-row";
import { factorsAtom, type Offer, offerTotp, removeTotp, renewCodes } from "./api";
import { Passkeys } from "./passkeys";
import { RecoveryCodes } from "./recovery-codes";
import { SetUpDialog } from "./set-up-dialog";

/** The dialog that is open. */
type Open =
  | { dialog: "set up"; offer: Offer }
  | { dialog: "codes"; codes: readonly string[] }
  | { dialog: "remove" | "renew" };

/** The second factors of the user's sign-ins. */
export default function SecuritySection() {
  const { t } = useTranslation();
  const format = useFormat();
  const failureText = useFailureText();
  const [{ data, error }, refresh] = useAtom(factorsAtom);
  const [open, setOpen] = useState<Open>();
  const [busy, setBusy] = useState(false);
  const close = () => setOpen(undefined);

  /** Makes a call, and says what failed. */
  const attempt = async <T,>(call: () => Promise<T>, next: (result: T) => void) => {
    setBusy(true);
    try {
      next(await call());
    } catch (failure) {
      toast(failureText(t("factors.section.changeFailed"), failure), { tone: "bad" });
    }
    setBusy(false);
    void refresh();
  };
  const showCodes = (codes: readonly string[]) => setOpen(codes.length > 0 ? { dialog: "codes", codes } : undefined);
  const setUp = () => attempt(offerTotp, (offer) => setOpen({ dialog: "set up", offer }));

  if (!data)
    return error ? (
      <Failure title={t("factors.section.loadFailed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["12rem"]} />
    );
  const { totp, passkeys, recovery_codes: left, required } = data;
  const hasFactor = totp !== null || passkeys.length > 0;
  return (
    <section className="card setting-rows">
      <h2>{t("profile.security.title")}</h2>
      {required && !hasFactor ? (
        <p className="message note" role="status">
          <Icon name="lock" />
          {t("factors.section.required")}
        </p>
      ) : (
        <p className="soft">{t("factors.section.text")}</p>
      )}
      <SettingRow
        title={t("factors.totp.title")}
        text={totp ? t("factors.totp.on", { day: format.day(totp.created_at) }) : t("factors.totp.off")}
      >
        <button type="button" className={totp ? "quiet" : ""} disabled={busy} onClick={() => void setUp()}>
          {t(totp ? "factors.totp.replace" : "factors.totp.add")}
        </button>
        {totp && (
          <button type="button" className="quiet" disabled={busy} onClick={() => setOpen({ dialog: "remove" })}>
            {t("factors.totp.remove")}
          </button>
        )}
      </SettingRow>
      <Passkeys
        passkeys={passkeys}
        onChanged={(codes = []) => {
          showCodes(codes);
          void refresh();
        }}
      />
      {hasFactor && (
        <SettingRow title={t("factors.recovery.title")} text={t("factors.recovery.left", { count: left })}>
          <button type="button" className="quiet" disabled={busy} onClick={() => setOpen({ dialog: "renew" })}>
            {t("factors.recovery.renew")}
          </button>
        </SettingRow>
      )}
      {open?.dialog === "set up" && (
        <SetUpDialog
          offer={open.offer}
          onAdded={(codes) => {
            toast(t("factors.totp.added"));
            showCodes(codes);
            void refresh();
          }}
          onClose={close}
        />
      )}
      {open?.dialog === "codes" && <RecoveryCodes codes={open.codes} onClose={close} />}
      {open?.dialog === "remove" && (
        <ConfirmDialog
          title={t("factors.totp.removeTitle")}
          text={t("factors.totp.removeText")}
          confirm={t("factors.totp.remove")}
          busy={t("factors.totp.removing")}
          onConfirm={() => attempt(removeTotp, () => toast(t("factors.totp.removed")))}
          onClose={close}
        />
      )}
      {open?.dialog === "renew" && (
        <ConfirmDialog
          title={t("factors.recovery.renewTitle")}
          text={t("factors.recovery.renewText")}
          confirm={t("factors.recovery.renew")}
          busy={t("factors.recovery.renewing")}
          onConfirm={() => attempt(renewCodes, ({ recovery_codes }) => showCodes(recovery_codes))}
          onClose={() => setOpen((now) => (now?.dialog === "renew" ? undefined : now))}
        />
      )}
    </section>
  );
}
