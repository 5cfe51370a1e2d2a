import { signal, type Signal } from '@preact/signals'
import { requestJson, SignedOut } from '../../api.js'

/** What is known about the reply of an address. */
export type Reply<Data> = { data?: Data; problem?: string; isLoading: boolean }

type Entry = { reply: Signal<Reply<unknown>>; loadedAt: number; loading: Promise<void> | undefined }

/** A reply is shown at once and asked for again when it is older. */
const FRESH_MILLISECONDS = 30_000

/** Least used replies are dropped. */
const MAX_REPLIES = 200

const entries = new Map<string, Entry>()
let onSignedOut: () => void = () => {}

/** @param listener called when the session has ended */
export function listenToSignOut(listener: () => void): void {
  onSignedOut = listener
}

/** The reply of a GET, now and later. It is asked for unless it is fresh. */
export function replyOf<Data>(address: string): Signal<Reply<Data>> {
  const known = entries.get(address)
  const entry = known ?? { reply: signal<Reply<unknown>>({ isLoading: true }), loadedAt: -Infinity, loading: undefined }
  // The most recently used is the last.
  entries.delete(address)
  entries.set(address, entry)
  if (performance.now() - entry.loadedAt > FRESH_MILLISECONDS) void load(address, entry)
  dropLeastUsed()
  return entry.reply as Signal<Reply<Data>>
}

/** Asks again for what is shown. */
export async function reload(address: string): Promise<void> {
  const entry = entries.get(address)
  if (entry !== undefined) await load(address, entry)
}

/** Whatever is kept may have changed: what is shown next is asked for again. */
export function markStale(): void {
  for (const entry of entries.values()) entry.loadedAt = -Infinity
}

/** Another account or profile sees other replies. */
export function forgetReplies(): void {
  entries.clear()
}

/** Sends a request that changes something. Rejects with an error for the user. */
export async function change(address: string, method: 'POST' | 'DELETE'): Promise<void> {
  await guarded(() => requestJson(address, method === 'POST' ? {} : undefined, { method }))
  markStale()
}

/** JSON of a GET that is not kept. */
export function fetchReply<Data>(address: string): Promise<Data> {
  return guarded(() => requestJson(address, undefined) as Promise<Data>)
}

function load(address: string, entry: Entry): Promise<void> {
  entry.loading ??= loadAnew(address, entry).finally(() => (entry.loading = undefined))
  return entry.loading
}

async function loadAnew(address: string, { reply }: Entry): Promise<void> {
  reply.value = { ...reply.value, isLoading: true }
  try {
    const data: unknown = await fetchReply(address)
    const entry = entries.get(address)
    if (entry !== undefined) entry.loadedAt = performance.now()
    reply.value = { data, isLoading: false }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // Old content stays, with the reason why it is old.
    reply.value = { ...reply.value, problem: error.message, isLoading: false }
  }
}

async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SignedOut) onSignedOut()
    throw error
  }
}

function dropLeastUsed(): void {
  for (const address of entries.keys()) {
    if (entries.size <= MAX_REPLIES) return
    entries.delete(address)
  }
}
