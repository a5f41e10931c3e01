import { useSetAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { paths } from "../../paths";
import { usePageTitle } from "../../ui/page-title";
import { QuotaReached } from "../../ui/quota";
import { toast } from "../../ui/toast";
import { createMonitor } from "./calls";
import { MonitorForm, newMonitor } from "./monitor-form";
import { monitorsAtom } from "./monitors-state";

export default function CreatePage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const refresh = useSetAtom(monitorsAtom);
  usePageTitle(t("monitors.form.createTitle"));

  return (
    <div className="narrow">
      <div className="page-head">
        <h1>{t("monitors.form.createTitle")}</h1>
      </div>
      <QuotaReached name="monitors" />
      <MonitorForm
        values={newMonitor}
        submit={t("monitors.form.submitCreate")}
        failed={t("monitors.form.createFailed")}
        cancelTo={paths.monitors}
        onSave={async (body) => {
          await createMonitor(body);
          void refresh();
          toast(t("monitors.form.created"));
          navigate(paths.monitors);
        }}
      />
    </div>
  );
}
