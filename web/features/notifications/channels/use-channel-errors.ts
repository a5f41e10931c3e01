import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type ChannelConfig, type ChannelForm, configProblems } from "../../../../src/shared/channel-fields";
import { CallError } from "../../../api";
import { problemOfCode, useChannelWords } from "../use-channel-words";
import { inputName } from "./channel-form";

/** What is wrong with each input of a channel's form, by the same rules on the page and on the server. */
export const useChannelErrors = (form: ChannelForm | undefined) => {
  const { t } = useTranslation();
  const words = useChannelWords();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const fields = form?.fields ?? [];
  const kind = form?.kind ?? "";

  return {
    of: (input: string): string | undefined => errors[input],

    /** Checks a configuration against the stored one as shown, and a name unless it is undefined. Returns the bad inputs. */
    check: (config: ChannelConfig, shown: ChannelConfig, name: string | undefined): string[] => {
      const problems = configProblems(fields, config, shown);
      const found = fields.flatMap((field) => {
        const problem = problems[field.name];
        return problem ? [[inputName(field.name), words.problem(kind, field, problem)]] : [];
      });
      const all = Object.fromEntries([...(name === "" ? [["name", t("errors.code.name_required")]] : []), ...found]);
      setErrors(all);
      return Object.keys(all);
    },

    /** Keeps what the server refused. */
    keep: (error: unknown) => {
      const refused = error instanceof CallError ? error.fields : [];
      const entries = refused.map(({ path, message, code }) => {
        const field = fields.find(({ name }) => name === path);
        const problem = field && problemOfCode(field, code);
        const text = field && problem ? words.problem(kind, field, problem) : message.replace(/^[\w.]+: /, "");
        return [field ? inputName(field.name) : path, code === "name_required" ? t("errors.code.name_required") : text];
      });
      setErrors(Object.fromEntries(entries));
    },
  };
};
