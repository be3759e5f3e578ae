/** Keeps a mistake in one pane from taking the queue with it. */
import { Component, type ReactNode } from "react";
import { messageOf } from "../../shared/message-of.ts";
import { ErrorState } from "./unanswered.tsx";

type Props = { what: string; children: ReactNode };

export class ErrorBoundary extends Component<Props, { problem?: string; tried?: boolean }> {
  override state: { problem?: string; tried?: boolean } = {};

  static getDerivedStateFromError(error: unknown) {
    return { problem: messageOf(error) };
  }

  override render() {
    if (this.state.problem === undefined) return this.props.children;
    return (
      <ErrorState
        title={`${this.props.what} could not be shown.`}
        problem={this.state.problem}
        // What fails twice, as code that is not there does, is only mended by a new page.
        {...(this.state.tried
          ? { onRetry: () => location.reload(), retryLabel: "Reload the window" }
          : { onRetry: () => this.setState({ problem: undefined, tried: true }) })}
      />
    );
  }
}
