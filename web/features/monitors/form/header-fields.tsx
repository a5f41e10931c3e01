import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";

type HeaderRow = { key: number; name: string; value: string };

const isBlank = ({ name, value }: HeaderRow) => name === "" && value === "";
const nextKey = (rows: readonly HeaderRow[]) => Math.max(0, ...rows.map(({ key }) => key)) + 1;

const addRow = (rows: readonly HeaderRow[]): HeaderRow[] => [...rows, { key: nextKey(rows), name: "", value: "" }];

/** The rows with a blank one at the end to type into. */
const withBlank = (rows: readonly HeaderRow[]) => {
  const last = rows.at(-1);
  return last && isBlank(last) ? [...rows] : addRow(rows);
};

export const toRows = (headers: Record<string, string>) =>
  withBlank(Object.entries(headers).map(([name, value], key) => ({ key, name, value })));

export const changeRow = (rows: readonly HeaderRow[], key: number, change: Partial<HeaderRow>) =>
  withBlank(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));

export const removeRow = (rows: readonly HeaderRow[], key: number) => withBlank(rows.filter((row) => row.key !== key));

export function HeaderFields({ headers, error }: { headers: Record<string, string>; error?: string }) {
  const { t } = useTranslation();
  const [rows, setRows] = useState(() => toRows(headers));

  return (
    <fieldset className="field" data-field="headers">
      <legend>{t("monitors.form.headers")}</legend>
      <div className="header-rows">
        {rows.map(({ key, name, value }, index) => {
          const row = t("monitors.form.headerRow", { row: index + 1 });
          const remove = t("monitors.form.removeHeader", { row: index + 1 });
          return (
            <div className="header-row" key={key}>
              <input
                name="header-name"
                value={name}
                aria-invalid={error && index === 0 ? true : undefined}
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
              <IconButton
                icon="cross"
                label={remove}
                className="quiet icon-only"
                onClick={() => setRows(removeRow(rows, key))}
              />
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
