import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConfigOf } from "../../../../../src/shared/monitor-kinds/field";
import { CRON_LENGTH, heartbeat as description, ZONE_LENGTH } from "../../../../../src/shared/monitor-kinds/heartbeat";
import { isTimeZone } from "../../../../../src/shared/time-zone";
import { text } from "../../../../lib/form";
import { browserTimeZone, timeZones } from "../../../../lib/format";
import { later } from "../../../../lib/offline/code";
import { Field } from "../../../../ui/controls/field";
import { Segments } from "../../../../ui/controls/segments";
import { useFormat } from "../../../../ui/hooks/use-format";
import type { Monitor } from "../../api";
import { DurationField, secondsIn, secondsOf, toDuration } from "./fields/duration-field";
import type { FieldsProps, KindView } from "./kind";
import { NextTimes } from "./next-times";
import { kindView } from "./view";

type HeartbeatFields = ConfigOf<(typeof description)["fields"]>;

/** A job once a day that may be an hour late. */
const initial: HeartbeatFields = { every: 86_400, grace: 3600, post_only: false };
const fieldsOf = (monitor?: Monitor) => (monitor?.config as HeartbeatFields | undefined) ?? initial;

const WAYS = ["every", "cron"] as const;
type Way = (typeof WAYS)[number];

/** The time zone of a cron expression; suggests the browser's zones. */
function ZoneField({
  stored,
  wrong,
  onChange,
}: { stored: string; onChange: (zone: string) => void } & Pick<FieldsProps, "wrong">) {
  const { t } = useTranslation();
  return (
    <>
      <Field label={t("kinds.heartbeat.tz")} error={wrong("tz")}>
        <input
          name="tz"
          type="text"
          list="time-zones"
          required
          maxLength={ZONE_LENGTH}
          defaultValue={stored}
          onChange={({ target }) => onChange(target.value.trim())}
          // The whole list is offered again when another zone is searched.
          onFocus={({ target }) => target.select()}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <datalist id="time-zones">
        {timeZones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

function CronFields({ stored, wrong }: { stored: HeartbeatFields } & Pick<FieldsProps, "wrong">) {
  const { t } = useTranslation();
  const [cron, setCron] = useState(stored.cron ?? "");
  const [zone, setZone] = useState(stored.tz ?? browserTimeZone());
  return (
    <>
      <div className="pair">
        <Field label={t("kinds.heartbeat.cron")} hint={t("kinds.heartbeat.cronHint")} error={wrong("cron")}>
          <input
            name="cron"
            type="text"
            required
            maxLength={CRON_LENGTH}
            defaultValue={stored.cron}
            onChange={({ target }) => setCron(target.value.trim())}
            placeholder="0 3 * * *"
            className="code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <ZoneField stored={zone} wrong={wrong} onChange={setZone} />
      </div>
      <NextTimes cron={cron} zone={zone} />
    </>
  );
}

const Target: KindView["Target"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const stored = fieldsOf(monitor);
  const [way, setWay] = useState<Way>(stored.cron === undefined ? "every" : "cron");
  const [every, setEvery] = useState(() => toDuration(stored.every ?? (initial.every as number)));
  const [grace, setGrace] = useState(() => toDuration(stored.grace));
  const longest = secondsOf(every) + secondsOf(grace);
  return (
    <>
      <input type="hidden" name="way" value={way} />
      <Segments
        label={t("kinds.heartbeat.schedule")}
        choices={WAYS.map((value) => ({ value, label: t(`kinds.heartbeat.way.${value}`) }))}
        chosen={way}
        onChoose={setWay}
      />
      {way === "cron" && <CronFields stored={stored} wrong={wrong} />}
      <div className="pair">
        {way === "every" && (
          <DurationField
            name="every"
            label={t("kinds.heartbeat.every")}
            error={wrong("every")}
            value={every}
            onChange={setEvery}
          />
        )}
        <DurationField
          name="grace"
          label={t("kinds.heartbeat.grace")}
          hint={t("kinds.heartbeat.graceHint")}
          error={wrong("grace")}
          value={grace}
          onChange={setGrace}
        />
      </div>
      {way === "every" && longest > 0 && (
        <p className="soft small">{t("kinds.heartbeat.summary", { duration: format.duration(longest) })}</p>
      )}
    </>
  );
};

/** Whether a text may be a cron expression: five fields or a name. The hub knows which of them have a time. */
const looksLikeCron = (cron: string) => /^@\w+$/.test(cron) || cron.split(/\s+/).length === 5;

/** A duration in the language of the page. */
const Length = ({ seconds }: { seconds: number }) => useFormat().duration(seconds);

const isByCron = (form: FormData) => text(form, "way") === "cron";

/** A job that reports its runs: in a period, or by a cron expression in a time zone. */
export const heartbeat = kindView(
  description,
  {
    every: { read: (form) => (isByCron(form) ? {} : { every: secondsIn(form, "every") }) },
    cron: {
      read: (form) => (isByCron(form) ? { cron: text(form, "cron"), tz: text(form, "tz") } : {}),
      isValid: (form) => !isByCron(form) || looksLikeCron(text(form, "cron")),
    },
    tz: { read: () => ({}), isValid: (form) => !isByCron(form) || isTimeZone(text(form, "tz")) },
    grace: { read: (form) => ({ grace: secondsIn(form, "grace") }) },
  },
  {
    Target,
    nameOf: () => "",
    facts: (monitor, t) => {
      const { every, cron, tz, grace, post_only, slug } = fieldsOf(monitor);
      return {
        target: [
          { label: t("monitors.detail.kind"), value: t("kinds.heartbeat.label") },
          every === undefined
            ? { label: t("kinds.heartbeat.cron"), value: `${cron} (${tz})` }
            : { label: t("kinds.heartbeat.every"), value: <Length seconds={every} /> },
          { label: t("kinds.heartbeat.grace"), value: <Length seconds={grace} /> },
          ...(slug ? [{ label: t("kinds.heartbeat.slug"), value: <code>{slug}</code> }] : []),
        ],
        rules: [{ label: t("kinds.heartbeat.methods"), value: post_only ? "POST" : "GET, HEAD, POST" }],
      };
    },
    Panel: later(() => import("../../detail/heartbeat/ping-panel")),
    Latest: later(async () => {
      const panel = await import("../../detail/heartbeat/latest-pings");
      return panel;
    }),
    history: {
      label: (t) => t("kinds.heartbeat.history"),
      Panel: later(() => import("../../detail/heartbeat/reports-tab")),
    },
  },
);
