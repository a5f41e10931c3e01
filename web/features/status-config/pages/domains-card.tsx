import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { DOMAIN_LIMITS, parseDomain } from "../../../../src/shared/status/domains";
import { Copyable } from "../../../ui/controls/copy-button";
import { Field } from "../../../ui/controls/field";
import { Form } from "../../../ui/controls/form";
import { Icon } from "../../../ui/controls/icon";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { type StatusPage, savePage } from "./api";
import { addressAt, readableDomain, recordOf } from "./domains";

type Props = { page: StatusPage; canChange: boolean; onSaved: () => Promise<unknown> };

/** A domain with the DNS record that it needs. */
function Domain({ domain, onRemove, busy }: { domain: string; onRemove: (() => void) | false; busy: boolean }) {
  const { t } = useTranslation();
  const name = readableDomain(domain);
  return (
    <li>
      <div className="page-domain">
        <div>
          <a href={addressAt(domain)} target="_blank" rel="noopener">
            {name}
          </a>
          {name !== domain && <p className="soft small">{domain}</p>}
        </div>
        {onRemove && (
          <button
            type="button"
            className="quiet icon-only compact"
            disabled={busy}
            title={t("pages.domains.remove", { name })}
            aria-label={t("pages.domains.remove", { name })}
            onClick={onRemove}
          >
            <Icon name="cross" />
          </button>
        )}
      </div>
      <Copyable what="DNS" text={recordOf(domain)} />
    </li>
  );
}

/** The own domains of a page. */
export function DomainsCard({ page, canChange, onSaved }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const form = useSubmit(t("pages.domains.failed"));
  const [busy, start] = useTransition();
  const { domains } = page;
  const check = (fields: FormData) => {
    const parsed = parseDomain(String(fields.get("domains")));
    return "problem" in parsed ? { domains: t(`pages.domains.problems.${parsed.problem}`) } : {};
  };
  const onValid = (fields: FormData, element: HTMLFormElement) => {
    const sent = String(fields.get("domains"));
    form.submit(
      () => savePage(page.id, { domains: [...domains, sent] }),
      async () => {
        element.reset();
        toast(t("pages.domains.added"));
        await onSaved();
      },
    );
  };
  const remove = (domain: string) =>
    start(async () => {
      try {
        await savePage(page.id, { domains: domains.filter((one) => one !== domain) });
        toast(t("pages.domains.removed"));
        await onSaved();
      } catch (failure) {
        toast(failureText(t("pages.domains.failed"), failure), { tone: "bad" });
      }
    });
  return (
    <section className="card page-key">
      <h2>{t("pages.domains.title")}</h2>
      <p className="soft small">{t("pages.domains.about")}</p>
      {domains.length > 0 && (
        <>
          <ul className="page-domains">
            {domains.map((domain) => (
              <Domain key={domain} domain={domain} busy={busy} onRemove={canChange && (() => remove(domain))} />
            ))}
          </ul>
          <p className="soft small">{t("pages.domains.records")}</p>
        </>
      )}
      {!canChange && domains.length === 0 && <p className="small">{t("pages.domains.none")}</p>}
      {canChange && domains.length < DOMAIN_LIMITS.perPage && (
        <Form of={form} onValid={onValid} check={check} className="page-domain-form">
          <Field label={t("pages.domains.add")} error={form.wrong("domains") ?? form.error}>
            <input
              name="domains"
              required
              maxLength={DOMAIN_LIMITS.length}
              placeholder="status.example.com"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              inputMode="url"
            />
          </Field>
          <button type="submit" className="plain" disabled={form.busy} aria-busy={form.busy}>
            <Icon name="plus" />
            {t("pages.domains.submit")}
          </button>
        </Form>
      )}
    </section>
  );
}
