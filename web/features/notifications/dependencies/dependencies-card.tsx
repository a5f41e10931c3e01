import { useAtom } from "jotai";
import { useId, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { MAX_PARENTS } from "../../../../src/shared/notifications";
import { CallError } from "../../../api";
import { paths } from "../../../paths";
import { IconButton } from "../../../ui/controls/icon-button";
import { StatusMark } from "../../../ui/feedback/badge";
import { Failure } from "../../../ui/feedback/failure";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { dependenciesAtom, keyOf, type NamedTarget, type RelatedTarget, saveParents } from "./api";
import { TargetPicker } from "./target-picker";

/** The parents of a monitor or server, which can be changed here, and its children. Changes are saved at once. */
export function DependenciesCard({ target }: { target: NamedTarget }) {
  const { t } = useTranslation();
  const id = useId();
  const [{ data, error }, refresh] = useAtom(dependenciesAtom(keyOf(target)));
  const { busy, wrong, save } = useSave(target, async () => void (await refresh()));
  if (!data && error)
    return <Failure error={error} title={t("notifications.dependencies.failed")} onRetry={() => void refresh()} />;
  const { parents = [], children = [] } = data ?? {};
  const remove = (parent: RelatedTarget) => save(parents.filter((one) => keyOf(one) !== keyOf(parent)));

  return (
    <section className="card dependencies" aria-labelledby={`${id}-title`} aria-busy={!data}>
      <h2 id={`${id}-title`}>{t("notifications.dependencies.title")}</h2>
      <div>
        <h3 id={`${id}-parents`}>{t("notifications.dependencies.parents")}</h3>
        <p className="soft small">{t("notifications.dependencies.hint", { name: target.name })}</p>
        {parents.length > 0 && (
          <ul aria-labelledby={`${id}-parents`}>
            {parents.map((parent) => (
              <li key={keyOf(parent)}>
                <TargetLink target={parent} />
                <IconButton
                  icon="cross"
                  label={t("notifications.dependencies.remove")}
                  of={parent.name}
                  className="quiet icon-only"
                  disabled={busy}
                  onClick={() => remove(parent)}
                />
              </li>
            ))}
          </ul>
        )}
        {data && parents.length < MAX_PARENTS && (
          <TargetPicker
            label={t("notifications.dependencies.add")}
            without={[target, ...parents].map(keyOf)}
            busy={busy}
            errorId={wrong && `${id}-wrong`}
            onPick={(picked) => save([...parents, picked])}
          />
        )}
        {wrong && (
          <p className="wrong" id={`${id}-wrong`} role="alert">
            {wrong}
          </p>
        )}
      </div>
      {children.length > 0 && (
        <div>
          <h3 id={`${id}-children`}>{t("notifications.dependencies.children")}</h3>
          <ul aria-labelledby={`${id}-children`}>
            {children.map((child) => (
              <li key={keyOf(child)}>
                <TargetLink target={child} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

/** Saves parents; `wrong` says why that was refused. */
const useSave = (target: NamedTarget, refresh: () => Promise<void>) => {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [wrong, setWrong] = useState<string>();
  const [busy, start] = useTransition();
  const save = (parents: readonly Pick<RelatedTarget, "type" | "id">[]) =>
    start(async () => {
      try {
        await saveParents(target, parents);
        setWrong(undefined);
        await refresh();
      } catch (error) {
        const isInvalid = error instanceof CallError && error.code === "validation";
        setWrong(isInvalid ? t("notifications.dependencies.invalid") : errorText(error));
      }
    });
  return { busy, wrong, save };
};

function TargetLink({ target: { type, id, name, down } }: { target: RelatedTarget }) {
  const { t } = useTranslation();
  const broken = type === "monitor" ? "down" : "offline";
  return (
    <>
      {down && <StatusMark status={broken} label={t(`outages.kinds.${broken}.label`)} />}
      <Link href={type === "monitor" ? paths.monitor(id) : paths.agent(id)} className="truncate">
        {name}
      </Link>
      <span className="soft small">{t(`notifications.dependencies.type.${type}`)}</span>
    </>
  );
}
