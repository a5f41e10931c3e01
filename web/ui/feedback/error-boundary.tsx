import { Component, type ReactNode } from "react";

type Props = { fallback: (error: unknown) => ReactNode; children: ReactNode };

/** Catches rendering errors of its children. React offers this to class components only. */
export class ErrorBoundary extends Component<Props, { failed: boolean; error: unknown }> {
  override state = { failed: false, error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { failed: true, error };
  }

  override render() {
    return this.state.failed ? this.props.fallback(this.state.error) : this.props.children;
  }
}
