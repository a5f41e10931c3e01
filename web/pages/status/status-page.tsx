import { Provider, useAtom, type WritableAtom } from "jotai";
import { type ComponentProps, Suspense, useEffect, useMemo, useRef } from "react";
import { I18nextProvider, useTranslation } from "react-i18next";
import { Router } from "wouter";
import type { StatusData } from "../../../src/modules/status-page/publish";
import { pageState } from "../../../src/shared/status/page-state";
import type { Settings } from "../../bootstrap";
import { toHubTime } from "../../lib/now";
import type { Resource } from "../../lib/resource";
import { Stale } from "../../ui/feedback/stale";
import { Footer } from "../../ui/layout/footer";
import { Navbar } from "../../ui/layout/navbar";
import { SkipLink } from "../../ui/layout/skip-link";
import { withComponents } from "./components";
import { hasExtras } from "./incidents/load";
import { incidentSections as lazy } from "./incidents/registry";
import type { PageData, Section } from "./section";
import { bannerSection } from "./sections/banner";
import { itemsSection } from "./sections/items";
import { outagesSection } from "./sections/outages";

/**
 * The sections of the page, from top to bottom; open incidents are after the first, maintenance and past incidents before the
 * last. A new section is one file, a line here and one on the hub.
 */
export const sections: readonly Section[] = [bannerSection, itemsSection, outagesSection];

type Props = {
  /** The page's data, null where there is no page; written, it is read again. */
  source: WritableAtom<Resource<PageData | null>, [], unknown>;
  /** The base path of the product, without a trailing slash. */
  base: string;
  /** The page's own path within it, as in `/status/alice`; empty at an own domain. */
  path: string;
  links: Settings["links"];
  parts?: readonly Section[];
  /** Whether the page is shown as visitors see it, although its reader is signed in. */
  forGuest?: boolean;
};

function Hero({ page: { title, description, logoUrl } }: { page: StatusData }) {
  const { t } = useTranslation();
  return (
    <div className="hero">
      {logoUrl && <img className="logo" src={logoUrl} alt="" referrerPolicy="no-referrer" />}
      <h1>{title || t("statusPage.title")}</h1>
      {description && <p className="about">{description}</p>}
    </div>
  );
}

/** In place of a page that does not exist, or that its owner has not saved yet. */
function Missing({ unpublished }: { unpublished: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="hero">
      <h1>{t("statusPage.missing")}</h1>
      <p className="about">{t(unpublished ? "statusPage.unpublished" : "statusPage.missingText")}</p>
    </div>
  );
}

/** The address of a page's feed in a language, relative to the base address of the document. */
const feedOf = (path: string, language: string): string =>
  `.${path.replace(/\/(history|incidents\/\w+)$/, "")}/feed.xml?lang=${language}`;

function StatusPage({ source, base, path, links, parts = sections, forGuest }: Props) {
  const { t, i18n } = useTranslation();
  const main = useRef<HTMLElement>(null);
  const [{ data, loadedAt = 0, error }, refresh] = useAtom(source);
  const page = useMemo(() => (data?.published ? withComponents(data) : null), [data]);
  const part = page && lazy.titleOf?.(page, t);
  const title = page
    ? `${part || page.title || t("statusPage.title")} · ${part ? page.title : t(`statusPage.${pageState(page)}`)}`
    : t("statusPage.missing");
  useEffect(() => {
    document.title = title;
  }, [title]);
  // The console is another document: its links load it.
  const useDocumentLocation = useMemo(
    () => (): [string, (to: string) => void] => [`${base}${path}`, (to) => location.assign(to)],
    [base, path],
  );

  return (
    <Router base={base} hook={useDocumentLocation}>
      {page && <SkipLink main={main} />}
      <Navbar themed={false} forGuest={forGuest} bare={!path.startsWith("/status")} />
      <main className="page" id="main" tabIndex={-1} ref={main}>
        {page ? (
          <>
            <Hero page={page} />
            <Stale error={error} onRetry={() => void refresh()} />
            {/* The browser hydrates a boundary in short tasks, and handles input between them. */}
            {(part
              ? lazy.single
              : hasExtras(page)
                ? [...parts.slice(0, 1), ...lazy.open, ...parts.slice(1, -1), ...lazy.past, ...parts.slice(-1)]
                : parts
            ).map(({ key, draw: Draw }) => (
              <Suspense key={key}>
                <Draw page={page} readAt={toHubTime(loadedAt)} feed={feedOf(path, i18n.language)} path={path} />
              </Suspense>
            ))}
          </>
        ) : (
          <Missing unpublished={data?.published === false} />
        )}
      </main>
      <Footer links={links} />
    </Router>
  );
}

type AppProps = Props &
  Pick<ComponentProps<typeof Provider>, "store"> &
  Pick<ComponentProps<typeof I18nextProvider>, "i18n">;

/** The whole page with its state and its words: the same tree on the hub and in the browser. */
export const StatusApp = ({ store, i18n, ...props }: AppProps) => (
  <Provider store={store}>
    <I18nextProvider i18n={i18n}>
      <StatusPage {...props} />
    </I18nextProvider>
  </Provider>
);
