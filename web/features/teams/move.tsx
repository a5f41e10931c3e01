import { type ComponentProps, Suspense } from "react";
import { later } from "../../lib/offline/code";
import { useSeveralTeams } from "./choice";
import { withTeamTexts } from "./load";

const Item = later(() => withTeamTexts(() => import("./move-item")), false);
const Dialog = later(() => withTeamTexts(() => import("./move-dialog")), false);

/** The menu item that moves something to another team, for users who have several. */
export function MoveItem(props: ComponentProps<typeof Item>) {
  return useSeveralTeams() ? (
    <Suspense>
      <Item {...props} />
    </Suspense>
  ) : null;
}

/** Moves a monitor, server or channel to another team. */
export function MoveDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
