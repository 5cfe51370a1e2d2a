import type { RelayPath } from './relay-path.ts'

/** How a reply is passed on: `streamed` as it arrives, `buffered` as a whole. */
export type ReplyTransfer = 'streamed' | 'buffered'

/** A request that the relay forwards. */
export type AllowedRequest = {
  transfer: ReplyTransfer
  /** The longest wait for the head of the reply. */
  firstByteMilliseconds: number
  /** Whether the request may be sent again after the home server has refused it unread. */
  isRepeatable: boolean
}

/** Segments may take as long as an encoder needs to start. */
const SEGMENT_MILLISECONDS = 60_000
const OTHER_MILLISECONDS = 30_000

type Rule = {
  methods: readonly string[]
  /** `*` is one segment, `**` at the end one or more, `***` at the end any number. */
  pattern: readonly string[]
  transfer: ReplyTransfer
  firstByteMilliseconds?: number
}

function rule(methods: string, pattern: string, transfer: ReplyTransfer, firstByteMilliseconds?: number): Rule {
  const parts = { methods: methods.split(' '), pattern: pattern.split('/'), transfer }
  return firstByteMilliseconds === undefined ? parts : { ...parts, firstByteMilliseconds }
}

/** All requests that pass. Names are compared exactly, as the router of the home server does. */
const RULES: readonly Rule[] = [
  rule('GET HEAD', 'hls/**', 'streamed', SEGMENT_MILLISECONDS),
  rule('GET HEAD', 'dash/**', 'streamed', SEGMENT_MILLISECONDS),
  rule('GET HEAD', 'media/**', 'streamed'),
  rule('GET HEAD', 'trickplay/**', 'streamed'),
  rule('GET HEAD', 'api/v1/artwork/**', 'streamed'),
  rule('GET HEAD', 'api/v1/users/*/avatar', 'streamed'),
  rule('GET HEAD', 'api/v1/transcode/**', 'buffered'),
  rule('GET', 'api/v1/libraries/***', 'buffered'),
  rule('GET', 'api/v1/media/***', 'buffered'),
  rule('GET', 'api/v1/collections/***', 'buffered'),
  rule('GET', 'api/v1/music/**', 'buffered'),
  rule('POST', 'api/v1/media/*/transcode', 'buffered', SEGMENT_MILLISECONDS),
  rule('POST', 'api/v1/media/*/watched', 'buffered'),
  rule('POST', 'api/v1/media/*/unwatched', 'buffered'),
  rule('POST DELETE', 'api/v1/media/*/favorite', 'buffered'),
  rule('PUT DELETE', 'api/v1/media/*/rating', 'buffered'),
  rule('PUT', 'api/v1/media/*/like', 'buffered'),
  rule('PUT', 'api/v1/media/*/poster', 'buffered'),
  rule('POST', 'api/v1/playlists', 'buffered'),
]

/** Decides whether the relay forwards a request; undefined if it does not. The hub and the home server both ask. */
export function findAllowedRequest(
  method: string,
  { segments }: Pick<RelayPath, 'segments'>,
): AllowedRequest | undefined {
  const rule = RULES.find(({ methods, pattern }) => methods.includes(method) && matches(pattern, segments))
  if (rule === undefined) return undefined
  const { transfer, firstByteMilliseconds = OTHER_MILLISECONDS } = rule
  return { transfer, firstByteMilliseconds, isRepeatable: method === 'GET' || method === 'HEAD' }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const last = pattern.at(-1)
  const isOpen = last === '**' || last === '***'
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  const more = segments.length - fixed.length
  if (isOpen ? more < (last === '**' ? 1 : 0) : more !== 0) return false
  return fixed.every((word, index) => word === '*' || word === segments[index])
}
