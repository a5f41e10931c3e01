import { useAtom } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { PAGE_ACCESS, PAGE_PASSWORD, type PageAccess } from "../../../../src/shared/status/access";
import { STATUS_THEMES, type StatusTheme } from "../../../../src/shared/status-page";
import { serverAddress } from "../../../bootstrap";
import { base } from "../../../lib/navigation/base-path";
import { paths } from "../../../paths";
import { Copyable } from "../../../ui/controls/copy-button";
import { Field } from "../../../ui/controls/field";
import { Form, FormFoot } from "../../../ui/controls/form";
import { Icon } from "../../../ui/controls/icon";
import { Switch } from "../../../ui/controls/switch";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { BackLink } from "../../../ui/layout/back-link";
import { teamsAtom } from "../../teams/api";
import { useCanChange } from "../../teams/use-can-change";
import { createKey, pageAtom, revokeKey, type StatusPage, savePage } from "./api";
import { DomainsCard } from "./domains-card";

type PartProps = { page: StatusPage; canChange: boolean; onSaved: () => Promise<unknown> };

function AccessForm({ page, canChange, onSaved }: PartProps) {
  const { t } = useTranslation();
  const form = useSubmit(t("pages.access.failed"));
  const [access, setAccess] = useState<PageAccess>(page.access);
  const [password, setPassword] = useState("");
  const [titlePublic, setTitlePublic] = useState(page.title_public);
  const hasPassword = page.access === "password" && page.has_password;
  const onValid = () =>
    form.submit(
      () =>
        savePage(page.id, {
          ...{ access, title_public: titlePublic },
          ...(access === "password" && password && { password }),
        }),
      async () => {
        setPassword("");
        toast(t("pages.access.saved"));
        await onSaved();
      },
    );
  return (
    <section className="card">
      <Form of={form} onValid={onValid} className="page-access">
        <fieldset className="page-fields" disabled={!canChange}>
          <Field
            label={t("pages.access.who")}
            error={form.wrong("access")}
            {...(access === "members" && { hint: t("pages.access.membersHint") })}
          >
            <select
              name="access"
              value={access}
              onChange={({ target }) => setAccess(PAGE_ACCESS.find((one) => one === target.value) ?? "public")}
            >
              {PAGE_ACCESS.map((one) => (
                <option key={one} value={one}>
                  {t(`pages.access.options.${one}`)}
                </option>
              ))}
            </select>
          </Field>
          {access === "password" && (
            <Field
              label={t(hasPassword ? "pages.access.newPassword" : "pages.access.password")}
              hint={t(hasPassword ? "pages.access.changeHint" : "pages.access.passwordHint")}
              error={form.wrong("password")}
            >
              <input
                name="password"
                type="password"
                autoComplete="new-password"
                required={!hasPassword}
                minLength={PAGE_PASSWORD.min}
                maxLength={PAGE_PASSWORD.max}
                value={password}
                onChange={({ target }) => setPassword(target.value)}
              />
            </Field>
          )}
          {access !== "public" && (
            <Switch label={t("pages.access.titlePublic")} checked={titlePublic} onChange={setTitlePublic} />
          )}
        </fieldset>
        {canChange && <FormFoot of={form} submit={t("pages.access.save")} />}
      </Form>
    </section>
  );
}

/** The key of a private page, with examples once it is created. */
function KeyCard({ page, canChange, onSaved }: PartProps) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [key, setKey] = useState<string>();
  const [busy, start] = useTransition();
  const change = (task: () => Promise<unknown>) =>
    start(async () => {
      try {
        await task();
        await onSaved();
      } catch (failure) {
        toast(failureText(t("pages.access.keyFailed"), failure), { tone: "bad" });
      }
    });
  const create = async () => setKey(await createKey(page.id));
  const revoke = async () => {
    await revokeKey(page.id);
    setKey(undefined);
    toast(t("pages.access.revoked"));
  };
  const address = `${serverAddress()}${page.path}`;
  return (
    <section className="card page-key">
      <div className="section-head">
        <h2>{t("pages.access.key")}</h2>
        {page.access === "public" && <p className="soft small">{t("pages.access.keyPublic")}</p>}
      </div>
      {page.access !== "public" && (
        <>
          <p className="soft small">{t("pages.access.keyAbout")}</p>
          <p className="small" role="status">
            {t(key ? "pages.access.keyShown" : page.has_key ? "pages.access.hasKey" : "pages.access.noKey")}
          </p>
          {key && (
            <>
              <Copyable what={t("pages.access.key")} text={key} />
              <Copyable what="JSON" text={`${address}/api/v2/summary.json?key=${key}`} />
              <Copyable what="Atom" text={`${address}/feed.xml?key=${key}`} />
            </>
          )}
          {canChange && (
            <div className="actions">
              <button type="button" className="plain" disabled={busy} onClick={() => change(create)}>
                <Icon name="key" />
                {t(page.has_key ? "pages.access.replaceKey" : "pages.access.createKey")}
              </button>
              {page.has_key && (
                <button type="button" className="plain" disabled={busy} onClick={() => change(revoke)}>
                  {t("pages.access.revokeKey")}
                </button>
              )}
            </div>
          )}
        </>
      )}
    </section>
  );
}

