import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearchParams } from "wouter";
import { PAGE_LIMITS } from "../../../../src/shared/status/components";
import { STATUS_LIMITS } from "../../../../src/shared/status-page";
import { serverAddress } from "../../../bootstrap";
import { base } from "../../../lib/navigation/base-path";
import { paths } from "../../../paths";
import { AreaTabs } from "../../../ui/controls/area-tabs";
import { Field } from "../../../ui/controls/field";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { Empty } from "../../../ui/feedback/empty";
import { Failure } from "../../../ui/feedback/failure";
import { FormDialog } from "../../../ui/feedback/form-dialog";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { Stale } from "../../../ui/feedback/stale";
import { toast } from "../../../ui/feedback/toast";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { teamsAtom } from "../../teams/api";
import { useCanChange } from "../../teams/use-can-change";
import { createPage, deletePage, type PageSummary, pagesAtom } from "./api";

/** A slug made of a title. */
const slugOf = (title: string): string =>
  title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, "-")
    .replace(/^-+|-+$/g, "");

function NewPage({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const [title, setTitle] = useState("");
  const [typed, setTyped] = useState<string>();
  const form = useSubmit(t("pages.createFailed"));
  const slug = typed ?? slugOf(title);
  const onSubmit = () => {
    if (slug.trim() === "") return form.refuse({ slug: t("pages.slugMissing") });
    form.submit(
      () => createPage({ slug, title }),
      (page) => {
        toast(t("pages.created", { name: title || slug }));
        navigate(paths.statusPageEdit(page.id));
      },
    );
  };
  return (
    <FormDialog
      title={t("pages.addTitle")}
      text={t("pages.addText")}
      of={form}
      submit={t("pages.create")}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <Field label={t("pages.name")} error={form.wrong("title")}>
        <input
          name="title"
          maxLength={STATUS_LIMITS.title}
          autoComplete="off"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </Field>
      <Field label={t("pages.slug")} hint={t("pages.slugHint")} error={form.wrong("slug")}>
        <input
          name="slug"
          required
          maxLength={PAGE_LIMITS.slug}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={slug}
          onChange={({ target }) => {
            form.mark("slug", undefined);
            setTyped(target.value);
          }}
        />
      </Field>
      <p className="soft small">{`${serverAddress()}/status/${slug}`}</p>
    </FormDialog>
  );
}

type RowProps = { page: PageSummary; canChange: boolean; onDelete: () => void };

function PageRow({ page, canChange, onDelete }: RowProps) {
  const { id, title, slug, path, first, access, components_total } = page;
  const { t } = useTranslation();
  const name = title || slug;
  return (
    <li className="page-row">
      <div className="page-name">
        <h3 className="truncate">
          <Link href={first ? paths.statusConfig : paths.statusPageEdit(id)}>{name}</Link>
          {first && <span className="tag">{t("status.area.page")}</span>}
          {access !== "public" && <span className="tag">{t("pages.access.private")}</span>}
        </h3>
        <p className="soft small truncate">
          {path} · {t("pages.components", { count: components_total })}
        </p>
      </div>
      <span className="page-actions">
        <Link href={paths.statusPageAccess(id)} className="button plain compact">
          <Icon name="key" />
          {t("status.access")}
        </Link>
        <a href={base + path} className="button plain compact" target="_blank" rel="noopener">
          <Icon name="external" />
          {t("status.open")}
        </a>
        {canChange && <IconButton icon="trash" label={t("common.action.delete")} of={name} onClick={onDelete} />}
      </span>
    </li>
  );
}

/** Loads what the page begins with. */
export const prepare = (): Promise<unknown> => Promise.all([pagesAtom.prepare(), teamsAtom.prepare()]);

/** The status pages of the team. */
export default function PagesPage() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(pagesAtom);
  const canChange = useCanChange();
  const [deleting, setDeleting] = useState<PageSummary>();
  const [search, setSearch] = useSearchParams();
  const isAdding = canChange && search.has("add");
  const setAdding = (adding: boolean) => setSearch(adding ? { add: "" } : {}, { replace: true });
  const name = deleting?.title || deleting?.slug;
  const add = canChange && (
    <button type="button" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      {t("pages.add")}
    </button>
  );
  return (
    <>
      <AreaTabs />
      <div className="page-head">
        <h1>{t("pages.title")}</h1>
        {data && data.length > 0 && <div className="actions">{add}</div>}
      </div>
      <p className="soft pages-about">{t(canChange ? "pages.about" : "pages.readOnly")}</p>
      {data ? (
        <>
          <Stale error={error} onRetry={() => void refresh()} />
          {data.length === 0 ? (
            <Empty
              icon="page"
              heading="h2"
              title={t("pages.emptyTitle")}
              {...(canChange && { text: t("pages.emptyText") })}
            >
              {add}
            </Empty>
          ) : (
            <section className="card">
              <ul className="page-rows">
                {data.map((page) => (
                  <PageRow key={page.id} page={page} canChange={canChange} onDelete={() => setDeleting(page)} />
                ))}
              </ul>
            </section>
          )}
        </>
      ) : error ? (
        <Failure error={error} title={t("pages.loadFailed")} onRetry={() => void refresh()} />
      ) : (
        <Skeleton heights={["14rem"]} />
      )}
      {isAdding && <NewPage onClose={() => setAdding(false)} />}
      {deleting && (
        <DeleteDialog
          title={t("pages.deleteTitle", { name })}
          text={t("pages.deleteText")}
          done={t("pages.deleted", { name })}
          failed={t("pages.deleteFailed")}
          remove={() => deletePage(deleting.id)}
          onDeleted={() => void refresh()}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
