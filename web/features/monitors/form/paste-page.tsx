import { useSetAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { LIMITS } from "../../../../src/shared/limits";
import { text } from "../../../lib/form";
import { hostOf, isWebAddress, withScheme } from "../../../lib/web-address";
import { paths } from "../../../paths";
import { Field } from "../../../ui/controls/field";
import { Form, FormFoot } from "../../../ui/controls/form";
import { QuotaReached } from "../../../ui/feedback/quota";
import { toast } from "../../../ui/feedback/toast";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { BackLink } from "../../../ui/layout/back-link";
import { TagsField, tagsIn } from "../../tags/tags-field";
import { importMonitors, monitorsAtom } from "../api";
import { type Pasted, readPasted } from "../pasted";
import { IntervalField, intervalIn } from "./interval-field";

/** Lines that one call creates. */
const MOST = 500;

/** A line with its address for display, and the fields of the monitor: `url`, or the fields of another kind. */
type Line = {
  place: number;
  name: string;
  url: string;
  fields?: Pasted["fields"];
  wrong?: "address" | "twice" | "tooMany";
};

/** Without half of a surrogate pair at the end: the API would refuse all lines. */
const cutName = (name: string): string => name.slice(0, LIMITS.monitorName).replace(/[\ud800-\udbff]$/, "");

/** A line is an address, or a name and an address. Empty lines and those that begin with # are left out. */
export const parseLines = (pasted: string): Line[] => {
  const addresses = new Set<string>();
  return pasted
    .split("\n")
    .map((line, index) => ({ place: index + 1, line: line.trim() }))
    .filter(({ line }) => line !== "" && !line.startsWith("#"))
    .map(({ place, line }, index) => {
      const [, before = "", address = ""] = /^(?:(.*?)[\s,;]+)?(\S+)$/.exec(line) ?? [];
      const other = readPasted(address);
      const url = withScheme(address);
      const name = cutName(before || other?.name || hostOf(address) || address);
      const isKnown = addresses.has(`${name} ${url}`);
      addresses.add(`${name} ${url}`);
      const wrong =
        !(other || isWebAddress(address)) || url.length > LIMITS.url
          ? ("address" as const)
          : isKnown
            ? ("twice" as const)
            : index >= MOST
              ? ("tooMany" as const)
              : undefined;
      return { place, name, url, ...(other && { fields: other.fields }), ...(wrong && { wrong }) };
    });
};

/** The monitor of each line, or the reason why it has none. */
function Preview({ lines }: { lines: readonly Line[] }) {
  const { t } = useTranslation();
  if (lines.length === 0) return null;
  return (
    <ol className="field paste-lines">
      {lines.map(({ place, name, url, wrong }) => (
        <li key={place} value={place}>
          <strong className="truncate">{name}</strong>
          <span className={wrong ? "wrong" : "soft truncate"}>{wrong ? t(`bulk.paste.wrong.${wrong}`) : url}</span>
        </li>
      ))}
    </ol>
  );
}

/** Adds a monitor for each line of a text, by one call. */
export function PastePage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const refresh = useSetAtom(monitorsAtom);
  const form = useSubmit(t("bulk.paste.failed"));
  const [pasted, setPasted] = useState("");
  const lines = parseLines(pasted);
  const good = lines.filter(({ wrong }) => !wrong);

  const onValid = (fields: FormData) =>
    form.submit(
      async () => {
        const common = { interval: intervalIn(fields), ...tagsIn(fields) };
        const { created, skipped } = await importMonitors(
          parseLines(text(fields, "lines"))
            .filter(({ wrong }) => !wrong)
            .map(({ name, url, fields: other = { url } }) => ({ name, ...other, ...common })),
        );
        void refresh();
        toast(t("bulk.paste.done", { count: created.monitors, skipped: skipped.monitors }));
      },
      () => navigate(paths.monitors),
    );

  return (
    <div className="narrow">
      <BackLink to={paths.monitors}>{t("monitors.detail.back")}</BackLink>
      <div className="page-head">
        <h1>{t("bulk.paste.title")}</h1>
      </div>
      <QuotaReached name="monitors" />
      <Form
        of={form}
        className="sheet"
        focus="lines"
        check={() => ({ lines: good.length === 0 ? t("bulk.paste.none") : undefined })}
        onValid={onValid}
      >
        <section className="card">
          <Field label={t("bulk.paste.lines")} hint={t("bulk.paste.hint")} error={form.wrong("lines")}>
            <textarea
              name="lines"
              rows={8}
              required
              spellCheck={false}
              placeholder={"Shop https://shop.example.com\nhttps://api.example.com/health"}
              onChange={(event) => setPasted(event.target.value)}
            />
          </Field>
          <Preview lines={lines} />
          <IntervalField seconds={60} error={form.wrong("interval")} />
          <TagsField />
        </section>
        <FormFoot of={form} submit={t("bulk.paste.submit", { count: good.length })} sticky>
          <Link href={paths.monitorCreate} className="button quiet">
            {t("common.action.cancel")}
          </Link>
        </FormFoot>
      </Form>
    </div>
  );
}
