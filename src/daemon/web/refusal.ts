import { weekdayAndTime } from './times-of-day.ts'

type Body = { message?: string; error?: string; code?: string; reason?: string; allowed_at?: string | null }

/** `reason` tells apart the causes of one code. */
export type Refusal = Error & { code: string | undefined; reason: string | undefined }

/** The error of a reply; `code` and `reason` are those of the server. The message says when the request may be repeated, if the reply does. */
export async function refusalOf(reply: Response): Promise<Refusal> {
  const body = (await reply.json().catch(() => ({}))) as Body
  const { message, error, code, reason, allowed_at: allowedAt } = body
  const waitSeconds = Number(reply.headers.get('retry-after'))
  const parts = [asSentence(message ?? error ?? `The server answered ${reply.status}`)]
  if (allowedAt != null) parts.push(`Again from ${weekdayAndTime(new Date(allowedAt))}.`)
  else if (reply.status === 429 && waitSeconds > 0) parts.push(`Try again in ${durationText(waitSeconds)}.`)
  return Object.assign(new Error(parts.join(' ')), { code, reason })
}

/** A message of the server as a sentence: its first word has a capital letter, unless it is the name of a field, and its end has a full stop. */
export function asSentence(text: string): string {
  const begun = text.replace(/^\p{Ll}(?=[\p{L}'’]*[ ,;:.])/u, (letter) => letter.toUpperCase())
  return /[\p{L}\p{N}`)\]]$/u.test(begun) ? `${begun}.` : begun
}

const durationText = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
