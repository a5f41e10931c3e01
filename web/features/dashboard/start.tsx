import { atom, getDefaultStore, useAtom, useSetAtom } from "jotai";
import { type FormEvent, type KeyboardEvent, useId, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { LIMITS } from "../../../src/shared/limits";
import { api, payload } from "../../api";
import { loadNeeded } from "../../lib/offline/code";
import { onReset } from "../../lib/resource";
import { isWebAddress, withScheme } from "../../lib/web-address";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { useErrorText } from "../../ui/hooks/use-error-text";
import type { Pasted } from "../monitors/pasted";
import { dashboardAtom } from "../problems/api";
import { panelMonitorsAtom } from "./api";

/** Addresses that are added at once. */
const MAX_ADDRESSES = 50;
const INTERVAL = 60;

/** Whether monitors were added here, so that the page offers to notify of failures. */
export const addedAtom = atom(false);
onReset(() => getDefaultStore().set(addedAtom, false));

/** The lines in the field, and why some of them were refused: kept while the empty page becomes the usual one. */
const draftAtom = atom<{ text: string; problems: readonly string[] }>({ text: "", problems: [] });
/** Whether lines were refused and wait for a correction. Writing it drops them. */
export const hasRefusedAtom = atom(
  (get) => get(draftAtom).problems.length > 0,
  (_get, set) => set(draftAtom, { text: "", problems: [] }),
);

type Wanted = { line: string; name: string; fields: { url: string } | Pasted["fields"] };

/** The host and the path of a line, as they were typed: `URL` would turn the letters of other scripts into codes. */
const nameOf = (line: string): string =>
  line
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/^[^/@]*@/, "")
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "");

/** The addresses of a line, which spaces separate. A line with other words is one text, because those are not host names. */
const addressesOf = (line: string): string[] => {
  const words = line.split(/\s+/).filter(Boolean);
  return words.every((word) => /[.:/]/.test(word)) ? words : [line.trim()];
};

/** The entries of a text; `bad` are its parts that are not an address. */
type Read = { wanted: Wanted[]; bad: string[] };

/** The websites that a text asks for. */
export const readAddresses = (text: string): Read => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const wanted = new Map<string, Wanted>();
  const bad: string[] = [];
  for (const line of lines.flatMap(addressesOf)) {
    const url = /\s/.test(line) || !isWebAddress(line) ? null : URL.parse(withScheme(line));
    const name = nameOf(line).slice(0, LIMITS.monitorName);
    if (url) wanted.set(url.href, { line, name, fields: { url: url.href } });
    else bad.push(line);
  }
  return { wanted: [...wanted.values()], bad };
};

/** The same with addresses of other kinds of monitors, such as redis://cache.example, whose code is loaded for them. */
const readAll = async (text: string): Promise<Read> => {
  const { wanted, bad } = readAddresses(text);
  if (!bad.some((line) => line.includes("://"))) return { wanted, bad };
  const { readPasted } = await loadNeeded(() => import("../monitors/pasted"));
  const others = bad.map((line) => ({ line, ...readPasted(line) }));
  return {
    wanted: [
      ...wanted,
      ...others.flatMap(({ line, name, fields }) => (name && fields ? [{ line, name, fields }] : [])),
    ],
    bad: others.filter(({ fields }) => !fields).map(({ line }) => line),
  };
};

const add = ({ name, fields }: Wanted) =>
  payload(api.monitors.post({ name: name.slice(0, LIMITS.monitorName), ...fields, interval: INTERVAL } as never));

/** Adds the monitors of a text one after the other. Lines that were refused stay in the field, with the reason. */
const useAdding = () => {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const refresh = useSetAtom(dashboardAtom);
  const refreshPanel = useSetAtom(panelMonitorsAtom);
  const setAdded = useSetAtom(addedAtom);
  const [{ text: kept, problems }, setDraft] = useAtom(draftAtom);
  const [text, setText] = useState(kept);
  const [busy, start] = useTransition();

  const submit = (text: string) => {
    const refuse = (problem: string) => setDraft({ text, problems: [problem] });
    start(async () => {
      const { wanted, bad } = await readAll(text);
      if (wanted.length + bad.length === 0) return refuse(t("dashboard.start.missing"));
      if (wanted.length > MAX_ADDRESSES) return refuse(t("dashboard.start.tooMany", { max: MAX_ADDRESSES }));
      const left: { line: string; reason: string }[] = bad.map((line) => ({ line, reason: t("dashboard.start.bad") }));
      for (const one of wanted)
        try {
          await add(one);
        } catch (error) {
          left.push({ line: one.line, reason: errorText(error) });
        }
      const rest = left.map(({ line }) => line).join("\n");
      setText(rest);
      setDraft({
        text: rest,
        problems: left.map(({ line, reason }) => t("common.labelled", { label: line, value: reason })),
      });
      if (left.length === wanted.length + bad.length) return;
      setAdded(true);
      await Promise.all([refresh(), refreshPanel()]);
    });
  };
  return { text, setText, problems, busy, submit };
};

/** A field for addresses: each line becomes a monitor with the usual settings. */
export function PasteField() {
  const { t } = useTranslation();
  const id = useId();
  const { text, setText, problems, busy, submit } = useAdding();

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit(text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || busy) return;
    event.preventDefault();
    submit(event.currentTarget.value);
  };

  return (
    <form className="start" onSubmit={onSubmit} noValidate>
      <label htmlFor={id}>{t("dashboard.start.label")}</label>
      <div className="start-field">
        <textarea
          id={id}
          rows={Math.min(8, Math.max(1, text.split("\n").length))}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
          placeholder="https://example.com"
          aria-invalid={problems.length > 0 || undefined}
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the only thing to do on an empty page
          autoFocus
        />
        <button type="submit" disabled={busy}>
          {t(busy ? "dashboard.start.adding" : "dashboard.start.add")}
        </button>
      </div>
      <p id={`${id}-hint`} className="soft small">
        {t("dashboard.start.hint")}
      </p>
      {problems.length > 0 && (
        <ul className="start-problems" role="alert">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </form>
  );
}

/** Replaces the dashboard of a user without monitors and servers. */
export function Welcome() {
  const { t } = useTranslation();
  return (
    <section className="welcome">
      <PasteField />
      <p className="actions">
        <Link href={paths.monitorCreate} className="button plain">
          <Icon name="plus" />
          {t("dashboard.welcome.addMonitor")}
        </Link>
        <Link href={paths.agentCreate} className="button plain">
          <Icon name="server" />
          {t("dashboard.welcome.addServer")}
        </Link>
        <Link href={paths.import} className="button plain">
          <Icon name="upload" />
          {t("dashboard.welcome.import")}
        </Link>
      </p>
    </section>
  );
}
