import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { BackLink } from "../../../ui/layout/back-link";
import { usePageTitle } from "../../../ui/layout/page-title";
import { monitorAtom, updateMonitor } from "../api";
import { MonitorProblem } from "../monitor-problem";
import { MonitorForm } from "./monitor-form";

export default function EditPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(monitorAtom(id));
  const title = data ? t("monitors.form.editOf", { name: data.monitor.name }) : t("monitors.form.editTitle");
  usePageTitle(title);

  if (!data && error) return <MonitorProblem error={error} onRetry={() => void refresh()} />;
  return (
    <>
      {data && <BackLink to={paths.monitor(id)}>{data.monitor.name}</BackLink>}
      <div className="page-head">
        <h1>{title}</h1>
      </div>
      {data ? (
        <MonitorForm
          monitor={data.monitor}
          submit={t("common.action.save")}
          failed={t("monitors.form.updateFailed")}
          cancelTo={paths.monitor(id)}
          onSave={async (body) => {
            await updateMonitor(id, body);
            void refresh();
            toast(t("monitors.form.updated"));
            return paths.monitor(id);
          }}
        />
      ) : (
        <Skeleton className="sheet" heights={["12rem", "14rem", "10rem"]} />
      )}
    </>
  );
}
