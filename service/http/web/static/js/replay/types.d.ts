/** The shapes of the replay document (docs/api.md) and of what the replayer makes of it, as far as its modules use them. */

export type Seat = "forehand" | "middlehand" | "backhand";
export type Seq = number | string;

export interface DealEvent {
  type: string;
  seat: Seat;
  card: string;
  cards: string[];
  [field: string]: any;
}

export interface Trick {
  number: number;
  seats: Seat[];
  cards: string[];
  seqs: Seq[];
  winner: Seat | null;
  played_on?: boolean;
}

export interface State {
  players: Record<string, any>;
  phase: string;
  declarer: Seat | null;
  contract: string | null;
  trump: string | null;
  calls: { seat: Seat; seq: Seq; bid: string; said?: string }[];
  tricks: Trick[];
  [field: string]: any;
}

export interface Item {
  label: string;
  each: number;
  pool?: boolean;
  rule?: string;
}

export interface Score {
  decided: boolean;
  declarer: Seat | null;
  outcome: string;
  payments: Record<string, number> | null;
  tricks?: Record<string, number>;
  items?: Item[];
  parts?: { items?: Item[] }[];
  pool?: Record<string, any>;
  reachable?: Record<string, Record<string, number | null>>;
}

export interface Legal {
  action: string;
  seat: Seat;
  cards?: string[];
  [field: string]: any;
}

export interface Frame {
  seq: Seq;
  event: DealEvent;
  state: State;
  legal: Legal | null;
  score: Score | null;
}

export interface Note {
  seq: Seq;
  on?: Seq;
  text: string;
  mark?: string;
  author?: string;
}

export interface Finding {
  seq: Seq | null;
  code: string;
  severity: "impossible" | "error" | "warning" | "info";
  message: string;
  rule?: string;
  evidence?: Seq[];
}

export interface Correction {
  at: Seq | null;
  event: DealEvent;
  before: DealEvent[];
}

export interface ReplayDocument {
  frames: Frame[];
  findings: Finding[];
  notes: Note[];
  mendings?: Correction[];
  direction: string;
  players: Record<string, any>;
  score: Score | null;
  [field: string]: any;
}

/** Somebody has written or chosen something. */
export type FieldEvent = Event & { target: HTMLInputElement & HTMLSelectElement };

/** What a reader goes through one by one (steps.js). */
export interface Step {
  frame: Frame;
  after?: Frame;
  seqs: Seq[];
  kind: string;
  trick: number | null;
  sentenceEvent: DealEvent;
  marginText: string | null;
  notes: Note[];
  findings: Finding[];
  corrections: Correction[];
  withdrawnEvents: DealEvent[] | null;
  isStop: boolean;
}

/** What the service says of the page in `data-facts`. */
export interface PageFacts {
  live?: string;
  what_ifs?: boolean;
  can_choose_viewer?: boolean;
  can_keep?: boolean;
  source?: string;
  is_public?: boolean;
  variations?: { url: string; title: string | null; result: string | null }[];
  readings?: { url: string; title: string }[];
  links?: Record<string, string>;
  publishing?: { deal: string; title: string; own_title: string; closing_engine: string | null; grant: string | null };
}
