import { useSetAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { POLICY_LIMITS } from "../../../../src/shared/alert-policy";
import { browserTimeZone } from "../../../lib/format";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { Empty } from "../../../ui/feedback/empty";
import { toast } from "../../../ui/feedback/toast";
import type { Channel, Notifications } from "../api";
import { createPolicy, deletePolicy, notificationsAtom, saveSetting, updatePolicy } from "../api";
import { type GlobalKey, toSettingBody } from "../rules/drafts";
import { draftOf, newDraft, type Policy, type PolicyBody } from "./policy";
import { PolicyDialog } from "./policy-dialog";
import { PolicyText } from "./sentence";

const GLOBALS = ["global-monitor", "global-agent"] as const satisfies readonly GlobalKey[];

type CardProps = { policy: Policy; channels: readonly Channel[]; onEdit: () => void; onDelete: () => void };

function PolicyCard({ policy, channels, onEdit, onDelete }: CardProps) {
  const { t } = useTranslation();
  const { name, usedBy, deletedChannels } = policy;
  return (
    <article className="card item-card policy-card">
      <header>
        <div>
          <h2 className="truncate">{name}</h2>
          <p className="soft small">{usedBy > 0 ? t("policies.usedBy", { count: usedBy }) : t("policies.unused")}</p>
        </div>
      </header>
      <PolicyText policy={policy} channels={channels} />
      {deletedChannels.length > 0 && (
        <p className="message warn">
          <Icon name="alert" />
          <span>{t("policies.hasDeleted")}</span>
        </p>
      )}
      <footer>
        <button
          type="button"
          className="quiet compact"
          aria-label={t("common.labelled", { label: t("common.action.edit"), value: name })}
          onClick={onEdit}
        >
          <Icon name="edit" />
          {t("common.action.edit")}
        </button>
        <IconButton icon="trash" label={t("common.action.delete")} of={name} onClick={onDelete} />
      </footer>
    </article>
  );
}

type DeleteProps = {
  policy: Policy;
  settings: Notifications["settings"];
  onDeleted: () => void;
  onClose: () => void;
};

/** Asks before a policy is deleted, and says which alerts that changes. */
function DeletePolicy({ policy: { id, name }, settings, ...on }: DeleteProps) {
  const { t } = useTranslation();
  const rules = Object.values(settings).filter((rule) => rule?.policyId === id);
  const silent = rules.filter((rule) => rule?.enabled && rule.channels.length === 0);
  return (
    <DeleteDialog
      title={t("policies.deleteTitle", { name })}
      text={rules.length > 0 ? t("policies.deleteUsed", { count: rules.length }) : t("policies.deleteUnused")}
      done={t("policies.deleted", { name })}
      failed={t("policies.deleteFailed")}
      remove={() => deletePolicy(id)}
      {...on}
    >
      {silent.length > 0 && <p>{t("policies.deleteSilent", { count: silent.length })}</p>}
    </DeleteDialog>
  );
}

/** The policy of a new draft: it notifies whom the present settings notify, or else every enabled channel. */
const draftFrom = ({ settings, channels }: Notifications, name: string) => {
  const chosen = GLOBALS.map((key) => settings[key].channels).find((ids) => ids.length > 0);
  const enabled = channels.filter((channel) => channel.enabled).map(({ id }) => id);
  return newDraft(name, (chosen ?? enabled).slice(0, POLICY_LIMITS.channelsPerStep), browserTimeZone());
};

type Props = { data: Notifications; onAddChannel: () => void };

export function PoliciesTab({ data, onAddChannel }: Props) {
  const { t } = useTranslation();
  const refresh = useSetAtom(notificationsAtom);
  const { policies, channels, settings } = data;
  const [editing, setEditing] = useState<{ policy?: Policy; draft: ReturnType<typeof newDraft> }>();
  const [deleting, setDeleting] = useState<Policy>();
  const isFull = policies.length >= POLICY_LIMITS.policies;

  const save = async (body: PolicyBody, forAll: boolean) => {
    const id = editing?.policy?.id;
    if (id !== undefined) await updatePolicy(id, body);
    else {
      const { data } = await createPolicy(body);
      if (forAll)
        await Promise.all(
          GLOBALS.map((key) => saveSetting({ ...toSettingBody(key, settings[key]), policy_id: data.id })),
        );
    }
    toast(t("policies.saved"));
    await refresh();
  };

  return (
    <>
      {policies.length === 0 ? (
        <Empty heading="h2" icon="layers" title={t("policies.emptyTitle")} text={t("policies.emptyText")}>
          {channels.length === 0 ? (
            <>
              <p className="soft small">{t("policies.needsChannel")}</p>
              <button type="button" onClick={onAddChannel}>
                <Icon name="plus" />
                {t("notifications.start.addChannel")}
              </button>
            </>
          ) : (
            <button type="button" onClick={() => setEditing({ draft: draftFrom(data, t("policies.firstName")) })}>
              <Icon name="plus" />
              {t("policies.fromRule")}
            </button>
          )}
        </Empty>
      ) : (
        <div className="stack">
          <p className="soft">{t("policies.intro")}</p>
          <div className="actions">
            <button type="button" disabled={isFull} onClick={() => setEditing({ draft: draftFrom(data, "") })}>
              <Icon name="plus" />
              {t("policies.add")}
            </button>
            {isFull && <span className="soft small">{t("policies.full", { limit: POLICY_LIMITS.policies })}</span>}
          </div>
          <ul className="card-grid policy-grid">
            {policies.map((policy) => (
              <li key={policy.id}>
                <PolicyCard
                  policy={policy}
                  channels={channels}
                  onEdit={() => setEditing({ policy, draft: draftOf(policy, browserTimeZone()) })}
                  onDelete={() => setDeleting(policy)}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      {editing && (
        <PolicyDialog
          initial={editing.draft}
          stored={editing.policy !== undefined}
          channels={channels}
          forAll={policies.length === 0}
          onSave={save}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <DeletePolicy
          policy={deleting}
          settings={settings}
          onDeleted={() => void refresh()}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
