import { useAtomValue } from "jotai";
import { chosenTeam } from "../../lib/storage";
import { teamsAtom } from "./api";

/** Whether the user may change what belongs to the team that the screen shows: viewers may not. */
export const useCanChange = (): boolean => {
  const { data } = useAtomValue(teamsAtom);
  const chosen = chosenTeam();
  const team = data?.find(({ id, personal }) => (chosen === "" ? personal : String(id) === chosen));
  return team?.role !== "viewer";
};
