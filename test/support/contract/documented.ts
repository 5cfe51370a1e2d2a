import type { Shape } from './shapes.ts'

/** A request and what document 1 says about its answer; without `as` by a user, and `body` is sent as JSON. */
export type DocumentedRow = {
  ask: string
  as?: 'admin' | 'nobody'
  body?: unknown
  headers?: Record<string, string>
  status: number
  /** Of the JSON; text: the content type. */
  answer: Shape | { type: RegExp }
}

/** Document 1, Errors. */
export const ERROR: Shape = { error: 'string', code: 'string', 'message?': 'string', 'field?': 'string' }
/** A reply that only says what happened. */
export const MESSAGE: Shape = { message: 'string' }

/** Of lists. */
export const PAGE = { limit: 'integer', offset: 'integer' } as const
