import { type ReactNode, useRef } from "react";
import { type BaseLocationHook, Router } from "wouter";
import { base } from "../../lib/navigation/base-path";
import { Toasts } from "../../ui/feedback/toast";
import { Footer } from "../../ui/layout/footer";
import { Navbar } from "../../ui/layout/navbar";
import { SkipLink } from "../../ui/layout/skip-link";

/** Links leave the page: every other address is another document. */
const useDocumentLocation: BaseLocationHook = () => [location.pathname, (to: string) => location.assign(to)];

/** A page outside the console, between the console's navigation bar and footer. `aside` comes before the main element. */
export function PageFrame({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  return (
    <Router base={base} hook={useDocumentLocation}>
      <SkipLink main={main} />
      <Navbar />
      <div className="page-body">
        {aside}
        <main id="main" tabIndex={-1} ref={main}>
          {children}
        </main>
      </div>
      <Footer />
      <Toasts />
    </Router>
  );
}
