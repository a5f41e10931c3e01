import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { HISTORY_DAYS, isLogo, STATUS_DAYS } from "../../../../src/shared/status-page";
import { serverAddress } from "../../../bootstrap";
import { timeZones } from "../../../lib/format";
import { paths } from "../../../paths";
import { AreaTabs } from "../../../ui/controls/area-tabs";
import { Field } from "../../../ui/controls/field";
import { Switch } from "../../../ui/controls/switch";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { useFieldErrors } from "../../../ui/hooks/use-error-text";
import { teamsAtom } from "../../teams/api";
import { useCanChange } from "../../teams/use-can-change";
import { type EditorTab, PageEditor, useEditorTab } from "../editor";
import { GeneralTab } from "../general-tab";
import { PreviewPane } from "../live-preview";
import { pageAtom, previewPage, type StatusPage, savePage } from "./api";
import { AutoFields } from "./auto-fields";
import { ComponentList } from "./component-list";
import { bodyOf, draftsOf } from "./draft";

const fieldsOf = (page: StatusPage) => ({
  ...{ title: page.title, description: page.description, theme: page.theme },
  ...{ logoUrl: page.logo_url, customCss: page.custom_css },
  ...{ zone: page.zone, auto_incidents: page.auto_incidents, noindex: page.noindex },
  history_days: HISTORY_DAYS.find((one) => one === page.history_days) ?? STATUS_DAYS,
});
type Fields = ReturnType<typeof fieldsOf>;

type FieldsProps = { fields: Fields; canChange: boolean; onChange: (change: Partial<Fields>) => void };

/** The length and the zone of the history, and what else few pages need. */
function MoreFields({ fields, canChange, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <fieldset className="card page-fields" disabled={!canChange}>
        <Field label={t("pages.historyDays")}>
          <select
            value={fields.history_days}
            onChange={({ target }) =>
              onChange({ history_days: HISTORY_DAYS.find((one) => String(one) === target.value) ?? STATUS_DAYS })
            }
          >
            {HISTORY_DAYS.map((days) => (
              <option key={days} value={days}>
                {t("pages.days", { count: days })}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t("pages.zone")} hint={t("pages.zoneHint")}>
          <select value={fields.zone} onChange={({ target }) => onChange({ zone: target.value })}>
            {[...new Set([fields.zone, ...timeZones()])].map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        </Field>
        <Switch label={t("pages.noindex")} checked={fields.noindex} onChange={(noindex) => onChange({ noindex })} />
      </fieldset>
      <AutoFields
        value={fields.auto_incidents}
        canChange={canChange}
        onChange={(auto_incidents) => onChange({ auto_incidents })}
      />
    </>
  );
}

/** The tab with a field. */
const tabOf = (field: string): EditorTab => {
  if (field.startsWith("components")) return "components";
  return /^(history|zone|auto|noindex)/.test(field) ? "more" : "general";
};

/** Fields as the call that saves them takes them. */
const sentOf = ({ logoUrl, customCss, ...fields }: Fields) => ({ ...fields, logo_url: logoUrl, custom_css: customCss });

function Editor({ page, onSaved }: { page: StatusPage; onSaved: () => Promise<unknown> }) {
  const errors = useFieldErrors();
  const canChange = useCanChange();
  const [stored, setStored] = useState(() => ({ fields: fieldsOf(page), drafts: draftsOf(page.components) }));
  const [version, setVersion] = useState(page.updated_at);
  const [now, setNow] = useState(stored);
  const edited = { id: page.id, title: stored.fields.title || page.slug, path: page.path };
  const shown = { ...edited, isFirst: page.first, isPublished: true };
  // A page that is empty begins with its components.
  const [initial] = useState<EditorTab>(() => (page.first || page.components.length === 0 ? "components" : "general"));
  const tabs = useEditorTab(shown, initial);
  const { fields } = now;
  const draft = { ...sentOf(fields), components: bodyOf(now.drafts) };
  const change = (more: Partial<Fields>) => setNow((before) => ({ ...before, fields: { ...before.fields, ...more } }));
  const save = async () => {
    const saved = await savePage(page.id, { ...draft, updated_at: version });
    const next = { fields: fieldsOf(saved), drafts: draftsOf(saved.components) };
    setStored(next);
    setVersion(saved.updated_at);
    // Changes made during the call are still unsaved.
    setNow((shown) => (shown === now ? next : shown));
    await onSaved();
  };
  // The address of a logo that is still being typed would be refused.
  const previewed = isLogo(fields.logoUrl.trim()) ? draft : { ...draft, logo_url: "" };
  return (
    <PageEditor
      page={shown}
      tabs={tabs}
      isDirty={now.fields !== stored.fields || now.drafts !== stored.drafts}
      canSave={canChange}
      save={save}
      errors={errors}
      tabOf={tabOf}
      preview={<PreviewPane draft={previewed} read={(body) => previewPage(page.id, body)} />}
    >
      {tabs.tab === "general" && (
        <GeneralTab
          draft={fields}
          publicUrl={serverAddress() + page.path}
          published
          isServed
          canChange={canChange}
          cssDropped={page.css_dropped}
          errorOf={errors.of}
          onChange={change}
        />
      )}
      {tabs.tab === "components" && (
        <ComponentList
          drafts={now.drafts}
          listed={page.first ? page.components.filter(({ listed }) => listed) : null}
          canChange={canChange}
          onChange={(drafts) => setNow((before) => ({ ...before, drafts }))}
        />
      )}
      {tabs.tab === "more" && <MoreFields fields={fields} canChange={canChange} onChange={change} />}
    </PageEditor>
  );
}

/** Loads what the page begins with. */
export const prepare = (id: string): Promise<unknown> =>
  Promise.all([pageAtom(Number(id)).prepare(), teamsAtom.prepare()]);

/** The editor of one status page; of the first one, what the settings of that page do not have. */
export default function EditorPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(pageAtom(Number(id)));
  if (data) return <Editor key={data.id} page={data} onSaved={async () => refresh()} />;
  return (
    <>
      <AreaTabs current={paths.statusPages} />
      {error ? (
        <Failure error={error} title={t("pages.loadFailed")} onRetry={() => void refresh()} />
      ) : (
        <Skeleton heights={["14rem"]} />
      )}
    </>
  );
}
