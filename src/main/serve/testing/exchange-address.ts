/** Gets a token for a printed address as the page does, for clients that are no browser. */

/** @throws Error when the address was used already or is too old. */
export async function exchangeAddress(address: string): Promise<string> {
  const { origin, hash } = new URL(address);
  const code = new URLSearchParams(hash.slice(1)).get("code");
  const answer = await fetch(`${origin}/session`, {
    method: "POST",
    headers: { Authorization: `Code ${code}`, Origin: origin },
  });
  if (!answer.ok) throw new Error(`The address is not accepted (${answer.status}).`);
  return ((await answer.json()) as { token: string }).token;
}
