import { type ChangeEvent, useRef, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { IMPORT_SOURCES } from "../../../src/shared/transfer/sources";
import { CallError } from "../../api";
import { saveFile } from "../../lib/copy";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { type ConfigurationFile, type Imported, importConfiguration, readConfiguration } from "./api";
import { ImportFailure, ImportResult, MAX_FILE_SIZE, parseFile } from "./import-result";
import { SettingRow } from "./setting-row";

type Outcome = { error: unknown } | { imported: Imported; file: ConfigurationFile };

const readFile = async (file: File): Promise<ConfigurationFile> => {
  if (file.size > MAX_FILE_SIZE) throw new CallError("too_large", "", 0);
  const parsed = parseFile(await file.text());
  if (parsed === "not_configuration") throw new CallError(parsed, "", 0);
  return parsed;
};

/** Imports a file as soon as it is chosen. An import only adds, so it needs no confirmation. */
function ImportForm() {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<Outcome>();
  const [busy, start] = useTransition();

  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? [];
    if (!chosen) return;
    start(async () => {
      setOutcome(undefined);
      try {
        const file = await readFile(chosen);
        setOutcome({ imported: await importConfiguration(file), file });
      } catch (error) {
        setOutcome({ error });
      }
      // Without this, choosing the same file again after editing it would fire no event.
      target.value = "";
    });
  };

  return (
    <>
      <input ref={input} type="file" hidden accept="application/json,.json" onChange={onChange} />
      <SettingRow title={t("profile.data.importTitle")} text={t("profile.data.importHint")}>
        <button type="button" className="plain" disabled={busy} aria-busy={busy} onClick={() => input.current?.click()}>
          <Icon name="upload" />
          {t(busy ? "profile.data.importing" : "profile.data.import")}
        </button>
      </SettingRow>
      <div className="import-outcome" role="status" aria-live="polite">
        {outcome && ("error" in outcome ? <ImportFailure error={outcome.error} /> : <ImportResult {...outcome} />)}
      </div>
    </>
  );
}

/** Export and import of the user's configuration. */
export function DataSection() {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const format = useFormat();
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
    <section className="card setting-rows">
      <h2>{t("profile.data.title")}</h2>
      <SettingRow title={t("profile.data.exportTitle")} text={t("profile.data.text")}>
        <button type="button" disabled={busy} aria-busy={busy} onClick={save}>
          <Icon name="download" />
          {t("profile.data.export")}
        </button>
      </SettingRow>
      <ImportForm />
      <SettingRow title={t("profile.data.otherTitle")} text={format.list(Object.values(IMPORT_SOURCES))}>
        <Link href={paths.import} className="button plain">
          {t("profile.data.other")}
        </Link>
      </SettingRow>
    </section>
  );
}
