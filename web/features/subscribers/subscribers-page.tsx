import { useAtom, useAtomValue } from "jotai";
import { useDeferredValue, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "wouter";
import { saveFile } from "../../lib/copy";
import { paths } from "../../paths";
import { AreaTabs } from "../../ui/controls/area-tabs";
import { Icon } from "../../ui/controls/icon";
import { Search } from "../../ui/controls/search";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { teamsAtom } from "../teams/api";
import { useCanChange } from "../teams/use-can-change";
import { deleteSubscriber, LISTED, pagesAtom, readExport, type Subscribers, subscribersAtom } from "./api";
import { SubscriberTable } from "./subscriber-table";

/** How many get messages, and why others do not, as one sentence. */
function Counts({ counts: { email, webhook, unconfirmed, ended } }: Pick<Subscribers, "counts">) {
  const { t } = useTranslation();
  const format = useFormat();
  const who = [
    ...(email > 0 ? [t("subscribers.counts.mail", { count: email })] : []),
    ...(webhook > 0 ? [t("subscribers.counts.webhook", { count: webhook })] : []),
  ];
  const parts = [
    who.length > 0
      ? t("subscribers.counts.get", { count: email + webhook, who: format.list(who) })
      : t("subscribers.counts.none"),
    ...(unconfirmed > 0 ? [t("subscribers.counts.unconfirmed", { count: unconfirmed })] : []),
    ...(ended > 0 ? [t("subscribers.counts.ended", { count: ended })] : []),
  ];
  return (
    <p className="soft subscriber-counts figure">
      {t("subscribers.counts.sentence", { parts: parts.join(t("subscribers.counts.separator")) })}
    </p>
  );
}

function ExportButton({ page }: { page: number }) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [busy, start] = useTransition();
  const save = () =>
    start(async () => {
      try {
        saveFile("subscribers.csv", await readExport(page), "text/csv");
      } catch (error) {
        toast(failureText(t("subscribers.exportFailed"), error), { tone: "bad" });
      }
    });
  return (
    <button type="button" className="quiet" disabled={busy} onClick={save}>
      <Icon name="download" />
      {t("subscribers.export")}
    </button>
  );
}

type ListProps = { page: number; canChange: boolean };

/** The subscribers of one page. */
function SubscriberList({ page, canChange }: ListProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [count, setCount] = useState(LISTED);
  const [deleting, setDeleting] = useState<Subscribers["subscribers"][number]>();
  const wanted = useDeferredValue(search);
  const [{ data, error }, refresh] = useAtom(subscribersAtom({ page, count, search: wanted }));
  const reload = () => void refresh();
  if (!data)
    return error ? (
      <Failure title={t("subscribers.loadFailed")} error={error} onRetry={reload} />
    ) : (
      <Skeleton heights={["2.5rem", "16rem"]} />
    );
  const isEmpty = data.total === 0 && wanted === "";
  return (
    <div className="stack">
      <Stale error={error} onRetry={reload} />
      {isEmpty ? (
        <Empty icon="bell" heading="h2" title={t("subscribers.emptyTitle")} text={t("subscribers.emptyText")} />
      ) : (
        <>
          <div className="toolbar subscriber-toolbar">
            <Counts counts={data.counts} />
            {canChange && <Search label={t("subscribers.search")} value={search} onChange={setSearch} />}
            <ExportButton page={page} />
          </div>
          {data.subscribers.length === 0 ? (
            <p className="soft">{t("subscribers.noMatch")}</p>
          ) : (
            <SubscriberTable subscribers={data.subscribers} {...(canChange && { onDelete: setDeleting })} />
          )}
          {data.subscribers.length < data.total && (
            <button type="button" className="quiet subscriber-more" onClick={() => setCount(count + 2 * LISTED)}>
              {t("subscribers.more")}
            </button>
          )}
        </>
      )}
      {deleting && (
        <DeleteDialog
          title={t("subscribers.deleteTitle", { name: deleting.address })}
          text={t("subscribers.deleteText")}
          done={t("subscribers.deleted", { name: deleting.address })}
          failed={t("subscribers.deleteFailed")}
          remove={() => deleteSubscriber(page, deleting.id)}
          onDeleted={reload}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </div>
  );
}

/** Loads what the page begins with. */
export const prepare = (): Promise<unknown> => Promise.all([pagesAtom.prepare(), teamsAtom.prepare()]);

/** The subscribers of the team's status pages. */
export default function SubscribersPage() {
  const { t } = useTranslation();
  const { data: pages, error } = useAtomValue(pagesAtom);
  const [, refresh] = useAtom(pagesAtom);
  const canChange = useCanChange();
  const [query, setQuery] = useSearchParams();
  const page = pages?.find(({ id }) => String(id) === query.get("page")) ?? pages?.[0];
  return (
    <>
      <AreaTabs />
      <div className="page-head">
        <h1>{t("subscribers.title")}</h1>
        {pages && pages.length > 1 && page && (
          <div className="actions">
            <select
              aria-label={t("subscribers.page")}
              value={page.id}
              onChange={({ target }) => setQuery({ page: target.value }, { replace: true })}
            >
              {pages.map(({ id, title, slug }) => (
                <option key={id} value={id}>
                  {title || slug}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      <p className="soft subscribers-about">{t("subscribers.about")}</p>
      {page ? (
        <SubscriberList key={page.id} page={page.id} canChange={canChange} />
      ) : pages ? (
        <Empty icon="page" heading="h2" title={t("subscribers.noPageTitle")} text={t("subscribers.noPageText")}>
          <Link href={paths.statusConfig} className="button">
            {t("subscribers.toPage")}
          </Link>
        </Empty>
      ) : error ? (
        <Failure title={t("subscribers.loadFailed")} error={error} onRetry={() => void refresh()} />
      ) : (
        <Skeleton heights={["2.5rem", "16rem"]} />
      )}
    </>
  );
}
