import { CopyButton } from "./copy-button";

/** A text to take away, as it is, with its button. */
export function Copyable({ what, text }: { what: string; text: string }) {
  return (
    <div className="copyable">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
