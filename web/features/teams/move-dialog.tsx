import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CallError } from "../../api";
import { text } from "../../lib/form";
import { chosenTeam } from "../../lib/storage";
import { Field } from "../../ui/controls/field";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { type Movable, moveToTeam, type Team, teamsAtom } from "./api";

type Props = { of: Movable; onMoved: () => void; onClose: () => void };
type Links = NonNullable<CallError["links"]>;

/** The id of the team that something is in. */
const presentTeam = ({ team }: Movable, teams: readonly Team[]) =>
  team?.id ?? (Number(chosenTeam()) || teams.find(({ personal }) => personal)?.id);

function EndingLinks({ of: links }: { of: Links }) {
  const { t } = useTranslation();
  const label = ({ kind, name }: Links[number]) =>
    t(`teams.move.link.${kind === "rule" && !name ? "ruleForAll" : kind}`, { name });
  return (
    <div className="message" role="status">
      <div>
        <p className="soft">{t("teams.move.ends")}</p>
        <ul>
          {links.map((link) => (
            <li key={`${link.kind} ${link.name}`}>{label(link)}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Asks for the team, and once more where links with things of the present team would end. */
export default function MoveDialog({ of, onMoved, onClose }: Props) {
  const { t } = useTranslation();
  const form = useSubmit(t("teams.move.failed"));
  const teams = useAtomValue(teamsAtom).data ?? [];
  const [links, setLinks] = useState<Links>();
  const present = presentTeam(of, teams);
  const choices = teams.filter(({ id, role }) => id !== present && role !== "viewer");
  const nameOf = ({ personal, name }: Team) => (personal ? t("teams.mine") : name);

  const move = (team: Team) =>
    form.submit(async () => {
      try {
        await moveToTeam(of, team.id, links !== undefined);
      } catch (error) {
        if (!(error instanceof CallError && error.links)) throw error;
        return setLinks(error.links);
      }
      toast(t("teams.move.done", { name: of.name, team: nameOf(team) }));
      onMoved();
      onClose();
    });

  return (
    <FormDialog
      of={form}
      title={t("teams.move.title", { name: of.name })}
      text={t(choices.length > 0 ? `teams.move.text.${of.type}` : "teams.move.none")}
      submit={t(links ? "teams.move.anyway" : "teams.move.submit")}
      disabled={choices.length === 0}
      isDirty={() => false}
      onValid={(fields) => {
        const team = choices.find(({ id }) => String(id) === text(fields, "team"));
        if (team) move(team);
      }}
      onClose={onClose}
    >
      {choices.length > 0 && (
        <Field label={t("teams.move.to")} error={form.wrong("team")}>
          <select name="team">
            {choices.map((team) => (
              <option key={team.id} value={team.id}>
                {nameOf(team)}
              </option>
            ))}
          </select>
        </Field>
      )}
      {links && <EndingLinks of={links} />}
    </FormDialog>
  );
}
