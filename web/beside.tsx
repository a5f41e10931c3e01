import { useAtomValue } from "jotai";
import { type ComponentType, type ReactNode, Suspense } from "react";
import { BESIDE, useMedia } from "./lib/hooks/use-media";
import { later } from "./lib/offline/code";
import type { ScreenName } from "./screens";
import { sessionAtom } from "./session";
import { ErrorBoundary } from "./ui/feedback/error-boundary";

/** The list beside the page of one of its items, on wide screens. */
const rails: Partial<Record<ScreenName, ComponentType<{ id: string }>>> = {
  monitor: later(() => import("./features/monitors/list/monitor-rail")),
  agent: later(() => import("./features/agents/list/agent-rail")),
};

type Props = { screen: ScreenName | undefined; id: string; children: ReactNode };

/** A page, with its list beside it where there is one. The list stays while other items are opened. */
export function Beside({ screen, id, children }: Props) {
  const isWide = useMedia(BESIDE);
  const signedIn = useAtomValue(sessionAtom).status === "authenticated";
  const Rail = isWide && signedIn && screen ? rails[screen] : undefined;
  return (
    <div className={Rail ? "beside" : undefined}>
      {Rail && (
        <ErrorBoundary key="list" fallback={() => null}>
          <Suspense fallback={<div className="rail" />}>
            <Rail id={id} />
          </Suspense>
        </ErrorBoundary>
      )}
      <div key="page" className="beside-page">
        {children}
      </div>
    </div>
  );
}
