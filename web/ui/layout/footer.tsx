import { useTranslation } from "react-i18next";
import { bootstrap } from "../../bootstrap";

const links = ["blog", "video", "tempMail"] as const;

export function Footer() {
  const { t } = useTranslation();
  const shown = links.filter((link) => bootstrap.links[link]);
  return (
    <footer className="footer">
      <div className="footer-row">
        <span>© {new Date().getFullYear()} Wakeful</span>
        {shown.length > 0 && (
          <nav aria-label={t("common.footer.label")}>
            <ul>
              {shown.map((link) => (
                <li key={link}>
                  <a href={bootstrap.links[link]} target="_blank" rel="noreferrer">
                    {t(`common.footer.${link}`)}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
    </footer>
  );
}
