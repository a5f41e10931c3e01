import type { ChannelForm } from "../../../shared/channel-fields";
import type { ChannelKind } from "./kind";
import { resend } from "./kinds/resend";
import { telegram } from "./kinds/telegram";
import { webhook } from "./kinds/webhook";

/** Every kind of channel, in the order in which the page offers them. A new one is a line here. */
const KINDS = [telegram, resend, webhook] as const;

type BuiltIn = (typeof KINDS)[number];

/** By the name that is stored as a channel's type. A row may hold the name of a kind that no longer exists. */
export const channelKinds = new Map<string, ChannelKind>(KINDS.map((kind) => [kind.kind, kind]));

/** The types that a channel may have. */
export const channelTypes = () => [...channelKinds.keys()] as [string, ...string[]];

/** The kinds as the page needs them to draw and check their forms. */
export const channelForms = (): ChannelForm[] =>
  [...channelKinds.values()].map(({ kind, icon, fields, quotesAnswer }) => ({ kind, icon, fields, quotesAnswer }));

/** The fields of every kind's configuration, in sentences for the API document. */
export const describeConfigs = (): string =>
  [...channelKinds.values()]
    .map(({ kind, fields }) => {
      const described = fields.map(({ name, label, required, secret, expected, maxLength }) => {
        const facts = [expected, `at most ${maxLength} characters`, secret && "secret", !required && "optional"];
        return `\`${name}\`, the ${label} (${facts.filter(Boolean).join("; ")})`;
      });
      return `For \`${kind}\`: ${described.join(", ")}.`;
    })
    .join(" ");

/** What a language has to say of every kind and each of its fields. */
export type ChannelWords = {
  [K in BuiltIn as K["kind"]]: {
    name: string;
    fields: { [F in K["fields"][number]["name"]]: FieldWords };
  };
};
type FieldWords = { label: string; hint: string; required?: string; invalid?: string };
