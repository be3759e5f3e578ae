/** The page's entry: take the line the launcher offers, and start the console on it. */
import "./styles/main.css";
import { connect } from "./app/connect.ts";
import { createReconnectingClient } from "./app/reconnecting-client.ts";
import { startConsole } from "./app/start.tsx";

const container = document.getElementById("root");
if (!container) throw new Error("The page has no #root element.");
startConsole(createReconnectingClient(connect), container);
