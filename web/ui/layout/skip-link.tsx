import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useRouter } from "wouter";

/** Moves the focus past the navigation bar to the page's main element. */
export function SkipLink({ main }: { main: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation();
  const { base } = useRouter();
  const [location] = useLocation();
  return (
    <a
      className="skip-link"
      href={`${base}${location}#main`}
      onClick={(event) => {
        // The browser would load the page again, without its query.
        event.preventDefault();
        main.current?.focus();
      }}
    >
      {t("common.skip")}
    </a>
  );
}
