import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { TEAM_LIMITS } from "../../../src/shared/accounts/teams";
import { text } from "../../lib/form";
import { paths } from "../../paths";
import { Field } from "../../ui/controls/field";
import { Form, FormFoot } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { createTeam, type Team, teamsAtom } from "./api";

function CreateForm() {
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
    <Form of={form} className="card" onValid={onValid}>
      <h2>{t("teams.create.title")}</h2>
      <p className="soft">{t("teams.create.text")}</p>
      <Field label={t("teams.create.name")} error={form.wrong("name")}>
        <input
          name="name"
          required
          maxLength={TEAM_LIMITS.name}
          placeholder={t("teams.create.placeholder")}
          autoComplete="off"
        />
      </Field>
      <FormFoot of={form} submit={t("teams.create.submit")} />
    </Form>
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

/** The teams of the user, or how to share for the first time; a part of the profile. */
export default function TeamsSection() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(teamsAtom);
  if (!data)
    return error ? (
      <Failure title={t("teams.loadFailed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["10rem", "14rem"]} />
    );
  const [first, second] = data;
  const alone = first && !second && first.members === 1 ? first : undefined;
  return (
    <>
      <section className="card">
        <h2>{t("profile.team.title")}</h2>
        <p className="soft">{t(alone ? "teams.alone.text" : "teams.text")}</p>
        {alone ? (
          <div className="actions">
            <Link href={paths.team(alone.id)} className="button">
              <Icon name="users" />
              {t("teams.alone.invite")}
            </Link>
          </div>
        ) : (
          <ul className="key-list">
            {data.map((team) => (
              <TeamRow key={team.id} team={team} />
            ))}
          </ul>
        )}
      </section>
      <CreateForm />
    </>
  );
}
