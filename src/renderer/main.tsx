/** The page's entry: take the line the launcher offers, and start the console on it. */
// First, and not for its name: whatever is imported below builds schemas.
import "./base/zod-without-eval.ts";
import "./styles/main.css";
import { startConsole } from "./app/start.tsx";
import { connect } from "./base/connect.ts";
import { createReconnectingClient } from "./base/reconnecting-client.ts";

const container = document.getElementById("root");
if (!container) throw new Error("The page has no #root element.");
startConsole(createReconnectingClient(connect), container);
