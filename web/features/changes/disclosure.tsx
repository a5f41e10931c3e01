import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../ui/feedback/skeleton";
import type { Change } from "./api";
import { ChangeBefore, Changes } from "./lazy";

/** The changes of an object or of some kinds, loaded when it is opened. */
export function ChangesDisclosure({ object }: { object: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details className="card" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{t("profile.changes.title")}</strong>
      </summary>
      {open && (
        <Suspense fallback={<Skeleton heights={["8rem"]} />}>
          <Changes object={object} />
        </Suspense>
      )}
    </details>
  );
}

/** A change in the hour before an outage, as an entry of its timeline. */
export const ChangeEntry = ({ change }: { change: Change }) => (
  <Suspense>
    <ChangeBefore change={change} />
  </Suspense>
);
