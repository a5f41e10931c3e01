import { useSetAtom } from "jotai";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { POLICY_LIMITS } from "../../../../src/shared/alert-policy";
import { browserTimeZone } from "../../../lib/format";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { toast } from "../../../ui/feedback/toast";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Channel, Notifications } from "../api";
import { createPolicy, deletePolicy, notificationsAtom, saveSetting, updatePolicy } from "../api";
import { useTargetName } from "../labels";
import { type GlobalKey, toSettingBody } from "../rules/drafts";
import { draftOf, newDraft, type Policy, type PolicyBody } from "./policy";
import { PolicyDialog } from "./policy-dialog";
import { PolicyText } from "./sentence";

const GLOBALS = ["global-monitor", "global-agent"] as const satisfies readonly GlobalKey[];

type CardProps = {
  policy: Policy;
  /** The names of the default rules that use it. */
  rules: readonly string[];
  channels: readonly Channel[];
  onEdit: () => void;
  onDelete: () => void;
};

function PolicyRow({ policy, rules, channels, onEdit, onDelete }: CardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, usedBy, deletedChannels } = policy;
  const exceptions = usedBy - rules.length;
  const usersText = format.list([
    ...rules,
    ...(exceptions > 0 ? [t("policies.exceptions", { count: exceptions })] : []),
  ]);
  return (
    <article className="rule-row">
      <Icon name="bell" />
      <h3 className="rule-name truncate" title={name}>
        {name}
      </h3>
      <div className="rule-text soft small">
        <PolicyText policy={policy} channels={channels} />
        {deletedChannels.length > 0 && (
          <p className="message warn">
            <Icon name="alert" />
            <span>{t("policies.hasDeleted")}</span>
          </p>
        )}
        <p>{usedBy > 0 ? t("policies.usedBy", { names: usersText }) : t("policies.unused")}</p>
      </div>
      <span className="rule-actions">
        <IconButton icon="edit" label={t("common.action.edit")} of={name} onClick={onEdit} />
        <IconButton icon="trash" label={t("common.action.delete")} of={name} onClick={onDelete} />
      </span>
    </article>
  );
}

type DeleteProps = { policy: Policy; onDeleted: () => void; onClose: () => void };

/** Asks before a policy is deleted, and says which alerts that changes. */
function DeletePolicy({ policy: { id, name, usedBy, neededBy }, ...on }: DeleteProps) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t("policies.deleteTitle", { name })}
      text={usedBy > 0 ? t("policies.deleteUsed", { count: usedBy }) : t("policies.deleteUnused")}
      done={t("policies.deleted", { name })}
      failed={t("policies.deleteFailed")}
      remove={() => deletePolicy(id)}
      {...on}
    >
      {neededBy > 0 && <p>{t("policies.deleteSilent", { count: neededBy })}</p>}
    </DeleteDialog>
  );
}

/** The policy of a new draft: it notifies whom the present settings notify, or else every enabled channel. */
const draftFrom = ({ settings, channels }: Notifications, name: string) => {
  const chosen = GLOBALS.map((key) => settings[key].channels).find((ids) => ids.length > 0);
  const enabled = channels.filter((channel) => channel.enabled).map(({ id }) => id);
  return newDraft(name, (chosen ?? enabled).slice(0, POLICY_LIMITS.channelsPerStep), browserTimeZone());
};

/** The alert policies, which rules refer to. */
export function PoliciesPart({ data }: { data: Notifications }) {
  const { t } = useTranslation();
  const titleId = useId();
  const targetName = useTargetName();
  const refresh = useSetAtom(notificationsAtom);
  const { policies, channels, settings } = data;
  const [editing, setEditing] = useState<{ policy?: Policy; draft: ReturnType<typeof newDraft> }>();
  const [deleting, setDeleting] = useState<Policy>();
  const isFull = policies.length >= POLICY_LIMITS.policies;
  const hasChannels = channels.length > 0;

  const save = async ({ version, ...body }: PolicyBody & { version: string | undefined }, forAll: boolean) => {
    const id = editing?.policy?.id;
    if (id !== undefined) await updatePolicy(id, { ...body, ...(version !== undefined && { version }) });
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
    <section className="card rules-part" aria-labelledby={titleId} id="policies">
      <div className="section-head">
        <h2 id={titleId}>
          {t("notifications.tab.policies")} <span className="soft figure">{policies.length}</span>
        </h2>
        <button
          type="button"
          className="plain compact"
          disabled={isFull || !hasChannels}
          onClick={() => setEditing({ draft: draftFrom(data, policies.length === 0 ? t("policies.firstName") : "") })}
        >
          <Icon name="plus" />
          {t("policies.add")}
        </button>
      </div>
      {isFull && <p className="soft small">{t("policies.full", { limit: POLICY_LIMITS.policies })}</p>}
      {policies.length === 0 ? (
        <p className="soft small">
          {t("policies.emptyText")} {!hasChannels && t("policies.needsChannel")}
        </p>
      ) : (
        <ul className="rule-rows">
          {policies.map((policy) => (
            <li key={policy.id}>
              <PolicyRow
                policy={policy}
                rules={GLOBALS.filter((key) => settings[key].policyId === policy.id).map((key) => targetName(key, ""))}
                channels={channels}
                onEdit={() => setEditing({ policy, draft: draftOf(policy, browserTimeZone()) })}
                onDelete={() => setDeleting(policy)}
              />
            </li>
          ))}
        </ul>
      )}
      {editing && (
        <PolicyDialog
          initial={editing.draft}
          stored={editing.policy}
          channels={channels}
          forAll={policies.length === 0}
          onSave={save}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <DeletePolicy policy={deleting} onDeleted={() => void refresh()} onClose={() => setDeleting(undefined)} />
      )}
    </section>
  );
}
