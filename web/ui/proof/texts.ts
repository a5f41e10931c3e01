import { addTexts, loadAllTexts } from "../../i18n";

/** Loads the texts of second factors, and the others that a first visit does without. */
export const loadFactorTexts = async (): Promise<void> => {
  const [zhCN, enUS] = await Promise.all([
    import("../../locales/zh-CN/accounts/factors"),
    import("../../locales/en-US/accounts/factors"),
    loadAllTexts(),
  ]);
  addTexts({ factors: { "zh-CN": zhCN.factors, "en-US": enUS.factors } });
};

/** Loads a part of the page with these texts. */
export const withFactorTexts = async <T>(load: () => Promise<T>): Promise<T> => {
  const [part] = await Promise.all([load(), loadFactorTexts()]);
  return part;
};
