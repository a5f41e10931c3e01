import { useSetAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { paths } from "../../../paths";
import { QuotaReached } from "../../../ui/feedback/quota";
import { toast } from "../../../ui/feedback/toast";
import { createMonitor, monitorsAtom } from "../api";
import { MonitorForm } from "./monitor-form";

export default function CreatePage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const refresh = useSetAtom(monitorsAtom);

  return (
    <div className="narrow">
      <div className="page-head">
        <h1>{t("monitors.form.createTitle")}</h1>
      </div>
      <QuotaReached name="monitors" />
      <MonitorForm
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
