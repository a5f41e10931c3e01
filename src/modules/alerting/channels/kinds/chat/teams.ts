import { channelKind, type Severity, severityOf } from "../../kind";
import { accepted } from "../../verdict";
import { secretUrl } from "../fields";

const TONES: Record<Severity, string> = {
  critical: "Attention",
  warning: "Warning",
  resolved: "Good",
  info: "Default",
};

/** One run of text for each line: unlike a TextBlock, a run is not read as markdown. */
const block = (text: string, style: object = {}) => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text, ...style }],
});

const button = (title: string, url: string) => ({ type: "Action.OpenUrl", title, url });

/**
 * Posts an Adaptive Card to a workflow of Microsoft Teams.
 * @see https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook
 */
export const teams = channelKind({
  kind: "teams",
  icon: "M4 7h9v10H4zM7 10h3M8.5 10v4M16 10h5v5a3 3 0 0 1-5 2M18.5 7.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3",
  quotesAnswer: false,
  fields: [secretUrl("the https:// address of a workflow", "https://….logic.azure.com/workflows/…")],
  text: { flavour: "plain", limit: 15_000, unit: "bytes" },
  budget: [{ messages: 3, seconds: 1 }],

  request: ({ url = "" }, message) => {
    const { action, link } = message;
    const actions = [...(action ? [button(action.label, action.url)] : []), ...(link ? [button("Wakeful", link)] : [])];
    return {
      url,
      chosenBy: "user",
      body: {
        type: "message",
        attachments: [
          {
            contentType: "application/vnd.microsoft.card.adaptive",
            contentUrl: null,
            content: {
              $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
              type: "AdaptiveCard",
              version: "1.2",
              msteams: { width: "Full" },
              body: [
                block(message.title, { weight: "Bolder", color: TONES[severityOf(message)] }),
                ...message.body.split("\n").map((line) => block(line)),
              ],
              ...(actions.length > 0 && { actions }),
            },
          },
        ],
      },
    };
  },

  // A workflow answers 202 and no text. The older connectors answer errors with status 200 and a sentence.
  verdict: (reply) => {
    const answer = reply.text.trim();
    const { error } = (reply.json ?? {}) as { error?: { message?: unknown } };
    return accepted(reply, answer === "" || answer === "1", error?.message ?? answer);
  },
});
