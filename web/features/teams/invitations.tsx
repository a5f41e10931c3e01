import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TeamRole } from "../../../src/shared/accounts/teams";
import { serverAddress } from "../../bootstrap";
import { text } from "../../lib/form";
import { paths } from "../../paths";
import { Copyable } from "../../ui/controls/copy-button";
import { Field } from "../../ui/controls/field";
import { Form, FormFoot } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { useFormat } from "../../ui/hooks/use-format";
import { useSubmit } from "../../ui/hooks/use-submit";
import { type Invitation, invite, type NewInvitation, revokeInvitation, type TeamDetails } from "./api";
import { RoleSelect } from "./role-select";

function InviteForm({ teamId, onInvited }: { teamId: number; onInvited: (made: NewInvitation) => void }) {
  const { t } = useTranslation();
  const form = useSubmit(t("teams.invitation.failed"));
  const [role, setRole] = useState<TeamRole>("editor");
  const onValid = (fields: FormData) =>
    form.submit(async () => onInvited(await invite(teamId, role, text(fields, "email"))));
  return (
    <Form of={form} className="key-form" onValid={onValid}>
      <Field
        label={t("teams.invitation.email")}
        optional
        hint={t("teams.invitation.emailHint")}
        error={form.wrong("email")}
      >
        <input name="email" type="email" maxLength={254} autoComplete="off" />
      </Field>
      <Field label={t("teams.invitation.role")} hint={t(`teams.roleHint.${role}`)} error={form.wrong("role")}>
        <RoleSelect name="role" value={role} onChange={(event) => setRole(event.target.value as TeamRole)} />
      </Field>
      <FormFoot of={form} submit={t("teams.invitation.submit")} />
    </Form>
  );
}

/** The link of an invitation right after it was made. It is not shown again. */
function LinkShown({ made: { token, mailed, email }, onDone }: { made: NewInvitation; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="key-shown">
      <p className="message good" role="status">
        <Icon name="users" />
        <span>{mailed ? t("teams.invitation.mailed", { email: email ?? "" }) : t("teams.invitation.copy")}</span>
      </p>
      <Copyable what={t("teams.invitation.link")} text={`${serverAddress()}${paths.invitation}#${token}`} />
      <div className="actions">
        <button type="button" className="plain" onClick={onDone}>
          {t("teams.invitation.done")}
        </button>
      </div>
    </div>
  );
}

function InvitationRow({ of: { email, role, expires_at }, onRevoke }: { of: Invitation; onRevoke: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = email ?? t("teams.invitation.open");
  return (
    <li>
      <div>
        <strong className="truncate" title={name}>
          {name}
        </strong>
        <span className="soft small">{t("teams.invitation.until", { time: format.moment(expires_at) })}</span>
      </div>
      <span className="tag">{t(`teams.role.${role}`)}</span>
      <button
        type="button"
        className="quiet compact"
        aria-label={t("teams.invitation.revokeOf", { name })}
        onClick={onRevoke}
      >
        {t("teams.invitation.revoke")}
      </button>
    </li>
  );
}

type PendingProps = { of: TeamDetails; onRevoked: (id: number) => void };

/** The invitations to a team that wait, each with the button that revokes it. */
export function PendingInvitations({ of: { team, invitations }, onRevoked }: PendingProps) {
  const { t } = useTranslation();
  const [revoking, setRevoking] = useState<Invitation>();
  return (
    <>
      {invitations.length > 0 && (
        <ul className="key-list">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} of={invitation} onRevoke={() => setRevoking(invitation)} />
          ))}
        </ul>
      )}
      {revoking && (
        <DeleteDialog
          title={t("teams.invitation.revokeTitle")}
          text={t("teams.invitation.revokeText")}
          done={t("teams.invitation.revoked")}
          failed={t("teams.invitation.revokeFailed")}
          action={{ label: t("teams.invitation.revoke"), busy: t("teams.invitation.revoking") }}
          remove={() => revokeInvitation(team.id, revoking.id)}
          onDeleted={() => onRevoked(revoking.id)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

/** The invitations to a team that wait, and the form to invite; for its owners. */
export function Invitations({ of: details, onChanged }: { of: TeamDetails; onChanged: () => void }) {
  const { t } = useTranslation();
  const [fresh, setFresh] = useState<NewInvitation>();
  return (
    <section className="card">
      <h2>{t("teams.invitation.title")}</h2>
      <p className="soft">{t("teams.invitation.text")}</p>
      <PendingInvitations
        of={details}
        onRevoked={(id) => {
          if (fresh?.id === id) setFresh(undefined);
          onChanged();
        }}
      />
      {fresh ? (
        <LinkShown made={fresh} onDone={() => setFresh(undefined)} />
      ) : (
        <InviteForm
          teamId={details.team.id}
          onInvited={(made) => {
            setFresh(made);
            onChanged();
          }}
        />
      )}
    </section>
  );
}
