import { useAtomValue } from "jotai";
import { Suspense } from "react";
import { later } from "../../lib/offline/code";
import { chosenTeam } from "../../lib/storage";
import { dashboardAtom } from "../problems/api";
import { withTeamTexts } from "./load";

const TeamSwitch = later(() => withTeamTexts(() => import("./team-switch")), false);

/** Whether the user is in several teams. */
export const useSeveralTeams = (): boolean => (useAtomValue(dashboardAtom).data?.teams ?? 1) > 1;

/** The choice of a team in the navigation bar, for users who have several. */
export function TeamChoice() {
  const several = useSeveralTeams();
  return several || chosenTeam() ? (
    <Suspense>
      <TeamSwitch />
    </Suspense>
  ) : null;
}
