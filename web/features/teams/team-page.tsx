import { useAtom, useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { TEAM_LIMITS } from "../../../src/shared/accounts/teams";
import { QUOTA_NAMES } from "../../../src/shared/limits";
import { isMissing } from "../../api";
import { text } from "../../lib/form";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { Field } from "../../ui/controls/field";
import { Form, FormFoot } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { BackLink } from "../../ui/layout/back-link";
import { usePageTitle } from "../../ui/layout/page-title";
import { deleteTeam, renameTeam, type Team, type TeamDetails, teamAtom } from "./api";
import { Invitations } from "./invitations";
import { Members } from "./members";
import { OwnChannels } from "./own-channels";
import { TeamKeys } from "./team-keys";

function NameForm({ team: { id, name }, onSaved }: { team: Team; onSaved: () => void }) {
  const { t } = useTranslation();
  const form = useSubmit(t("teams.rename.failed"));
  const onValid = (fields: FormData) =>
    form.submit(async () => {
      await renameTeam(id, text(fields, "name"));
      toast(t("teams.rename.done"));
      onSaved();
    });
  return (
    <Form of={form} className="card" onValid={onValid}>
      <h2>{t("teams.rename.title")}</h2>
      <Field label={t("teams.create.name")} error={form.wrong("name")}>
        <input name="name" required maxLength={TEAM_LIMITS.name} defaultValue={name} autoComplete="off" />
      </Field>
      <FormFoot of={form} plain submit={t("teams.rename.submit")} />
    </Form>
  );
}

function Quotas({ quotas }: { quotas: NonNullable<TeamDetails["quotas"]> }) {
  const { t } = useTranslation();
  return (
    <section className="card">
      <h2>{t("teams.quotas.title")}</h2>
      <p className="soft">{t("teams.quotas.text")}</p>
      <dl className="facts">
        {QUOTA_NAMES.filter((name) => name !== "keys").map((name) => (
          <div key={name}>
            <dt>{t(`profile.quotas.name.${name}`)}</dt>
            <dd>{t("profile.quotas.count", quotas[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const kinds = ["monitors", "agents", "channels"] as const;

function DeleteSection({ of: { team, owns } }: { of: TeamDetails }) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const [deleting, setDeleting] = useState(false);
  const { id, name } = team;
  return (
    <section className="card">
      <h2>{t("teams.delete.title")}</h2>
      <p className="soft">{t("teams.delete.text")}</p>
      <div className="actions">
        <button type="button" className="plain" onClick={() => setDeleting(true)}>
          <Icon name="trash" />
          {t("teams.delete.title")}
        </button>
      </div>
      {deleting && (
        <DeleteDialog
          title={t("teams.delete.question", { name })}
          text={t("teams.delete.consequences")}
          done={t("teams.delete.done", { name })}
          failed={t("teams.delete.failed")}
          remove={() => deleteTeam(id)}
          onDeleted={() => navigate(paths.profileSection("team"))}
          onClose={() => setDeleting(false)}
        >
          <ul className="consequences">
            {kinds
              .filter((kind) => owns[kind] > 0)
              .map((kind) => (
                <li key={kind}>{t(`teams.delete.${kind}`, { count: owns[kind] })}</li>
              ))}
            <li>{t("teams.delete.rest")}</li>
          </ul>
        </DeleteDialog>
      )}
    </section>
  );
}

/** A team: its members, invitations, quotas, name, and its deletion. */
export default function TeamPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(teamAtom(id));
  const { user } = useAtomValue(sessionAtom);
  const reload = () => void refresh();
  usePageTitle(data && t("teams.page.title", { name: data.team.name }));

  if (!data && isMissing(error))
    return (
      <Empty heading="h1" icon="search" title={t("teams.page.missing")} text={t("teams.page.missingText")}>
        <Link href={paths.profileSection("team")} className="button plain">
          {t("teams.page.back")}
        </Link>
      </Empty>
    );
  if (!data && error) return <Failure title={t("teams.loadFailed")} error={error} onRetry={reload} />;
  if (!data) return <Skeleton heights={["2.5rem", "12rem", "20rem"]} />;
  const { team, members, quotas } = data;
  const isOwner = team.role === "owner";
  // An administrator may see teams without being a member.
  const isOther = !team.personal && members.some(({ id }) => id === user?.id);

  return (
    <>
      <BackLink to={paths.profileSection("team")}>{t("teams.page.back")}</BackLink>
      <div className="page-head">
        <h1>{t("teams.page.title", { name: team.name })}</h1>
      </div>
      <div className={isOwner ? "sheet split" : "sheet narrow"}>
        <div className="sheet">
          <Members of={data} onChanged={reload} />
          {isOther && <OwnChannels team={team} />}
          {isOwner && <NameForm key={team.name} team={team} onSaved={reload} />}
          {quotas && <Quotas quotas={quotas} />}
        </div>
        {isOwner && (
          <div className="sheet">
            <Invitations of={data} onChanged={reload} />
            <TeamKeys teamId={team.id} />
            {!members.some(({ permanent }) => permanent) && <DeleteSection of={data} />}
          </div>
        )}
      </div>
    </>
  );
}
