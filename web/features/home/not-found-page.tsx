import { useAtomValue } from "jotai";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import mark from "../../assets/mark.svg";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { usePageTitle } from "../../ui/layout/page-title";

/** Loads a status page, which is another document, after a sign-in that leads to it. */
const useStatusPage = (): boolean => {
  const isStatusPage = /\/status(\/(?!config\b)[^/]+)?\/?$/.test(location.pathname);
  const [document] = performance.getEntriesByType("navigation");
  // The document of this address itself would be loaded for ever.
  const isOther = document !== undefined && URL.parse(document.name)?.pathname !== location.pathname;
  useEffect(() => {
    if (isStatusPage && isOther) location.reload();
  }, [isStatusPage, isOther]);
  return isStatusPage && isOther;
};

/** The page of an address that no screen has. */
export function NotFoundPage() {
  const { t } = useTranslation();
  const signedIn = useAtomValue(sessionAtom).status === "authenticated";
  usePageTitle(t("common.notFound.title"));
  if (useStatusPage()) return null;
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