/** What other sites can show of a page. */
function ShareCard({ page }: Pick<PartProps, "page">) {
  const { t } = useTranslation();
  const [theme, setTheme] = useState<StatusTheme>("auto");
  const [shown, setShown] = useState("page");
  const path = `/status/${encodeURIComponent(page.slug)}`;
  const address = serverAddress() + path;
  // The browser may not reach the public address, so the samples load from the address that it has opened.
  const own = base + path;
  // A private page shows nothing to a frame.
  const isPublic = page.access === "public";
  const frame = `<iframe src="${address}/embed?theme=${theme}" width="300" height="40" style="border: 0"></iframe>`;
  return (
    <section className="card page-key">
      <h2>{t("pages.share.title")}</h2>
      {!isPublic && <p className="soft small">{t("pages.share.private")}</p>}
      <Field label={t("pages.share.frameTheme")} hint={t("pages.share.frameHint")}>
        <select
          name="theme"
          value={theme}
          onChange={({ target }) => setTheme(STATUS_THEMES.find((one) => one === target.value) ?? "auto")}
        >
          {STATUS_THEMES.map((one) => (
            <option key={one} value={one}>
              {t(one === "auto" ? "pages.share.followsVisitor" : `status.general.themes.${one}`)}
            </option>
          ))}
        </select>
      </Field>
      {isPublic && (
        <iframe
          className="share-sample"
          title={t("pages.share.frame")}
          src={`${own}/embed?theme=${theme}`}
          width="300"
          height="40"
        />
      )}
      <Copyable what={t("pages.share.frame")} text={frame} />
      <Field label={t("pages.share.badge")}>
        <select name="badge" value={shown} onChange={({ target }) => setShown(target.value)}>
          <option value="page">{t("pages.share.whole")}</option>
          {page.components.map(({ key, label }) => (
            <option key={key} value={key}>
              {label || t("pages.list.untitled")}
            </option>
          ))}
        </select>
      </Field>
      {isPublic && <img className="share-sample" alt="" height="20" src={`${own}/badge/${shown}.svg`} />}
      <Copyable what={t("pages.share.badge")} text={`![status](${address}/badge/${shown}.svg)`} />
      <h3>{t("pages.share.feeds")}</h3>
      <Copyable what="Atom" text={`${address}/feed.xml`} />
      <Copyable what="RSS" text={`${address}/feed.rss`} />
    </section>
  );
}

/** Loads what the page begins with. */
export const prepare = (id: string): Promise<unknown> =>
  Promise.all([pageAtom(Number(id)).prepare(), teamsAtom.prepare()]);

/** Who may read a status page, its own domains, and its key for programs. */
export default function AccessPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(pageAtom(Number(id)));
  const canChange = useCanChange();
  if (!data)
    return error ? (
      <Failure error={error} title={t("pages.loadFailed")} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["14rem"]} />
    );
  const parts = { page: data, canChange, onSaved: async () => refresh() };
  return (
    <>
      <BackLink to={paths.statusPages}>{t("pages.back")}</BackLink>
      <div className="page-head">
        <h1>{t("pages.access.title", { name: data.title || data.slug })}</h1>
        <div className="actions">
          <a href={base + data.path} className="button plain" target="_blank" rel="noopener">
            <Icon name="external" />
            {t("status.open")}
          </a>
        </div>
      </div>
      <div className="page-editor">
        <div className="stack">
          <AccessForm key={data.updated_at} {...parts} />
          <DomainsCard {...parts} />
          <KeyCard {...parts} />
        </div>
        <ShareCard page={data} />
      </div>
    </>
  );
}
