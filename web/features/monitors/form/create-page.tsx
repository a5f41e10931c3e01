import { useSetAtom } from "jotai";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { QuotaReached } from "../../../ui/feedback/quota";
import { BackLink } from "../../../ui/layout/back-link";
import { useCreatedNotice } from "../../notifications/alerts-tab/use-created";
import { createMonitor, monitorsAtom } from "../api";
import { type Choice, Chooser, useChoice } from "./chooser";
import { ClonePage } from "./clone-page";
import { MonitorForm } from "./monitor-form";
import { PastePage } from "./paste-page";

/** A new monitor, or with `?clone=` in the address one like another, or with `?paste` one for each line of a list. */
export default function CreatePage() {
  const [search] = useSearchParams();
  const id = search.get("clone");
  if (search.has("paste")) return <PastePage />;
  return id && /^\d{1,15}$/.test(id) ? <ClonePage key={id} id={id} /> : <NewPage />;
}

/** Asks what to watch, beside the form of that. */
function NewPage() {
  const { t } = useTranslation();
  const refresh = useSetAtom(monitorsAtom);
  const notice = useCreatedNotice();
  const { choice, choose } = useChoice();
  const { view, preset } = choice;
  const area = useRef<HTMLDivElement>(null);
  const typed = useRef(false);
  const [choosing, setChoosing] = useState({ count: 0, byPointer: false });
  // A form into which nothing was typed begins again with the kind's own values; another one keeps what it has.
  const key = useRef("");
  if (!typed.current) key.current = `${view.kind} ${preset}`;

  useEffect(() => {
    if (choosing.byPointer)
      area.current?.querySelector<HTMLElement>("form :is(input:not([type=hidden]), select, textarea)")?.focus();
  }, [choosing]);

  const onChoose = (next: Choice, byPointer: boolean) => {
    choose(next);
    setChoosing(({ count }) => ({ count: count + 1, byPointer }));
  };

  return (
    <div className="creation">
      <BackLink to={paths.monitors}>{t("monitors.detail.back")}</BackLink>
      <div className="page-head">
        <h1>{t("monitors.form.createTitle")}</h1>
        <Link href={`${paths.monitorCreate}?paste=1`} className="button quiet">
          <Icon name="list" />
          {t("bulk.paste.link")}
        </Link>
      </div>
      <QuotaReached name="monitors" />
      <div className="choice-and-form">
        <Chooser chosen={choice} onChoose={onChoose} />
        <div
          ref={area}
          onInput={() => {
            typed.current = true;
          }}
        >
          <MonitorForm
            key={key.current}
            choice={choice}
            onPreset={(name) => choose({ view, preset: name })}
            focus={choosing.count === 0}
            submit={t("monitors.form.submitCreate")}
            failed={t("monitors.form.createFailed")}
            cancelTo={paths.monitors}
            onSave={async (body) => {
              const { monitor } = await createMonitor(body);
              void refresh();
              void notice(monitor.id);
              // The page of a passive monitor has the address for its reports.
              return view.passive ? paths.monitor(monitor.id) : paths.monitors;
            }}
          />
        </div>
      </div>
    </div>
  );
}
