import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../controls/icon";

/** Replaces the page after an uncaught rendering error, with a button to reload. */
export function CrashPage({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    <div className="centred" role="alert">
      <h1>{t("common.crash.title")}</h1>
      <p>{t("common.crash.text")}</p>
      {error instanceof Error && <code>{error.message}</code>}
      <button type="button" onClick={() => location.reload()}>
        <Icon name="refresh" />
        {t("common.action.reload")}
      </button>
    </div>
  );
}

type Props = { fallback: (error: unknown) => ReactNode; children: ReactNode };

/** Catches rendering errors of its children. React offers this to class components only. */
export class ErrorBoundary extends Component<Props, { failed: boolean; error: unknown }> {
  override state = { failed: false, error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { failed: true, error };
  }

  override render() {
    return this.state.failed ? this.props.fallback(this.state.error) : this.props.children;
  }
}
