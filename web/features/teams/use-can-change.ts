import { useAtomValue } from "jotai";
import { chosenTeam } from "../../lib/storage";
import { teamsAtom } from "./api";

/** An item of the API, with its team where that is not clear. */
type Item = { team?: { id: number } | undefined };

/** Whether the user may change an item, or without one what belongs to the team of the screen: viewers may not. */
export const useCanChange = (item?: Item): boolean => {
  const { data } = useAtomValue(teamsAtom);
  const chosen = String(item?.team?.id ?? chosenTeam());
  const team = data?.find(({ id, personal }) => (chosen === "" ? personal : String(id) === chosen));
  return team?.role !== "viewer";
};
