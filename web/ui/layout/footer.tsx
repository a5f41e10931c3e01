import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { bootstrap, type Settings } from "../../bootstrap";
import { nowAtom } from "../../lib/now";

const names = ["blog", "video", "tempMail"] as const;

/** The foot of each page: the copyright and the external links that are set. */
export function Footer({ links = bootstrap.links }: Partial<Pick<Settings, "links">>) {
  const { t } = useTranslation();
  const now = useAtomValue(nowAtom);
  const linkNames = names.filter((name) => links[name]);
  return (
    <footer className="footer">
      <div className="footer-row">
        <span>© {new Date(now).getUTCFullYear()} Wakeful</span>
        {linkNames.length > 0 && (
          <nav aria-label={t("common.footer.label")}>
            <ul>
              {linkNames.map((name) => (
                <li key={name}>
                  <a href={links[name]} target="_blank" rel="noreferrer">
                    {t(`common.footer.${name}`)}
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
