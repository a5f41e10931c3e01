import maintenanceStyles from "./features/maintenance/maintenance.css" with { type: "file" };
import subscriberStyles from "./features/subscribers/subscribers.css" with { type: "file" };
import { areaScreen, type LoadPage, withTexts } from "./load-screen";

/** The screen of maintenance with its texts. */
export const maintenanceScreen = (load: LoadPage) =>
  areaScreen(
    [maintenanceStyles],
    withTexts("maintenance", load, () => import("./features/maintenance/texts")),
  );

/** The screen of subscribers with its texts. */
export const subscriberScreen = (load: LoadPage) =>
  areaScreen(
    [subscriberStyles],
    withTexts("subscribers", load, () => import("./features/subscribers/texts")),
  );
