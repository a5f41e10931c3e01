import { type DragEvent, useId, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { IMPORT_SOURCE_NAMES, IMPORT_SOURCES } from "../../../src/shared/transfer/sources";
import { saveFile } from "../../lib/copy";
import { PHONE, useMedia } from "../../lib/hooks/use-media";
import { paths } from "../../paths";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { Switch } from "../../ui/controls/switch";
import { toast } from "../../ui/feedback/toast";
import { useErrorText, useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { BackLink } from "../../ui/layout/back-link";
import { createPingKey } from "../profile/ping-keys";
import {
  type Applied,
  applyPreview,
  type Preview,
  previewByAddress,
  previewByKey,
  previewFiles,
  readReportCsv,
} from "./api";
import { Commands } from "./commands";
import { Items, isChoosable, isCreated } from "./items";
import { KeyForm } from "./key-form";

/** Imports a file of another product: it is uploaded, previewed, and imported when the user confirms. */
export default function ImportPage() {
  const { t } = useTranslation();
  const [preview, setPreview] = useState<Preview>();
  const [applied, setApplied] = useState<Applied>();
  const restart = () => {
    setPreview(undefined);
    setApplied(undefined);
  };
  return (
    <div className="import stack">
      <BackLink to={paths.profileSection("data")}>{t("profile.data.title")}</BackLink>
      <header className="page-head">
        <div>
          <h1>{t("imports.title")}</h1>
          <p className="soft">{t("imports.text")}</p>
        </div>
        {preview && (
          <div className="actions">
            <button type="button" className="plain" onClick={restart}>
              {t("imports.another")}
            </button>
          </div>
        )}
      </header>
      {applied && preview ? (
        <Done id={preview.id} applied={applied} />
      ) : preview ? (
        <Choice preview={preview} onApplied={setApplied} />
      ) : (
        <DropArea onPreview={setPreview} />
      )}
    </div>
  );
}

/** Takes a file that is dropped or chosen. */
function DropArea({ onPreview }: { onPreview: (preview: Preview) => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const [error, setError] = useState<string>();
  const [isOver, setOver] = useState(false);
  const isPhone = useMedia(PHONE);
  const [busy, start] = useTransition();

  const read = (work: () => Promise<Preview>) =>
    start(async () => {
      setError(undefined);
      try {
        onPreview(await work());
      } catch (reason) {
        setError(errorText(reason));
      }
    });
  const send = (files: readonly File[]) => {
    if (files.length > 0 && !busy) read(() => previewFiles(files));
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    send([...event.dataTransfer.files]);
  };
  const onDrag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === "dragover");
  };
  return (
    <>
      <section className="card import-file">
        <label
          className={isOver ? "import-drop over" : "import-drop"}
          onDrop={onDrop}
          onDragOver={onDrag}
          onDragLeave={onDrag}
        >
          <Icon name="upload" />
          <span>{t(busy ? "imports.reading" : isPhone ? "imports.chooseFile" : "imports.drop")}</span>
          <input
            type="file"
            multiple
            className="visually-hidden"
            aria-describedby={id}
            disabled={busy}
            onChange={({ target }) => {
              send([...(target.files ?? [])]);
              // Without this, choosing the same file again would fire no event.
              target.value = "";
            }}
          />
        </label>
        <dl id={id}>
          {IMPORT_SOURCE_NAMES.map((name) => (
            <div key={name}>
              <dt>{IMPORT_SOURCES[name]}</dt>
              <dd>
                <WithCode text={t(`imports.files.${name}`)} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          <span>
            {t("imports.failed")}: {error}
          </span>
        </p>
      )}
      <KeyForm
        busy={busy}
        onKey={(source, key) => read(() => previewByKey(source, key))}
        onAddress={(url) => read(() => previewByAddress(url))}
      />
      <p className="soft small">
        {t("imports.ownFile")} <Link href={paths.profileSection("data")}>{t("profile.data.title")}</Link>
      </p>
    </>
  );
}

/** A text whose parts between backticks are code. */
const WithCode = ({ text }: { text: string }) =>
  text.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));

