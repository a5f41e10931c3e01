import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearch } from "wouter";
import { isBroken } from "../../../src/shared/notifications";
import { api, CallError, payload } from "../../api";
import mark from "../../assets/mark.svg";
import { noteHubTime } from "../../lib/now";
import { Field } from "../../ui/controls/field";
import { Form } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { StatusMark } from "../../ui/feedback/badge";
import { Elapsed } from "../../ui/feedback/elapsed";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { useSubmit } from "../../ui/hooks/use-submit";
import { usePageTitle } from "../../ui/layout/page-title";
import { useSince } from "../outages/start";
import { type Acknowledged, useAcknowledgedText } from "./acknowledge";
import { outageMark } from "./outage-mark";
import { useReason } from "./use-reason";

/** `more` stands for the other outages of a message about several. */
type Link = { id: number; token: string; more?: string };

const linkRoute = () => api.outages["acknowledge-link"];

const readOutages = async (query: Link) => {
  const sentAt = Date.now();
  const { outage, others, ended } = await payload(linkRoute().get({ query }));
  noteHubTime(outage.now, sentAt);
  return { outages: [outage, ...others], ended };
};

type Open = Awaited<ReturnType<typeof readOutages>>;
type Outage = Open["outages"][number];
/** The open outages of the link, or the error. */
type Found = { open: Open; error?: undefined } | { open?: undefined; error: unknown };

/** Errors that stay: the link was changed, is too old, or its outage has ended. */
const FINAL = ["link_invalid", "link_expired", "outage_ended", "not_found", "invalid_id", "validation"];

function Card({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <div className="account">
      <div className="card account-card linked-outage">
        <header>
          <img src={mark} alt="" />
          <h1>{title}</h1>
        </header>
        {children}
      </div>
    </div>
  );
}

/** The page that the link of a message opens. It acts when its button is pressed, because previews open links, too. */
export default function AcknowledgePage({ id }: { id: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const search = useSearch();
  const link = useMemo((): Link => {
    const [params, number] = [new URLSearchParams(search), Number(id)];
    const more = params.get("more");
    return { id: number, token: params.get("t") ?? "", ...(more && { more }) };
  }, [id, search]);
  const [found, setFound] = useState<Found>();
  const load = useCallback(async () => {
    setFound(
      await readOutages(link).then(
        (open) => ({ open }),
        (error) => ({ error }),
      ),
    );
  }, [link]);
  useEffect(() => void load(), [load]);

  if (!found) return <Skeleton heights={["2.25rem", "9rem"]} />;
  if (found.open) return <Linked link={link} {...found.open} reload={load} />;
  const { error } = found;
  if (!(error instanceof CallError && FINAL.includes(error.code)))
    return <Failure title={t("problems.acknowledge.page.failed")} error={error} onRetry={() => void load()} />;
  if (error.code === "outage_ended")
    return (
      <Card title={t("problems.acknowledge.page.ended")}>
        <p className="soft">{t("problems.acknowledge.page.endedText")}</p>
      </Card>
    );
  return (
    <Card title={t("problems.acknowledge.page.useless")}>
      <p className="soft">{error.code.startsWith("link_") ? errorText(error) : t("errors.code.link_invalid")}</p>
    </Card>
  );
}

type Props = { link: Link; reload: () => Promise<void> };

/** The problems and their starts, and the button or who acknowledged them. */
function Linked({ link, outages, ended, reload }: Props & Open) {
  const { t } = useTranslation();
  const left = outages.filter(({ acknowledged }) => !acknowledged);
  const [first] = outages;
  const isSingle = link.more === undefined;
  const title = isSingle ? first?.target_name : t("problems.acknowledge.page.several", { count: outages.length });
  return (
    <Card title={title ?? ""}>
      {outages.map((outage) => (
        <LinkedState
          key={[outage.target_type, outage.target_name, outage.kind, outage.since].join("\n")}
          {...{ outage, isSingle }}
        />
      ))}
      {ended > 0 && <p className="soft">{t("problems.acknowledge.page.endedToo", { count: ended })}</p>}
      {left.length > 0 ? (
        <LinkForm link={link} count={left.length} reload={reload} />
      ) : (
        isSingle && first?.acknowledged && <Done acknowledged={first.acknowledged} />
      )}
    </Card>
  );
}

/** One problem; of several, with its name and who acknowledged it. */
function LinkedState({ outage, isSingle }: { outage: Outage; isSingle: boolean }) {
  const { t } = useTranslation();
  const reason = useReason();
  const { kind, since, acknowledged, target_name } = outage;
  const begun = useSince()({ ...outage, started_at: since });
  const why = reason({ ...outage, last_report: null }) || t(`outages.kinds.${kind}.label`);
  return (
    <div>
      <p className={isBroken(kind) ? "state down" : "state soon"}>
        <StatusMark status={outageMark(kind)} label={t(`outages.kinds.${kind}.label`)} />{" "}
        <strong>{isSingle ? why : target_name}</strong>
        {!isSingle && <span>{why}</span>}
        <span className="soft">
          {begun} · {t("problems.for")} <Elapsed since={since} />
        </span>
      </p>
      {!isSingle && acknowledged && <Done acknowledged={acknowledged} />}
    </div>
  );
}

function Done({ acknowledged }: { acknowledged: Acknowledged }) {
  const text = useAcknowledgedText();
  const time = useFormat().moment(acknowledged.at);
  return (
    <p className="message good" role="status">
      <Icon name="up" />
      <span>
        {text(acknowledged)} <span className="soft">({time})</span>
      </span>
    </p>
  );
}

function LinkForm({ link, count, reload }: Props & { count: number }) {
  const { t } = useTranslation();
  const form = useSubmit(t("problems.acknowledge.failed"), { plain: true });
  const onValid = (fields: FormData) =>
    form.submit(async () => {
      const [name, note] = [String(fields.get("name")).trim(), String(fields.get("note")).trim()];
      try {
        await payload(linkRoute().post({ ...link, ...(name && { name }), ...(note && { note }) }));
      } catch (error) {
        // The page is loaded again, and says what has happened.
        if (!(error instanceof CallError && [...FINAL, "already_acknowledged"].includes(error.code))) throw error;
        if (error.code === "validation") throw error;
      }
      await reload();
    });
  return (
    <Form of={form} onValid={onValid} guarded={false}>
      {form.error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {form.error}
        </p>
      )}
      <Field label={t("problems.acknowledge.page.name")} optional error={form.wrong("name")}>
        <input name="name" maxLength={100} autoComplete="name" />
      </Field>
      <Field label={t("problems.acknowledge.note")} optional error={form.wrong("note")}>
        <input name="note" maxLength={500} autoComplete="off" />
      </Field>
      <button type="submit" disabled={form.busy} aria-busy={form.busy}>
        {count === 1 ? t("problems.acknowledge.action") : t("problems.acknowledge.page.all", { count })}
      </button>
      <p className="soft small">{t("problems.acknowledge.text")}</p>
    </Form>
  );
}
