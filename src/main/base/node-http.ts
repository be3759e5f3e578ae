/** Node's `http`, not as an import: that reads every name it exports, and the one of its WebSocket loads a whole client, some 20 ms and 14 MB at the start. */
export const http = process.getBuiltinModule("node:http");
