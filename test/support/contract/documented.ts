import type { Shape } from './shapes.ts'

/** A request and its documented response. Without `as` it is sent by a user; `body` is sent as JSON. */
export type DocumentedRow = {
  ask: string
  as?: 'admin' | 'anonymous'
  body?: unknown
  headers?: Record<string, string>
  status: number
  /** Shape of the JSON; for text: the content type. */
  answer: Shape | { type: RegExp }
}

/** Shape of an error. */
export const ERROR: Shape = { error: 'string', code: 'string', 'message?': 'string', 'field?': 'string' }
/** Shape of a reply that consists of a message. */
export const MESSAGE: Shape = { message: 'string' }

/** Paging keys of lists. */
export const PAGE = { limit: 'integer', offset: 'integer' } as const
