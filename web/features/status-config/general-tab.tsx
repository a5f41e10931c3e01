import { useTranslation } from "react-i18next";
import { STATUS_LIMITS, STATUS_THEMES, type StatusTheme } from "../../../src/shared/status-page";
import { CopyButton } from "../../ui/controls/copy-button";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import type { Body } from "./api";

/** The classes of the page's parts that its own styles are usually about. */
const SELECTORS = [
  ...[".navbar", ".hero", ".banner", ".block", ".card", ".service", ".host"],
  ...[".status", ".slots", ".figures", ".resource", ".outages", ".footer"],
];

type Fields = Pick<Body, "title" | "description" | "logoUrl" | "theme" | "customCss">;
type Props = {
  draft: Fields;
  publicUrl: string;
  published: boolean;
  /** Whether the address leads anywhere. */
  isServed: boolean;
  /** The parts of the saved stylesheet that the server removes. */
  cssDropped: readonly string[];
  /** Viewers change nothing. */
  canChange?: boolean;
  errorOf: (name: string) => string | undefined;
  onChange: (change: Partial<Fields>) => void;
};

/** The address of a page, and its title, description, logo and look. */
export function GeneralTab(props: Props) {
  const { draft, publicUrl, published, isServed, cssDropped, canChange = true, errorOf, onChange } = props;
  const { t } = useTranslation();
  return (
    <div className="sheet">
      <section className="card">
        <div className="public-url">
          <Field label={t("status.general.publicUrl")}>
            <input readOnly value={publicUrl} disabled={!isServed} onFocus={(event) => event.target.select()} />
          </Field>
          {isServed && <CopyButton text={publicUrl} what={t("status.general.publicUrl")} />}
        </div>
        {!published && (
          <p className="message warn">
            <Icon name="lock" />
            {t("status.general.unpublished")}
          </p>
        )}
        <p className="message note">
          <Icon name="globe" />
          {t("status.general.note")}
        </p>
      </section>
      <fieldset className="card page-fields" disabled={!canChange}>
        <Field label={t("status.general.title")} error={errorOf("title")}>
          <input
            value={draft.title}
            maxLength={STATUS_LIMITS.title}
            placeholder={t("status.general.titlePlaceholder")}
            autoComplete="off"
            onChange={(event) => onChange({ title: event.target.value })}
          />
        </Field>
        <Field
          label={t("status.general.description")}
          hint={t("status.general.descriptionHint")}
          error={errorOf("description")}
        >
          <textarea
            className="prose"
            rows={3}
            value={draft.description}
            maxLength={STATUS_LIMITS.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        </Field>
        <Field label={t("status.general.logoUrl")} hint={t("status.general.logoHint")} error={errorOf("logo_url")}>
          <input
            value={draft.logoUrl}
            maxLength={STATUS_LIMITS.logoUrl}
            placeholder="https://example.com/logo.svg"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange({ logoUrl: event.target.value })}
          />
        </Field>
        <Field label={t("status.general.theme")} error={errorOf("theme")}>
          <select value={draft.theme} onChange={({ target }) => onChange({ theme: target.value as StatusTheme })}>
            {STATUS_THEMES.map((theme) => (
              <option key={theme} value={theme}>
                {t(`status.general.themes.${theme}`)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t("status.general.customCss")} hint={t("status.general.cssHint")} error={errorOf("custom_css")}>
          <textarea
            rows={6}
            value={draft.customCss}
            maxLength={STATUS_LIMITS.customCss}
            spellCheck={false}
            placeholder=".banner { border-radius: 0 }"
            onChange={(event) => onChange({ customCss: event.target.value })}
          />
        </Field>
        <p className="css-names soft small">
          <span>{t("status.general.cssNames")}</span>
          {SELECTORS.map((name) => (
            <code key={name}>{name}</code>
          ))}
        </p>
        {cssDropped.length > 0 && (
          <div className="message warn css-dropped" role="status">
            <p>{t("status.general.cssDropped")}</p>
            <ul>
              {cssDropped.map((piece, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same piece may be left out twice
                <li key={index}>
                  <code>{piece}</code>
                </li>
              ))}
            </ul>
          </div>
        )}
      </fieldset>
    </div>
  );
}
