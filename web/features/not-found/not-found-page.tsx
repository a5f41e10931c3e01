import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import mark from "../../assets/mark.svg";
import { paths } from "../../paths";
import { usePageTitle } from "../../ui/layout/page-title";

export default function NotFoundPage() {
  const { t } = useTranslation();
  usePageTitle(t("common.notFound.title"));
  return (
    <div className="centred">
      <img src={mark} alt="" width="56" height="56" />
      <h1>{t("common.notFound.title")}</h1>
      <p>{t("common.notFound.text")}</p>
      <Link href={paths.home} className="button">
        {t("common.action.backHome")}
      </Link>
    </div>
  );
}
