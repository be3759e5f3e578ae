/** The deliberate way past the reading of one text: pressed twice, and said in its own words. */
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { waiveReading } from "./read-gauge.ts";
import { strings } from "./strings.ts";

/** Stands in the text that it is about, `[data-text]`. */
export function Waive({ readKey, digest }: { readKey: string; digest: string }) {
  // What was drawn when it was pressed once; of anything else the first press is to come.
  const [asked, setAsked] = useState<string>();
  const isAsked = asked === `${readKey} ${digest}`;
  return (
    <Button
      small
      look={isAsked ? "danger" : "plain"}
      aria-pressed={isAsked}
      onClick={({ currentTarget }) => {
        if (isAsked) waiveReading(readKey, digest, currentTarget);
        setAsked(isAsked ? undefined : `${readKey} ${digest}`);
      }}
      onBlur={() => setAsked(undefined)}
    >
      {isAsked ? strings.waiveAgain : strings.waive}
    </Button>
  );
}
