import type { Redis } from "ioredis";
import type { Pool } from "pg";
import type { Letter, Revealed } from "@/lib/domain/dead-letter";
import type { Impact, ImpactCount } from "@/lib/domain/impact";
import type { ListName, ListState, ListWindow } from "@/lib/domain/list-state";
import type { MinuteCounts } from "@/lib/domain/minute-counts";
import type { Outcome } from "@/lib/domain/outcome";
import type { Expect, Preflight } from "@/lib/domain/preflight";
import type { Depths, QueueName, QueueShape, Reading } from "@/lib/domain/queue";
import type { RetryJob, RetryState } from "@/lib/domain/retry";
import type { Workers } from "@/lib/domain/worker";
import type { RpcClient } from "@/lib/internal-rpc/client";
import type { BatchAnswerItem } from "@/lib/internal-rpc/wire";

/** What a queue reads from; null where it is not configured. */
export type Sources = {
  game: Pool | null;
  redis: Redis | null;
  rpc: RpcClient | null;
  /** Template of the key of an active session. */
  sessionActiveKey?: string | null;
  /** Keyed hash (hex) of a session token, the one thing of it that the archive keeps; left out: nothing of it. */
  hashToken?: (token: string) => string;
};

/** A page by keyset: opaque cursors, never an offset. */
export type PageRequest = { after?: string | undefined; before?: string | undefined; limit: number };
export type Page<T> = { rows: T[]; next: string | null; previous: string | null; atMs: number };

export type JobFilter = {
  states?: RetryState[] | undefined;
  kind?: string | undefined;
  owner?: string | undefined;
  subject?: string | undefined;
  attemptsMin?: number | undefined;
  impact?: Impact | undefined;
};

/** A count up to a cap: `capped` means "at least". */
export type CappedCount = { count: number; capped: boolean };

export type JobCounts = Record<RetryState, CappedCount>;

/** Jobs of a queue that gives leases. */
export interface JobReader {
  listJobs(filter: JobFilter, page: PageRequest): Promise<Page<RetryJob>>;
  /** How many jobs are in each state under a filter (its `states` left out), in one bounded reading. */
  countJobs(filter: JobFilter): Promise<JobCounts>;
  listKinds(): Promise<string[]>;
}

/** Who holds the leases of a queue, and who lost some. */
export interface WorkerReader {
  readWorkers(): Promise<Reading<Workers>>;
}

/** What was settled, by the minute. Null: the store does not keep it. */
export interface MinuteReader {
  /**
   * The minute of the store's clock that has begun and the two before it; and all since the one that began at `sinceMs`
   * (ms since 1970), a day back at most.
   */
  readMinutes(sinceMs: number | null): Promise<MinuteCounts[] | null>;
}

/** Waiting jobs by what they do to the player's session. Not configured: the store does not tell. */
export interface ImpactReader {
  readImpacts(): Promise<Reading<ImpactCount[]>>;
}

export type ListAsk = {
  list: ListName;
  /** Whose processing list; null: that of writers that do not name their runtime. */
  runtime: string | null;
  /** The first place, counted from the end that is taken from; null: the last places of all, where entries are put in. */
  at: number | null;
  limit: number;
};

/** The lists of a queue that keeps its work in lists: what nobody can be asked for by its state or its owner. */
export interface ListReader {
  readState(): Promise<Reading<ListState>>;
  /** Entries of a list without their payloads, from one place on. Throws where its key is no list. */
  readWindow(ask: ListAsk): Promise<ListWindow>;
}

/** A place in the order of death: the instant as the store writes it, and the letter's id. */
export type ArchivePlace = { diedAt: string; letterId: string };
/** A letter that may have to be archived. `bytes`: what reading it costs its store. */
export type ArchiveKey = ArchivePlace & { generation: number; bytes: number };

/** A letter as it may be kept: secrets masked, its error cut. */
export type StoredLetter = ArchivePlace & {
  generation: number;
  jobId: string | null;
  kind: string;
  subjectId: string | null;
  subjectName: string | null;
  labels: Record<string, string>;
  attempts: number;
  error: string;
  errorBytes: number;
  /** Masked source text; null: not JSON, or too large to show. */
  payload: string | null;
  payloadBytes: number;
  /** SHA-256 of the stored bytes, hex. */
  payloadHash: string;
  /** Hex; null: the payload names no session token, or none is kept. */
  tokenHash: string | null;
  requeuedFrom: string | null;
  /** Not dead any more when it was read. */
  requeued: boolean;
};

/** What became of a requeued letter's job, proved by its store. `atMs` null: when is not known. */
export type StoredOutcome = {
  outcome: "recovered" | "superseded" | "died_again" | "left_unproved";
  atMs: number | null;
  nextLetterId: string | null;
};

