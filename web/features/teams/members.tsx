import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { TeamRole } from "../../../src/shared/accounts/teams";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { changeMember, type Member, removeMember, type Team, type TeamDetails } from "./api";
import { RoleSelect } from "./role-select";

type RowProps = { team: Team; member: Member; isOwn: boolean; onChanged: () => void; onRemove: () => void };

function MemberRow({ team, member: { id, username, role, permanent }, isOwn, onChanged, onRemove }: RowProps) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const manages = team.role === "owner" && !permanent;

  const change = async (next: TeamRole) => {
    try {
      await changeMember(team.id, id, next);
      toast(t("teams.member.changed", { name: username }));
    } catch (error) {
      toast(failureText(t("teams.member.changeFailed"), error), { tone: "bad" });
    }
    onChanged();
  };

  return (
    <li>
      <div className="member-name">
        <strong className="truncate" title={username}>
          {username}
        </strong>
        {isOwn && <span className="tag">{t("users.you")}</span>}
      </div>
      {manages ? (
        <RoleSelect
          aria-label={t("teams.member.roleOf", { name: username })}
          value={role}
          onChange={(event) => void change(event.target.value as TeamRole)}
        />
      ) : (
        <span className="tag">{t(`teams.role.${role}`)}</span>
      )}
      {(manages || isOwn) && !permanent && (
        <button
          type="button"
          className="quiet compact"
          aria-label={isOwn ? undefined : t("teams.member.removeOf", { name: username })}
          onClick={onRemove}
        >
          {t(isOwn ? "teams.member.leave" : "teams.member.remove")}
        </button>
      )}
    </li>
  );
}

type RemoveProps = { team: Team; member: Member; isOwn: boolean; onRemoved: () => void; onClose: () => void };

function RemoveMember({ team, member: { id, username }, isOwn, onRemoved, onClose }: RemoveProps) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const name = isOwn ? team.name : username;
  return (
    <DeleteDialog
      title={t(isOwn ? "teams.member.leaveTitle" : "teams.member.removeTitle", { name })}
      text={t(isOwn ? "teams.member.leaveText" : "teams.member.removeText")}
      done={t(isOwn ? "teams.member.left" : "teams.member.removed", { name })}
      failed={t("teams.member.removeFailed")}
      action={{
        label: t(isOwn ? "teams.member.leave" : "teams.member.remove"),
        busy: t(isOwn ? "teams.member.leaving" : "teams.member.removing"),
      }}
      remove={() => removeMember(team.id, id)}
      onDeleted={() => (isOwn ? navigate(paths.profileSection("team")) : onRemoved())}
      onClose={onClose}
    />
  );
}

/** The members of a team with their roles. */
export function Members({ of: { team, members }, onChanged }: { of: TeamDetails; onChanged: () => void }) {
  const { t } = useTranslation();
  const own = useAtomValue(sessionAtom).user?.id;
  const [removing, setRemoving] = useState<Member>();
  return (
    <section className="card">
      <h2>{t("teams.member.title")}</h2>
      <p className="soft">{t(team.personal ? "teams.page.personal" : "teams.text")}</p>
      <ul className="key-list">
        {members.map((member) => (
          <MemberRow
            key={member.id}
            team={team}
            member={member}
            isOwn={member.id === own}
            onChanged={onChanged}
            onRemove={() => setRemoving(member)}
          />
        ))}
      </ul>
      {removing && (
        <RemoveMember
          team={team}
          member={removing}
          isOwn={removing.id === own}
          onRemoved={onChanged}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </section>
  );
}