/** The preview, with the choice of objects to leave out. */
function Choice({ preview, onApplied }: { preview: Preview; onApplied: (applied: Applied) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const errorText = useErrorText();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [history, setHistory] = useState(true);
  const [paused, setPaused] = useState(false);
  const [pingKey, setPingKey] = useState("");
  const [error, setError] = useState<string>();
  const [busy, start] = useTransition();
  const { id, source, version, items, history_from: since } = preview;
  const count = items.filter(isChoosable).filter(({ path }) => !left.has(path)).length;

  const toggle = (path: string) => {
    const next = new Set(left);
    if (!next.delete(path)) next.add(path);
    setLeft(next);
  };
  const apply = () =>
    start(async () => {
      setError(undefined);
      try {
        if (pingKey.trim() !== "") await createPingKey(pingKey.trim());
        onApplied(await applyPreview(id, { skip: [...left], paused, history }));
      } catch (reason) {
        setError(errorText(reason));
      }
    });
  const name = IMPORT_SOURCES[source];
  return (
    <section className="card stack">
      <p>
        <b>{t("imports.found", { source: `${name} ${version}`.trim(), count: items.length })}</b>
        {since && <span className="soft"> · {t("imports.since", { day: format.day(since) })}</span>}
      </p>
      {source === "healthchecks" && (
        <div className="import-key">
          <Field label={t("imports.pingKey")} hint={t("imports.pingKeyHint")} optional>
            <input
              className="code"
              autoComplete="off"
              spellCheck={false}
              maxLength={64}
              value={pingKey}
              disabled={busy}
              onChange={({ target }) => setPingKey(target.value)}
            />
          </Field>
        </div>
      )}
      <div className="actions import-apply">
        <button type="button" disabled={busy || count === 0} aria-busy={busy} onClick={apply}>
          {t(busy ? "imports.taking" : "imports.take", { count, total: items.length })}
        </button>
        {since && <Switch label={t("imports.withHistory")} checked={history} disabled={busy} onChange={setHistory} />}
        <Switch label={t("imports.arrivePaused")} checked={paused} disabled={busy} onChange={setPaused} />
      </div>
      {error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          <span>
            {t("imports.importFailed")}: {error}
          </span>
        </p>
      )}
      {items.length === 0 ? (
        <p className="soft">{t("imports.empty")}</p>
      ) : (
        <Items items={items} left={left} onToggle={toggle} />
      )}
    </section>
  );
}

/** The report of an import. */
function Done({ id, applied }: { id: string; applied: Applied }) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const format = useFormat();
  const { items, history } = applied;
  const count = items.filter(isCreated).length;
  const hasMonitors = items.every(({ part }) => part !== "agents") || items.some(({ part }) => part === "monitors");

  const saveCsv = async () => {
    try {
      saveFile("wakeful-import.csv", String(await readReportCsv(id)), "text/csv");
    } catch (error) {
      toast(failureText(t("imports.report"), error), { tone: "bad" });
    }
  };
  const saveJson = () => saveFile("wakeful-import.json", `${JSON.stringify(applied, null, 2)}\n`);
  return (
    <section className="card stack">
      <div className="message good" role="status">
        <Icon name="up" />
        <div>
          <p>
            <b>{count > 0 ? t("imports.done", { count }) : t("imports.doneNone")}</b>{" "}
            {history.days + history.outages > 0 &&
              t("imports.history", { days: format.number(history.days), outages: format.number(history.outages) })}
          </p>
        </div>
      </div>
      {count > 0 && (
        <div className="message warn">
          <Icon name="bell" />
          <div>
            <b>{t("imports.old.title")}</b>
            <ul className="import-old">
              <li>{t("imports.old.pause")}</li>
              <li>{t("imports.old.both")}</li>
            </ul>
          </div>
        </div>
      )}
      <div className="actions">
        <Link href={hasMonitors ? paths.monitors : paths.agents} className="button">
          {t(hasMonitors ? "imports.toMonitors" : "imports.toServers")}
        </Link>
        <button type="button" className="plain" onClick={() => void saveCsv()}>
          <Icon name="download" />
          {t("imports.report")} (CSV)
        </button>
        <button type="button" className="plain" onClick={saveJson}>
          <Icon name="download" />
          {t("imports.report")} (JSON)
        </button>
      </div>
      {items.some(({ enrollment }) => enrollment) && <Commands items={items} />}
      <Items items={items} />
    </section>
  );
}
