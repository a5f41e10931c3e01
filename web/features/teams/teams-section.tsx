import { useAtom, useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { TEAM_LIMITS } from "../../../src/shared/accounts/teams";
import { text } from "../../lib/form";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { Failure } from "../../ui/feedback/failure";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { Skeleton } from "../../ui/feedback/skeleton";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { createTeam, type Team, teamAtom, teamsAtom } from "./api";
import { PendingInvitations } from "./invitations";

/** The dialog that creates a team. */
function CreateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const form = useSubmit(t("teams.create.failed"));
  const onValid = (fields: FormData) =>
    form.submit(
      () => createTeam(text(fields, "name")),
      ({ id, name }) => {
        toast(t("teams.create.done", { name }));
        navigate(paths.team(id));
      },
    );
  return (
    <FormDialog
      of={form}
      title={t("teams.create.title")}
      text={t("teams.create.text")}
      submit={t("teams.create.submit")}
      onValid={onValid}
      onClose={onClose}
    >
      <Field label={t("teams.create.name")} error={form.wrong("name")}>
        <input
          name="name"
          required
          maxLength={TEAM_LIMITS.name}
          placeholder={t("teams.create.placeholder")}
          autoComplete="off"
        />
      </Field>
    </FormDialog>
  );
}

function TeamRow({ team: { id, name, role, members, personal } }: { team: Team }) {
  const { t } = useTranslation();
  return (
    <li>
      <div>
        <Link href={paths.team(id)} className="truncate" title={name}>
          {personal ? t("teams.mine") : name}
        </Link>
        <span className="soft small">{t("teams.members", { count: members })}</span>
      </div>
      <span className="tag">{t(`teams.role.${role}`)}</span>
    </li>
  );
}

/** The members and the pending invitations of the user's only team. */
function OnlyTeam({ id }: { id: number }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(teamAtom(String(id)));
  const own = useAtomValue(sessionAtom).user?.id;
  const reload = () => void refresh();
  if (!data)
    return error ? (
      <Failure title={t("teams.loadFailed")} error={error} onRetry={reload} />
    ) : (
      <Skeleton heights={["4rem"]} />
    );
  return (
    <>
      <ul className="key-list">
        {data.members.map((member) => (
          <li key={member.id}>
            <div className="member-name">
              <strong className="truncate" title={member.username}>
                {member.username}
              </strong>
              {member.id === own && <span className="tag">{t("users.you")}</span>}
            </div>
            <span className="tag">{t(`teams.role.${member.role}`)}</span>
          </li>
        ))}
      </ul>
      {data.invitations.length > 0 && <h3>{t("teams.invitation.title")}</h3>}
      <PendingInvitations of={data} onRevoked={reload} />
    </>
  );
}

/** The teams of the user, or how to share for the first time; a part of the profile. */
export default function TeamsSection() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(teamsAtom);
  const [creating, setCreating] = useState(false);
  if (!data)
    return error ? (
      <Failure title={t("teams.loadFailed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["10rem", "14rem"]} />
    );
  const [first, second] = data;
  const only = first && !second ? first : undefined;
  return (
    <section className="card">
      <h2>{t("profile.team.title")}</h2>
      <p className="soft">{t(only?.members === 1 ? "teams.alone.text" : "teams.text")}</p>
      {only ? (
        <OnlyTeam id={only.id} />
      ) : (
        <ul className="key-list">
          {data.map((team) => (
            <TeamRow key={team.id} team={team} />
          ))}
        </ul>
      )}
      <div className="actions">
        {only && (
          <Link href={paths.team(only.id)} className="button">
            <Icon name="users" />
            {t("teams.alone.invite")}
          </Link>
        )}
        <button type="button" className="plain" onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {t("teams.create.submit")}
        </button>
      </div>
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </section>
  );
}