/** What a letter is in its store now. `gone`: not in it any more; a job that is known for it may still tell. */
export type StoredState =
  | { kind: "dead" }
  | { kind: "gone"; outcome: StoredOutcome | null }
  | { kind: "requeued"; atMs: number | null; jobId: string | null; outcome: StoredOutcome | null };

/** What the archive reads of a queue. Every list is bounded; ids that are not this queue's are not found. */
export interface ArchiveReader {
  /**
   * Letters that died after a place, in that order, those of the last `months` alone. `settled`: the last place before
   * which no letter can be committed any more, but by a transaction of minutes.
   */
  listAfter(
    place: ArchivePlace | null,
    ask: { months: number; limit: number },
  ): Promise<{ keys: ArchiveKey[]; settled: ArchivePlace | null }>;
  /** Letters by id after one: `next` null at the end. Older ones than `months` are listed only while they are dead. */
  listById(
    after: string | null,
    ask: { months: number; limit: number },
  ): Promise<{ keys: ArchiveKey[]; next: string | null }>;
  findKeys(letterIds: string[]): Promise<ArchiveKey[]>;
  readLetters(letterIds: string[]): Promise<StoredLetter[]>;
  /** By letter id. `jobId`: what it was requeued as, where somebody knows. */
  readStates(letters: { letterId: string; jobId: string | null }[]): Promise<Map<string, StoredState>>;
}

/** The dead letters as their store has them now; lists of them are the archive's. */
export interface LetterReader {
  /** With the store's clock at the reading. */
  findLetter(id: string): Promise<(Letter & { atMs: number }) | null>;
  /** What its store holds, nothing masked: for an audited reveal alone. Null: it is not there. */
  revealLetter(id: string): Promise<Revealed | null>;
}

export type RequeueItem = { letterId: string; expect: Expect | null };

/** How a requeue ended: answers, a plain refusal, proof that nothing was sent, or not known yet. */
export type RequeueResult =
  | { kind: "answered"; answers: BatchAnswerItem[]; requestId: string | null }
  | { kind: "refused"; code: string; sentence: string; requestId: string | null }
  | { kind: "not_sent"; code: string; sentence: string }
  | { kind: "unknown"; code: string; sentence: string };

/** What a read-back of an operation showed: `absent` is final only when the caller knows that nothing can still land. */
export type ReadBack =
  /** `storeMs`: the letters' own rows told, by this clock; null: the engine has kept these answers of this operation. */
  | { kind: "answered"; answers: BatchAnswerItem[]; storeMs: number | null }
  | { kind: "absent"; engineMs: number | null }
  | { kind: "unread"; code: string; sentence: string };

export type ItemOutcome = { outcome: Outcome; atMs: number | null; detail: Record<string, string> };

/** The guarded way back into the queue, through the signed endpoints. */
export interface RequeueDoor {
  /** Reads and judges; writes nothing. */
  preflight(letterIds: string[], actor: string): Promise<Preflight[]>;
  /**
   * Sends one operation, once, signed for `signedMs`. `operationId` makes a repeat harmless where the game server keeps
   * operations.
   */
  requeue(operationId: string, items: RequeueItem[], actor: string, signedMs: number): Promise<RequeueResult>;
  readBack(operationId: string, items: RequeueItem[], actor: string): Promise<ReadBack>;
  /** What became of requeued jobs, by letter id; a letter that is not named is still awaiting. */
  readOutcomes(items: { letterId: string; newJobId: string }[]): Promise<Map<string, ItemOutcome>>;
}

/**
 * One queue as the console sees it. Pages ask questions (`has leases?`) and never test which queue it is; what a
 * shape does not have is null.
 */
export interface Queue {
  readonly name: QueueName;
  readonly shape: QueueShape;
  readonly leases: boolean;
  readonly schedules: boolean;
  /** How many letters the store keeps before it drops the oldest; null: no cap. */
  readonly deadLetterCap: number | null;
  readonly keepsLettersAfterRequeue: boolean;
  readonly jobs: JobReader | null;
  /** Null: it does not keep its work in lists. */
  readonly list: ListReader | null;
  /** Null: it gives no leases. */
  readonly workers: WorkerReader | null;
  /** Null: its jobs have no session impact. */
  readonly impacts: ImpactReader | null;
  readonly letters: LetterReader | null;
  /** Null: it counts nothing by the minute. */
  readonly minutes: MinuteReader | null;
  /** Null: it has no letters to keep. */
  readonly archive: ArchiveReader | null;
  readonly door: RequeueDoor | null;
  readDepths(): Promise<Reading<Depths>>;
  /** What this store or game server cannot show, one sentence each. */
  readGaps(): Promise<string[]>;
}
