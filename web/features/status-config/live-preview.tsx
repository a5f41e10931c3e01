import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { base } from "../../lib/navigation/base-path";
import { type Body, type PreviewData, previewPage } from "./api";

/** Typing pauses for this long before the page is read again, in ms. */
const PAUSE = 300;

/** The page as it would be with the edits: the page's own document in a frame, which gets the data of a preview call. */
export function LivePreview({ draft }: { draft: Body }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [data, setData] = useState<PreviewData>();
  const isFirst = useRef(true);
  const wanted = JSON.stringify(draft);

  useEffect(() => {
    let isCurrent = true;
    const read = () =>
      previewPage(JSON.parse(wanted)).then(
        (read) => isCurrent && setData(read),
        // An invalid edit is reported when it is saved; the last valid page stays.
        () => {},
      );
    const timer = setTimeout(() => void read(), isFirst.current ? 0 : PAUSE);
    isFirst.current = false;
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [wanted]);

  useEffect(() => {
    const onMessage = ({ source, origin, data: text }: MessageEvent) => {
      if (origin === location.origin && source === frame.current?.contentWindow && text === "ready") setReady(true);
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, []);

  useEffect(() => {
    if (isReady && data) frame.current?.contentWindow?.postMessage(data, location.origin);
  }, [isReady, data]);

  return (
    <iframe
      ref={frame}
      className="preview-frame"
      title={t("status.livePreview")}
      src={`${base}/status/config/preview`}
    />
  );
}
