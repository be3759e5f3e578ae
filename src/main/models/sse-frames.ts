/** Frames of a stream of server-sent events, as servers of models write them. */

/** One frame. @param event the name of its event, where the protocol has any */
export const sse = (data: object, event?: string): string =>
  `${event ? `event: ${event}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

/** One frame of Anthropic's, whose event is what its data is. */
export const anthropicSse = (data: { type: string; [key: string]: unknown }): string => sse(data, data.type);
