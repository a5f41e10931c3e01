import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { configAtom } from "./calls";
import { ConfigForm } from "./config-form";

export default function ConfigPage() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(configAtom);

  if (!data)
    return error ? (
      <Failure title={t("status.loadFailed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["2.5rem", "2.5rem", "11rem", "20rem"]} />
    );
  return (
    <div className="narrow">
      <ConfigForm config={data.config} onSaved={refresh} />
    </div>
  );
}
