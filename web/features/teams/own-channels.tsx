import { useAtom } from "jotai";
import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { TEAM_LIMITS } from "../../../src/shared/accounts/teams";
import { paths } from "../../paths";
import { Switch } from "../../ui/controls/switch";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { followsAtom, saveFollows, type Team } from "./api";

/** The own channels of the user that also get the alerts of a team. */
export function OwnChannels({ team: { id, name } }: { team: Team }) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [{ data }, refresh] = useAtom(followsAtom);
  const [busy, start] = useTransition();
  if (!data) return null;
  const chosen = data.teams.find(({ team }) => team === id)?.channels ?? [];
  const isFull = chosen.length >= TEAM_LIMITS.ownChannels;

  const change = (channel: number, isOn: boolean) =>
    start(async () => {
      try {
        await saveFollows(id, isOn ? [...chosen, channel] : chosen.filter((one) => one !== channel));
        toast(t(isOn ? "teams.follow.on" : "teams.follow.off", { name }));
      } catch (error) {
        toast(failureText(t("teams.follow.failed"), error), { tone: "bad" });
      }
      await refresh();
    });

  return (
    <section className="card own-channels">
      <h2>{t("teams.follow.title")}</h2>
      <p className="soft">{t("teams.follow.text", { name })}</p>
      {data.channels.length === 0 ? (
        <p>
          <Link href={`${paths.notifications}?tab=channels`}>{t("teams.follow.none")}</Link>
        </p>
      ) : (
        data.channels.map((channel) => {
          const isOn = chosen.includes(channel.id);
          return (
            <Switch
              key={channel.id}
              label={channel.enabled ? channel.name : t("teams.follow.disabled", { name: channel.name })}
              checked={isOn}
              disabled={busy || (isFull && !isOn)}
              onChange={(next) => change(channel.id, next)}
            />
          );
        })
      )}
      {isFull && <p className="soft small">{t("teams.follow.full", { count: TEAM_LIMITS.ownChannels })}</p>}
    </section>
  );
}
