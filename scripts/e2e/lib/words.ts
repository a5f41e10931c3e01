import { outageKinds as kindsEn } from "../../../src/shared/words/en-US/outages";
import { outageKinds as kindsZh } from "../../../src/shared/words/zh-CN/outages";
import { enUS } from "../../../web/locales/en-US";
import { maintenance as maintenanceEn } from "../../../web/locales/en-US/alerts/maintenance";
import { incidentEditor as editorEn } from "../../../web/locales/en-US/incidents/editor";
import { incidents as incidentsEn } from "../../../web/locales/en-US/incidents/published";
import { statusPage as statusPageEn } from "../../../web/locales/en-US/status-page";
import { zhCN } from "../../../web/locales/zh-CN";
import { maintenance as maintenanceZh } from "../../../web/locales/zh-CN/alerts/maintenance";
import { incidentEditor as editorZh } from "../../../web/locales/zh-CN/incidents/editor";
import { incidents as incidentsZh } from "../../../web/locales/zh-CN/incidents/published";
import { statusPage as statusPageZh } from "../../../web/locales/zh-CN/status-page";

/** The texts of the console and the status page, for finding elements. */
export const words = {
  "zh-CN": {
    ...{ ...zhCN, maintenance: maintenanceZh, statusPage: statusPageZh, outageKinds: kindsZh },
    ...{ incidents: { ...incidentsZh, editor: editorZh } },
  },
  "en-US": {
    ...{ ...enUS, maintenance: maintenanceEn, statusPage: statusPageEn, outageKinds: kindsEn },
    ...{ incidents: { ...incidentsEn, editor: editorEn } },
  },
};
export const languages = ["zh-CN", "en-US"] as const;
