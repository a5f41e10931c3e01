import { type FormEvent, type ReactNode, useEffect, useRef, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearchParams } from "wouter";
import { CallError } from "../../api";
import { focusFirstWrong } from "../../lib/form";
import { base } from "../../lib/navigation/base-path";
import { paths } from "../../paths";
import { AreaTabs } from "../../ui/controls/area-tabs";
import { Icon } from "../../ui/controls/icon";
import { Tabs } from "../../ui/controls/tabs";
import { Badge } from "../../ui/feedback/badge";
import { toast } from "../../ui/feedback/toast";
import { useUnsaved } from "../../ui/feedback/unsaved";
import { useFailureText, type useFieldErrors } from "../../ui/hooks/use-error-text";
import { ChangesDisclosure } from "../changes/disclosure";

/** What `/api/status/config` stores of the first page, and what `/api/pages` stores of every page. */
const LISTED = ["general", "services", "agents", "layout"] as const;
const OWN = ["components", "more"] as const;
export type EditorTab = (typeof LISTED)[number] | (typeof OWN)[number];

/** A page that is edited, as far as its head needs it. */
type Edited = {
  /** Undefined until it is published. */
  id: number | undefined;
  title: string;
  path: string;
  /** Whether it is the first page of its team. */
  isFirst: boolean;
  isPublished: boolean;
};

/** Whether the page's address leads anywhere: the first administrator's does before the page is published. */
export const isServed = ({ path, isPublished }: Pick<Edited, "path" | "isPublished">): boolean =>
  isPublished || path === paths.status;

/** The tabs of a page. The first page has lists of services and servers, and its settings are on two screens. */
const tabsOf = ({ id, isFirst }: Edited): readonly EditorTab[] => {
  if (!isFirst) return ["general", ...OWN];
  return id === undefined ? LISTED : [...LISTED, ...OWN];
};

const hasList = (tab: EditorTab) => LISTED.some((one) => one === tab);
/** Whether the chosen tab is on the other screen of the first page, whose tab gets the focus. */
let isCrossing = false;

/** The chosen tab of a page's editor, which its address has, and how another is chosen. `initial` is the one without a name there. */
export const useEditorTab = (page: Edited, initial: EditorTab) => {
  const [search, setSearch] = useSearchParams();
  const [, navigate] = useLocation();
  const tabs = tabsOf(page);
  const tab = tabs.find((one) => one === search.get("tab")) ?? initial;
  const choose = (next: EditorTab) => {
    const query = { tab: next };
    if (!page.isFirst || hasList(next) === hasList(tab))
      return setSearch(next === initial ? {} : query, { replace: true });
    isCrossing = true;
    navigate(
      `${hasList(next) ? paths.statusConfig : paths.statusPageEdit(page.id ?? 0)}?${new URLSearchParams(query)}`,
    );
  };
  return { tabs, tab, choose };
};

type Props = {
  page: Edited;
  tabs: ReturnType<typeof useEditorTab>;
  isDirty: boolean;
  /** Viewers save nothing. */
  canSave?: boolean;
  save: () => Promise<unknown>;
  /** The errors of the fields, and the tab with a field. */
  errors: Pick<ReturnType<typeof useFieldErrors>, "keep">;
  tabOf: (field: string) => EditorTab;
  preview: ReactNode;
  children: ReactNode;
};

/** A link to the status page; disabled where nothing is at its address until it is published. */
function OpenPage({ page }: { page: Edited }) {
  const { t } = useTranslation();
  const content = (
    <>
      <Icon name="external" />
      {t("status.open")}
    </>
  );
  return isServed(page) ? (
    <a href={base + page.path} className="button plain" target="_blank" rel="noopener">
      {content}
    </a>
  ) : (
    <button type="button" className="plain" disabled>
      {content}
    </button>
  );
}

function Head({ page }: { page: Edited }) {
  const { t } = useTranslation();
  return (
    <div className="page-head">
      <div className="detail-title">
        <h1>{page.title || t("status.title")}</h1>
        <Badge tone={page.isPublished ? "up" : "paused"} icon={page.isPublished ? "globe" : "lock"}>
          {t(page.isPublished ? "status.published" : "status.unpublished")}
        </Badge>
      </div>
      <div className="actions">
        {page.id !== undefined && (
          <Link href={paths.statusPageAccess(page.id)} className="button plain">
            <Icon name="key" />
            {t("status.access")}
          </Link>
        )}
        <OpenPage page={page} />
      </div>
    </div>
  );
}

/** The editor of a status page: its head, its settings in tabs with the page as it would be beside them, and what saves them. */
export function PageEditor({ page, tabs, isDirty, canSave = true, save, errors, tabOf, preview, children }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [busy, start] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  // A refused field gets the focus.
  useEffect(() => {
    if (refusals > 0 && form.current) focusFirstWrong(form.current);
  }, [refusals]);
  useEffect(() => {
    if (isCrossing) form.current?.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
    isCrossing = false;
  }, []);
  const unsaved = useUnsaved(() => isDirty);
  const onSubmit = (event: FormEvent) => {
    // The forms of dialogs are inside.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    start(async () => {
      try {
        await save();
        errors.keep(undefined);
        toast(t("status.saved"));
      } catch (failure) {
        errors.keep(failure);
        const [field] = failure instanceof CallError ? failure.fields : [];
        if (field) tabs.choose(tabOf(field.path));
        setRefusals((count) => count + 1);
        toast(failureText(t("status.saveFailed"), failure), { tone: "bad" });
      }
    });
  };
  return (
    <form ref={form} onSubmit={onSubmit} noValidate>
      <AreaTabs current={page.isFirst ? paths.statusConfig : paths.statusPages} />
      <Head page={page} />
      <Tabs
        label={t("status.tabs.label")}
        tabs={tabs.tabs.map((value) => ({ value, label: t(`status.tabs.${value}`) }))}
        chosen={tabs.tab}
        onChoose={tabs.choose}
      >
        <div className="status-config">
          <div className="config-fields">
            <div className="config-tab">{children}</div>
            <ChangesDisclosure object="status_page" />
            {canSave && (isDirty || !page.isPublished) && (
              <section className="save-bar" aria-label={t("common.action.save")}>
                <span role="status" className="soft small">
                  {t(isDirty ? "status.unsaved" : "status.unpublished")}
                </span>
                <div className="actions">
                  <button type="submit" disabled={busy} aria-busy={busy}>
                    {t(busy ? "common.action.saving" : page.isPublished ? "common.action.save" : "status.publish")}
                  </button>
                </div>
              </section>
            )}
          </div>
          {preview}
        </div>
      </Tabs>
      {unsaved}
    </form>
  );
}
