import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../../lib/copy";
import { Icon } from "../../../ui/controls/icon";
import { Menu } from "../../../ui/controls/menu";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { type Filter, readExport } from "./api";

/** Downloads the outages of the filter as a file. */
export function ExportMenu({ filter }: { filter: Filter }) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [busy, start] = useTransition();
  const save = (format: "csv" | "json") =>
    start(async () => {
      try {
        saveFile(`outages.${format}`, await readExport(filter, format), format === "csv" ? "text/csv" : undefined);
      } catch (error) {
        toast(failureText(t("outages.list.exportFailed"), error), { tone: "bad" });
      }
    });
  return (
    <Menu
      label={t("outages.list.export")}
      button={
        <>
          <Icon name="download" />
          <span className="label" aria-hidden="true">
            {t("outages.list.export")}
          </span>
        </>
      }
    >
      {(["csv", "json"] as const).map((format) => (
        <button key={format} type="button" role="menuitem" disabled={busy} onClick={() => save(format)}>
          {format.toUpperCase()}
        </button>
      ))}
    </Menu>
  );
}
