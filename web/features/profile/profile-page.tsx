import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { AlertsSection } from "./alerts-section";
import { BasicsForm } from "./basics-form";
import { DataSection } from "./data/data-section";
import { KeysSection } from "./keys/keys-section";
import { PasswordForm } from "./password-form";
import { meAtom } from "./profile-state";
import { QuotasSection } from "./quotas-section";
import { SessionsSection } from "./sessions-section";

export default function ProfilePage() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(meAtom);

  return (
    <div className="narrow">
      <div className="page-head">
        <h1>{t("profile.title")}</h1>
      </div>
      {data ? (
        <div className="sheet">
          <BasicsForm user={data.user} onSaved={() => void refresh()} />
          <PasswordForm username={data.user.username} />
          <SessionsSection />
          <KeysSection />
          <AlertsSection language={data.language} onSaved={() => refresh()} />
          <QuotasSection />
          <DataSection />
        </div>
      ) : error ? (
        <Failure title={t("profile.loadFailed")} error={error} onRetry={() => void refresh()} />
      ) : (
        <Skeleton className="sheet" heights={["18rem", "22rem", "14rem", "12rem"]} />
      )}
    </div>
  );
}
