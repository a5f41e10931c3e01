import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import mark from "../../assets/mark.svg";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { usePageTitle } from "../../ui/layout/page-title";

/** The page of an address that no screen has. */
export function NotFoundPage() {
  const { t } = useTranslation();
  const signedIn = useAtomValue(sessionAtom).status === "authenticated";
  usePageTitle(t("common.notFound.title"));
  return (
    <div className="centred">
      <img src={mark} alt="" width="56" height="56" />
      <h1>{t("common.notFound.title")}</h1>
      <p>{t("common.notFound.text")}</p>
      <div className="actions">
        {signedIn && (
          <Link href={paths.dashboard} className="button">
            {t("common.action.toDashboard")}
          </Link>
        )}
        <Link href={paths.home} className={signedIn ? "button plain" : "button"}>
          {t("common.action.backHome")}
        </Link>
      </div>
    </div>
  );
}
