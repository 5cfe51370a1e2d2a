import type { FastifyReply, FastifyRequest } from 'fastify'

/** The content codings of replies, in the order of preference (RFC 9110, 8.4.1; RFC 7932; RFC 8878). */
export const CONTENT_CODINGS = ['zstd', 'br', 'gzip'] as const

export type ContentCoding = (typeof CONTENT_CODINGS)[number]

const MAX_LISTED = 20

/** `0`, `1`, and up to three decimals (RFC 9110, 12.4.2). */
const WEIGHT_FORM = /^q=([01](?:\.\d{0,3})?)$/

/**
 * Selects the coding of a reply from `Accept-Encoding` (RFC 9110, 12.5.3): the one with the highest weight; the first one offered of several
 * with equal weights.
 * @returns undefined if the reply is to be sent without a coding
 */
export function chooseCoding<Coding extends ContentCoding>(
  accepted: string | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  if (accepted === undefined) return undefined
  const weights = new Map(accepted.split(',').slice(0, MAX_LISTED).map(readCoding))
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0
  const best = offered.toSorted((a, b) => weightOf(b) - weightOf(a))[0]
  if (best === undefined || weightOf(best) === 0) return undefined
  return weightOf(best) < (weights.get('identity') ?? 0) ? undefined : best
}

/** An invalid weight counts as 0: the client may not understand the coding. */
function readCoding(text: string): [name: string, weight: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.length === 0 ? '1' : WEIGHT_FORM.exec(parameters[0] ?? '')?.[1]
  return [name, Math.min(Number(weight ?? 0), 1)]
}

/** Accepts requests and replies of any schema. */
type AnyReply = Pick<FastifyReply, 'getHeader'> & { header: (name: string, value: string) => unknown }

/**
 * Selects the coding of a reply that exists in several codings, and informs caches that the reply depends on `Accept-Encoding`. The caller
 * sets `Content-Encoding` when the coded bytes exist.
 */
export function negotiateCoding<Coding extends ContentCoding>(
  request: Pick<FastifyRequest, 'headers'>,
  reply: AnyReply,
  offered: readonly Coding[],
): Coding | undefined {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'Accept-Encoding' : `${String(others)}, Accept-Encoding`)
  const accepted = request.headers['accept-encoding']
  return chooseCoding(Array.isArray(accepted) ? accepted.join() : accepted, offered)
}
