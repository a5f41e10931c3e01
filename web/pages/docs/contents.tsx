import { useTranslation } from "react-i18next";
import { Search } from "../../ui/controls/search";
import type { Call, Document } from "./document";
import { useDocumentText } from "./text";

type Props = { tags: Document["tags"]; matching: readonly Call[]; search: string; onSearch: (search: string) => void };

/** The search, and links to the calls that match it. */
export function Contents({ tags, matching, search, onSearch }: Props) {
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
                      <span>{documentText("summaries", operationId, summary)}</span>
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
