/** Keeps a mistake in one pane from taking the queue with it. */
import { Component, type ReactNode } from "react";
import { ErrorState } from "./error-state.tsx";

type Props = { what: string; children: ReactNode };

export class ErrorBoundary extends Component<Props, { problem?: string }> {
  override state: { problem?: string } = {};

  static getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    if (this.state.problem === undefined) return this.props.children;
    return (
      <ErrorState
        title={`${this.props.what} could not be shown.`}
        problem={this.state.problem}
        onRetry={() => this.setState({ problem: undefined })}
      />
    );
  }
}
