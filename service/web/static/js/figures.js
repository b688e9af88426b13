/** What each player did in an evening: counted from the ledger's lines, which say what each deal came to. */

const SEATS = ["forehand", "middlehand", "backhand"];
const ENDS = ["won", "bete", "codille"];

/**
 * For each player of the ledger: deals `played`, games `declared`, of these `won`, `bete` and `codille`, his `contracts`
 * (id and how often, the most frequent first) and `chips` as he stands.
 */
export function figuresOf(ledger) {
  return ledger.players.map((player) => {
    const played = ledger.lines.filter((line) => line.deal && sits(line, player));
    const declared = played.filter((line) => line.declarer === player && line.contract);
    const ends = Object.fromEntries(ENDS.map((end) => [end, declared.filter((line) => line.outcome === end).length]));
    return { player, played: played.length, declared: declared.length, ...ends, contracts: counted(declared), chips: ledger.totals[player] ?? 0 };
  });
}

/** Whether he played the deal; one without cards but with a share sat out. */
function sits(line, player) {
  return line.outcome !== null && SEATS.some((seat) => line.seating?.[seat] === player);
}

function counted(lines) {
  const counts = new Map();
  for (const line of lines) counts.set(line.contract, (counts.get(line.contract) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
