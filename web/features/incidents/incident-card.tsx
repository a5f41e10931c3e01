import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { base } from "../../lib/navigation/base-path";
import { Icon } from "../../ui/controls/icon";
import { Menu } from "../../ui/controls/menu";
import { Badge } from "../../ui/feedback/badge";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { useFormat } from "../../ui/hooks/use-format";
import { MenuItem } from "../../ui/lists/row-menu";
import {
  deleteIncident,
  type IncidentPage,
  type IncidentSummary,
  type IncidentText,
  incidentAtom,
  type Update,
} from "./api";
import { EditIncident } from "./incident-dialog";
import { UpdateDialog } from "./update-dialog";
import { UpdateForm } from "./update-form";
import { Updates } from "./updates";

/** Updates that are in sight of an open incident. */
const IN_SIGHT = 3;

type Props = {
  summary: IncidentSummary;
  pages: readonly IncidentPage[];
  texts: readonly IncidentText[];
  /** Whether its form is in sight while it is open, and has the focus because the viewer has come to write. */
  isFirst: boolean;
  isAsked: boolean;
  /** Whether the viewer has come from its outage to publish one. */
  isOfOutage: boolean;
  canChange: boolean;
  onChanged: () => void;
};

/** The state of an incident, its impact, components and time. */
function Facts({ of: { impact, status, components, started_at, resolved_at } }: { of: IncidentSummary }) {
  const { t } = useTranslation();
  const format = useFormat();
  // Visitors see the state of the incident, and the owner also the measured one where it differs.
  const stateOf = ({ name, status, measured }: IncidentSummary["components"][number]): string => {
    const state = t("common.labelled", { label: name, value: t(`incidents.component.${status}`) });
    if (!measured || measured === status) return state;
    const beside = t("incidents.measuredState", { state: t(`incidents.component.${measured}`) });
    return t("incidents.editor.withMeasured", { state, measured: beside });
  };
  const facts = [
    impact !== "none" && t(`incidents.impact.${impact}`),
    components.length > 0 && format.names(components.map(stateOf)),
    resolved_at
      ? format.shortDateTimes(started_at, resolved_at).join(" – ")
      : t("incidents.since", { time: format.moment(started_at) }),
  ];
  return (
    <div className="incident-facts">
      <Badge
        tone={status === "resolved" ? "up" : impact === "none" ? "paused" : impact === "minor" ? "degraded" : "down"}
      >
        {t(`incidents.status.${status}`)}
      </Badge>
      <span className="soft small">{facts.filter(Boolean).join(" · ")}</span>
    </div>
  );
}

type BodyProps = Omit<Props, "isFirst"> & { isPosting: boolean };

/** The updates of an incident, below the form for the next one. */
function Body({ summary, pages, texts, isAsked, isPosting, canChange, onChanged }: BodyProps) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(incidentAtom(String(summary.id)));
  const [editing, setEditing] = useState<Update>();
  const reload = () => {
    void refresh();
    onChanged();
  };
  if (!data)
    return error ? (
      <Failure title={t("incidents.editor.loadFailed")} error={error} onRetry={reload} />
    ) : (
      <Skeleton heights={["6rem"]} />
    );
  const onEdit = canChange ? setEditing : undefined;
  const earlier = data.updates.slice(IN_SIGHT);
  return (
    <>
      {isPosting && <UpdateForm incident={data} pages={pages} texts={texts} isAsked={isAsked} onChanged={reload} />}
      <Updates updates={data.updates.slice(0, IN_SIGHT)} onEdit={onEdit} />
      {earlier.length > 0 && (
        <details>
          <summary>{t("incidents.earlier", { count: earlier.length })}</summary>
          <Updates updates={earlier} onEdit={onEdit} />
        </details>
      )}
      {editing && (
        <UpdateDialog incident={data} update={editing} onChanged={reload} onClose={() => setEditing(undefined)} />
      )}
    </>
  );
}

/** The dialog that changes an incident, with its present values. */
function Editor({ id, ...props }: { id: number } & Omit<Parameters<typeof EditIncident>[0], "incident">) {
  const [{ data }, refresh] = useAtom(incidentAtom(String(id)));
  const onChanged = () => {
    void refresh();
    props.onChanged();
  };
  return data ? <EditIncident incident={data} {...props} onChanged={onChanged} /> : null;
}

/** An incident. Its updates are shown while it is open, and on request after it. */
export function IncidentCard(props: Props) {
  const { t } = useTranslation();
  const { summary, pages, isFirst, isAsked, canChange, onChanged } = props;
  const { id, title, key } = summary;
  const [asked, setAsked] = useState<"edit" | "delete">();
  const [isOpen, setOpen] = useState(summary.resolved_at === null);
  const isResolved = summary.resolved_at !== null;
  const [hasPressed, setPressed] = useState(false);
  const isPosting = canChange && (hasPressed || (isFirst && !isResolved));
  const post = () => {
    setOpen(true);
    setPressed(true);
  };
  const close = () => setAsked(undefined);
  const page = pages.find((one) => summary.pages.includes(one.id));
  return (
    <article className="card incident-card" id={`incident-${id}`}>
      <div className="section-head">
        <h3>{title}</h3>
        <span className="incident-actions">
          {canChange && !isResolved && !isPosting && (
            <button type="button" className="plain compact" onClick={post}>
              {t("incidents.editor.post")}
            </button>
          )}
          <Menu label={t("incidents.editor.actions", { name: title })} button={<Icon name="more" />}>
            {canChange && isResolved && (
              <MenuItem icon="plus" onClick={post}>
                {t("incidents.editor.post")}
              </MenuItem>
            )}
            {page && (
              <a
                role="menuitem"
                href={`${base}/status/${encodeURIComponent(page.slug)}/incidents/${key}`}
                target="_blank"
                rel="noopener"
              >
                <Icon name="external" />
                {t("incidents.editor.shown")}
              </a>
            )}
            {canChange && (
              <>
                <MenuItem icon="edit" onClick={() => setAsked("edit")}>
                  {t("common.action.edit")}
                </MenuItem>
                <hr />
                <MenuItem icon="trash" onClick={() => setAsked("delete")}>
                  {t("common.action.delete")}
                </MenuItem>
              </>
            )}
          </Menu>
        </span>
      </div>
      <Facts of={summary} />
      {props.isOfOutage && <p className="soft small">{t("incidents.editor.ofOutage")}</p>}
      {isOpen ? (
        <Body {...props} isAsked={isAsked || hasPressed} isPosting={isPosting} />
      ) : (
        <button type="button" className="quiet compact" onClick={() => setOpen(true)}>
          {t("incidents.all")}
        </button>
      )}
      {asked === "edit" && <Editor id={id} pages={pages} onChanged={onChanged} onClose={close} />}
      {asked === "delete" && (
        <DeleteDialog
          title={t("incidents.editor.deleteTitle", { name: title })}
          text={t("incidents.editor.deleteText")}
          done={t("incidents.editor.deleted")}
          failed={t("incidents.editor.deleteFailed")}
          remove={() => deleteIncident(id)}
          onDeleted={onChanged}
          onClose={close}
        />
      )}
    </article>
  );
}
