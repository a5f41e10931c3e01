import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { StatusTheme } from "../../../src/shared/status-page";
import { useMedia } from "../../lib/hooks/use-media";
import { base } from "../../lib/navigation/base-path";
import { Icon } from "../../ui/controls/icon";
import { Failure } from "../../ui/feedback/failure";
import { useCanChange } from "../teams/use-can-change";
import type { PreviewData } from "./api";

/** Typing pauses for this long before the page is read again, in ms. */
const PAUSE = 300;

/** A page that is edited. */
type Themed = { theme: StatusTheme };
type Props<Draft> = {
  /** The edited page, which is read again when it changes. */
  draft: Draft;
  read: (draft: Draft) => Promise<PreviewData>;
};

/** The data of the edited page, and why it could not be read the first time. */
const usePreviewData = <Draft,>({ draft, read }: Props<Draft>) => {
  const [data, setData] = useState<PreviewData>();
  const [failure, setFailure] = useState<unknown>();
  const [tries, setTries] = useState(0);
  const isFirst = useRef(true);
  const reading = useRef(read);
  useEffect(() => {
    reading.current = read;
  });
  // Another try reads the same draft again.
  const wanted = JSON.stringify({ draft, tries });

  useEffect(() => {
    let isCurrent = true;
    const load = () =>
      reading.current(JSON.parse(wanted).draft).then(
        (answer) => {
          if (!isCurrent) return;
          setData(answer);
          setFailure(undefined);
        },
        // An invalid edit is reported when it is saved; the last valid page stays.
        (error) => isCurrent && setFailure(error),
      );
    const timer = setTimeout(() => void load(), isFirst.current ? 0 : PAUSE);
    isFirst.current = false;
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [wanted]);
  return { data, failure: data ? undefined : failure, retry: () => setTries((count) => count + 1) };
};

/** The form of a page in its theme, in place of the frame until that has drawn the first data. */
export function Placeholder({ theme }: { theme: StatusTheme }) {
  const { t } = useTranslation();
  return (
    <div
      className="preview-blank"
      // "auto" is the theme of the console.
      data-theme={theme === "auto" ? undefined : theme}
      role="status"
      aria-label={t("common.loading")}
    >
      <span className="skeleton title" />
      <span className="skeleton text" />
      <span className="skeleton banner-to-come" />
      <span className="skeleton rows-to-come" />
    </div>
  );
}

/** The page as it would be with the edits: the page's own document in a frame, which gets the data of a preview call. */
function LivePreview<Draft extends Themed>(props: Props<Draft>) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  // `ready` when the frame takes data, `shown` when it has drawn the first.
  const [state, setState] = useState<"loading" | "ready" | "shown">("loading");
  const { data, failure, retry } = usePreviewData(props);

  useEffect(() => {
    const onMessage = ({ source, origin, data: text }: MessageEvent) => {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return;
      if (text === "ready" || text === "shown") setState(text);
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, []);

  const isReady = state !== "loading";
  useEffect(() => {
    if (isReady && data) frame.current?.contentWindow?.postMessage(data, location.origin);
  }, [isReady, data]);

  return (
    <div className="preview-box">
      <iframe
        ref={frame}
        className="preview-frame"
        title={t("status.livePreview")}
        src={`${base}/status/config/preview`}
      />
      {failure !== undefined ? (
        <div className="preview-blank">
          <Failure title={t("status.previewFailed")} error={failure} onRetry={retry} />
        </div>
      ) : (
        state !== "shown" && <Placeholder theme={props.draft.theme} />
      )}
    </div>
  );
}

/**
 * The preview beside a form where there is room, otherwise below it once it is opened. Viewers have none: they edit nothing,
 * and see the page itself.
 */
export function PreviewPane<Draft extends Themed>(props: Props<Draft>) {
  const { t } = useTranslation();
  const canChange = useCanChange();
  const isWide = useMedia("(min-width: 75rem)");
  const [open, setOpen] = useState(false);
  if (!canChange) return null;
  if (isWide)
    return (
      <aside className="preview-pane" aria-label={t("status.livePreview")}>
        <p className="preview-head">
          <Icon name="eye" />
          {t("status.livePreview")}
        </p>
        <LivePreview {...props} />
      </aside>
    );
  return (
    <details className="preview-fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("status.livePreview")}</summary>
      {open && <LivePreview {...props} />}
    </details>
  );
}
