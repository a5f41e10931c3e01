import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../../lib/copy";
import { Icon } from "../../../ui/controls/icon";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { readConfiguration } from "../calls";
import { ImportForm } from "./import-form";

/** Export and import of the user's configuration. */
export function DataSection() {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [busy, start] = useTransition();

  const save = () =>
    start(async () => {
      try {
        const file = await readConfiguration();
        saveFile(`wakeful-${file.exported_at.slice(0, 10)}.json`, `${JSON.stringify(file, null, 2)}\n`);
      } catch (error) {
        toast(failureText(t("profile.data.exportFailed"), error), { tone: "bad" });
      }
    });

  return (
    <section className="card">
      <h2>{t("profile.data.title")}</h2>
      <p className="soft">{t("profile.data.text")}</p>
      <div className="actions">
        <button type="button" className="plain" disabled={busy} aria-busy={busy} onClick={save}>
          <Icon name="download" />
          {t("profile.data.export")}
        </button>
      </div>
      <ImportForm />
    </section>
  );
}
