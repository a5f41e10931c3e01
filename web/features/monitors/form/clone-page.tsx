import { useAtomValue, useSetAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { MASK, withoutMasks } from "../../../../src/shared/mask";
import { paths } from "../../../paths";
import { QuotaReached } from "../../../ui/feedback/quota";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { BackLink } from "../../../ui/layout/back-link";
import { useCreatedNotice } from "../../notifications/alerts-tab/use-created";
import { createMonitor, type Monitor, monitorAtom, monitorsAtom } from "../api";
import { MonitorProblem } from "../monitor-problem";
import { MonitorForm } from "./monitor-form";

/** A monitor as the form of a new one begins with it. */
const copyOf = (monitor: Monitor, name: string): Monitor => ({
  ...(withoutMasks({ body: "", headers: {}, ...monitor }) as Monitor),
  body: monitor.body === MASK ? "" : monitor.body,
  name,
});

/** The form of a new monitor, filled in with the values of another one. */
export function ClonePage({ id }: { id: string }) {
  const { t } = useTranslation();
  const refresh = useSetAtom(monitorsAtom);
  const notice = useCreatedNotice();
  const { data, error } = useAtomValue(monitorAtom(id));
  const retry = useSetAtom(monitorAtom(id));

  if (!data && error) return <MonitorProblem error={error} onRetry={() => void retry()} />;
  const copy = data && copyOf(data.monitor, t("bulk.copyOf", { name: data.monitor.name }));
  return (
    <>
      {data && <BackLink to={paths.monitor(id)}>{data.monitor.name}</BackLink>}
      <div className="page-head">
        <h1>{t("bulk.cloneTitle")}</h1>
      </div>
      <QuotaReached name="monitors" />
      {copy ? (
        <MonitorForm
          monitor={copy}
          submit={t("monitors.form.submitCreate")}
          failed={t("monitors.form.createFailed")}
          cancelTo={paths.monitor(id)}
          onSave={async (body) => {
            const { monitor } = await createMonitor({ tags: copy.tags, ...body });
            void refresh();
            void notice(monitor.id);
            return paths.monitor(monitor.id);
          }}
        />
      ) : (
        <Skeleton className="sheet" heights={["12rem", "14rem", "10rem"]} />
      )}
    </>
  );
}
