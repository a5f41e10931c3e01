import { CopyButton } from "./copy-button";

/** A text in a code block with a copy button. */
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
