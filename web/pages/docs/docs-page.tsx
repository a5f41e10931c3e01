import { useEffect, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Icon } from "../../ui/controls/icon";
import { Search } from "../../ui/controls/search";
import { Skeleton } from "../../ui/feedback/skeleton";
import { PageFrame } from "../shared/page-frame";
import { CallCard } from "./call-card";
import { type Call, callsOf, type Document, originOf, textOf } from "./document";
import { Prose, useDocumentText } from "./text";

type ContentsProps = {
  tags: Document["tags"];
  matching: readonly Call[];
  search: string;
  onSearch: (search: string) => void;
};

/** The search, and links to the calls that match it. */
function Contents({ tags, matching, search, onSearch }: ContentsProps) {
  const { t } = useTranslation();
  const documentText = useDocumentText();
  const count = matching.length;
  return (
    <nav className="contents" aria-label={t("docs.contents")}>
      <Search label={t("docs.search")} value={search} onChange={onSearch} />
      <p className="visually-hidden" role="status">
        {search && (count === 0 ? t("docs.nothing") : t("docs.found", { count }))}
      </p>
      <div className="groups">
        {tags.map(({ name }) => {
          const calls = matching.filter((call) => call.tags.includes(name));
          if (calls.length === 0) return null;
          return (
            <section key={name}>
              <h2>{documentText("tags", name, name)}</h2>
              <ul>
                {calls.map(({ operationId, method, summary }) => (
                  <li key={operationId}>
                    {/* The document has a base element: a hash alone would name another page. */}
                    <a href={`${location.pathname}#${operationId}`}>
                      <span className={`method ${method.toLowerCase()}`}>{method}</span>
                      <span lang="en">{summary}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </nav>
  );
}

function Introduction({ info, components }: Document) {
  const { t } = useTranslation();
  const documentText = useDocumentText();
  return (
    <header className="intro">
      <h1>
        {t("docs.title")} <span className="version">v{info.version}</span>
      </h1>
      <p className="about">{t("docs.about")}</p>
      <a className="button plain" href="./api/openapi.json" download="wakeful-openapi.json">
        <Icon name="download" />
        {t("docs.document")}
      </a>
      <p>
        <Prose text={documentText("introduction", "general", info.description)} />
      </p>
      <h2>{t("docs.secrets")}</h2>
      <p>
        <Prose text={t("docs.secretsAbout")} />
      </p>
      <dl className="secrets">
        {Object.entries(components.securitySchemes).map(([name, { description }]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <Prose text={documentText("schemes", name, description)} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="soft">
        <Prose text={t("docs.unavailable")} />
      </p>
    </header>
  );
}

/** Opens the call that the address names, and moves there. A search that hides the call is ended. */
const openNamedCall = (endSearch: () => void): void => {
  const card = document.getElementById(location.hash.slice(1));
  if (!(card instanceof HTMLDetailsElement)) return;
  if (card.hidden) flushSync(endSearch);
  card.open = true;
  card.querySelector("summary")?.focus({ preventScroll: true });
  card.scrollIntoView({ block: "start" });
};

/** The document as a page: the contents with the search, the introduction, and the calls by part. */
function Reference({ found }: { found: Document }) {
  const { t, i18n } = useTranslation();
  const documentText = useDocumentText();
  const [search, setSearch] = useState("");
  const calls = useMemo(() => callsOf(found), [found]);
  const api = useMemo(
    () => ({ schemas: found.components.schemas, origin: originOf(found, document.baseURI) }),
    [found],
  );
  /** The names of calls are in English: in another language a search finds their part. */
  const translated = (tag: string) => `${documentText("tags", tag, "")} ${documentText("parts", tag, "")}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change with the language
  const texts = useMemo(
    () => new Map(calls.map((call) => [call, textOf(call, call.tags.map(translated).join(" "))])),
    [calls, i18n.language],
  );
  const words = search.trim().toLowerCase().split(/\s+/);
  const matching = calls.filter((call) => words.every((word) => texts.get(call)?.includes(word)));

  useEffect(() => {
    const follow = () => openNamedCall(() => setSearch(""));
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);

  return (
    <PageFrame aside={<Contents tags={found.tags} matching={matching} search={search} onSearch={setSearch} />}>
      <Introduction {...found} />
      {matching.length === 0 && (
        <p className="nothing" id="nothing">
          {t("docs.nothing")}
        </p>
      )}
      {found.tags.map(({ name, description }) => {
        const own = calls.filter(({ tags }) => tags.includes(name));
        return (
          <section key={name} className="calls" hidden={!own.some((call) => matching.includes(call))}>
            <h2>{documentText("tags", name, name)}</h2>
            <p>
              <Prose text={documentText("parts", name, description)} />
            </p>
            {own.map((call) => (
              <CallCard key={call.operationId} call={call} api={api} hidden={!matching.includes(call)} />
            ))}
          </section>
        );
      })}
    </PageFrame>
  );
}

/** The page about the API, made of its OpenAPI document. */
export function DocsPage({ load }: { load: Promise<Document> }) {
  const { t } = useTranslation();
  const [found, setFound] = useState<Document | "failed">();
  useEffect(() => {
    load.then(setFound, () => setFound("failed"));
  }, [load]);
  if (typeof found === "object") return <Reference found={found} />;
  return (
    <PageFrame>
      <div className="intro">
        <h1>{t("docs.title")}</h1>
        {found ? (
          <p role="alert">
            {t("docs.failed")}{" "}
            <button type="button" className="plain compact" onClick={() => location.reload()}>
              {t("common.action.retry")}
            </button>
          </p>
        ) : (
          <Skeleton heights={["4rem", "16rem", "16rem"]} />
        )}
      </div>
    </PageFrame>
  );
}
