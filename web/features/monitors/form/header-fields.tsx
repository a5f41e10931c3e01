import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { addRow, changeRow, removeRow, toRows } from "./header-rows";

export function HeaderFields({ headers, error }: { headers: Record<string, string>; error?: string }) {
  const { t } = useTranslation();
  const [rows, setRows] = useState(() => toRows(headers));

  return (
    <fieldset className="field">
      <legend>{t("monitors.form.headers")}</legend>
      <div className="header-rows">
        {rows.map(({ key, name, value }, place) => {
          const row = t("monitors.form.headerRow", { row: place + 1 });
          const remove = t("monitors.form.removeHeader", { row: place + 1 });
          return (
            <div className="header-row" key={key}>
              <input
                name="header-name"
                value={name}
                placeholder={t("monitors.form.headerName")}
                aria-label={t("common.labelled", { label: row, value: t("monitors.form.headerName") })}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setRows(changeRow(rows, key, { name: event.target.value }))}
              />
              <input
                name="header-value"
                value={value}
                placeholder={t("monitors.form.headerValue")}
                aria-label={t("common.labelled", { label: row, value: t("monitors.form.headerValue") })}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setRows(changeRow(rows, key, { value: event.target.value }))}
              />
              <button
                type="button"
                className="quiet icon-only"
                aria-label={remove}
                title={remove}
                onClick={() => setRows(removeRow(rows, key))}
              >
                <Icon name="cross" />
              </button>
            </div>
          );
        })}
      </div>
      <div>
        <button type="button" className="quiet compact" onClick={() => setRows(addRow(rows))}>
          <Icon name="plus" />
          {t("monitors.form.addHeader")}
        </button>
      </div>
      {error && (
        <span className="wrong" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}
