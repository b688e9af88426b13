// @ts-check
/** A number of chips with its sign: "+5", "−3", "0". @param {number | null | undefined} number */
export function formatChips(number) {
  if (!number) return "0";
  return number > 0 ? `+${number}` : `−${-number}`;
}
