import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { MINUTE } from "../../../../src/shared/limits";
import type { TargetType } from "../../../../src/shared/notifications";
import { api, payload } from "../../../api";
import { hubNow } from "../../../lib/now";
import { Icon } from "../../../ui/controls/icon";
import { Menu } from "../../../ui/controls/menu";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { useCanChange } from "../../teams/use-can-change";

/** How long alerts of a monitor or server are withheld: the field `muted` of the API. */
export type Muted = { until: string | null; until_recovery: boolean };
type MuteTarget = { type: TargetType; id: number; name: string; team?: { id: number } | undefined };
type Body = { minutes?: number; until_recovery?: true };

const routeOf = ({ type, id }: MuteTarget) => (type === "monitor" ? api.monitors({ id }) : api.agents({ id })).mute;

/** Minutes until nine o'clock of the next day. `now` is a time of the hub. */
export const minutesToTomorrow = (now: number): number => {
  const nine = new Date(now);
  nine.setDate(nine.getDate() + 1);
  nine.setHours(9, 0, 0, 0);
  return Math.ceil((nine.getTime() - now) / MINUTE);
};

const choices = [
  { key: "hour", body: (): Body => ({ minutes: 60 }) },
  { key: "tomorrow", body: (): Body => ({ minutes: minutesToTomorrow(hubNow()) }) },
  { key: "recovery", body: (): Body => ({ until_recovery: true }) },
  { key: "forever", body: (): Body => ({}) },
] as const;

/** How long a target is muted, in words. */
export const useMutedText = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ until, until_recovery }: Muted): string => {
    const time = until ? format.moment(until) : "";
    if (until && until_recovery) return t("notifications.mute.untilEither", { time });
    if (until) return t("notifications.mute.until", { time });
    return t(until_recovery ? "notifications.mute.untilRecovery" : "notifications.mute.forGood");
  };
};

/** Mutes a target, or ends its mute without a body. Says so in a notice. */
const useMute = () => {
  const { t } = useTranslation();
  const failureText = useFailureText();
  return async (target: MuteTarget, body: Body | null): Promise<void> => {
    const { name } = target;
    try {
      await payload(body ? routeOf(target).post(body) : routeOf(target).delete());
      toast(t(body ? "notifications.mute.muted" : "notifications.mute.unmuted", { name }));
    } catch (error) {
      toast(failureText(t("notifications.mute.failed"), error), { tone: "bad" });
    }
  };
};

/** The ways to mute a target, or the end of its mute, as words and actions. */
export const useMuteActions = () => {
  const { t } = useTranslation();
  const mute = useMute();
  return (target: MuteTarget, muted: Muted | null) =>
    muted
      ? [{ key: "unmute", label: t("notifications.mute.unmute"), run: () => mute(target, null) }]
      : choices.map(({ key, body }) => ({
          key,
          label: t(`notifications.mute.${key}`),
          run: () => mute(target, body()),
        }));
};

type Props = { target: MuteTarget; muted: Muted | null; onChanged: () => void };

/** The items of a menu that mute a target or end its mute. For a menu that has other items too. */
export function MuteChoices({ target, muted, onChanged }: Props) {
  const mutedText = useMutedText();
  const canChange = useCanChange(target);
  // Viewers mute for up to an hour.
  const actions = useMuteActions()(target, muted).filter(({ key }) => canChange || key === "hour" || key === "unmute");
  const [busy, start] = useTransition();
  return (
    <>
      {muted && <div className="menu-title mute-title">{mutedText(muted)}</div>}
      {actions.map(({ key, label, run }) => (
        <button
          key={key}
          type="button"
          role="menuitem"
          disabled={busy}
          onClick={() =>
            start(async () => {
              await run();
              onChanged();
            })
          }
        >
          {muted && <Icon name="bell" />}
          {label}
        </button>
      ))}
    </>
  );
}

/** A bell with a menu that mutes a monitor or server; struck while it is muted. `isLabelled`: with the word beside it. */
export function MuteMenu({ isLabelled = false, ...props }: Props & { isLabelled?: boolean }) {
  const { t } = useTranslation();
  const mutedText = useMutedText();
  const { target, muted } = props;
  const { name } = target;
  const label = muted
    ? t("notifications.mute.mutedOf", { name, state: mutedText(muted) })
    : t("notifications.mute.muteOf", { name });
  return (
    <div className="mute-menu" title={muted ? mutedText(muted) : t("notifications.mute.mute")}>
      <Menu
        label={label}
        button={
          <>
            <Icon name={muted ? "muted" : "bell"} />
            {isLabelled && (
              <span className="label" aria-hidden="true">
                {t(muted ? "notifications.mute.unmute" : "notifications.mute.mute")}…
              </span>
            )}
          </>
        }
      >
        <MuteChoices {...props} />
      </Menu>
    </div>
  );
}

/** A monitor, a server or a problem: whether its target is muted, and when its maintenance ends. */
type Silenced = { muted: Muted | null; maintenance: { until: string } | null };

/** A struck bell beside the name of a target that is muted or in maintenance, with its end as a tooltip and for screen readers. */
export function MutedMark({ of: { muted, maintenance } }: { of: Silenced }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mutedText = useMutedText();
  if (!muted && !maintenance) return null;
  const until = maintenance && t("notifications.mute.maintenance", { time: format.moment(maintenance.until) });
  const text = [until, muted && mutedText(muted)].filter(Boolean).join(" · ");
  return (
    <span className="muted-mark" title={text}>
      <Icon name="muted" />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
