import { incidentEditor as editorEn } from "../../locales/en-US/incidents/editor";
import { incidents as incidentsEn } from "../../locales/en-US/incidents/published";
import { incidentEditor as editorZh } from "../../locales/zh-CN/incidents/editor";
import { incidents as incidentsZh } from "../../locales/zh-CN/incidents/published";

/** The words that visitors read and the texts of the editor, in each language: other screens do without them. */
export const texts = {
  "zh-CN": { ...incidentsZh, editor: editorZh },
  "en-US": { ...incidentsEn, editor: editorEn },
};
