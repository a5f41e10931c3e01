import type { ChannelConfig, ChannelForm } from "../../../../src/shared/channel-fields";
import { text } from "../../../lib/form";

/** A channel as the API takes it. */
export type ChannelBody = { name: string; type: string; enabled: boolean; config: string };

/** What a form holds of a channel. Names of fields are those of the kind, behind a prefix: one may be called `name`. */
export const readForm = (form: FormData, { fields }: ChannelForm): { name: string; config: ChannelConfig } => ({
  name: text(form, "name"),
  config: Object.fromEntries(
    fields.flatMap(({ name, required }) => {
      const value = text(form, inputName(name)).replaceAll("\r\n", "\n");
      return value === "" && !required ? [] : [[name, value]];
    }),
  ),
});

export const inputName = (field: string) => `config.${field}`;
