import { hash } from 'node:crypto'
import { isUnprepared } from './unprepared-statement.ts'

/**
 * Limits of the prepared statements per connection: their number and the total length of their texts. A plan takes about fifty times as
 * much memory as its text, on every connection. Longer texts come from filters with many conditions.
 */
const MAX_NAMES = 200
const MAX_CHARACTERS = 400_000
const MAX_TEXT_LENGTH = 16_000

/** A statement is prepared at its third use: statements that run once, such as migrations, would only use the server's memory. */
const TIMES_UNPREPARED = 2

/** Limit of the texts, stored as hashes, that were seen once or twice. When it is reached, all of them are discarded. */
const MAX_SEEN = 2000

export type StatementNames = {
  /** The name under which this text is prepared; undefined to send it unprepared. */
  nameOf(this: void, text: string): string | undefined
}

/**
 * Names for repeated statements, so that the server parses and plans them once per connection; that was half the time of a catalogue page
 * (PostgreSQL manual, PREPARE). Statements with `unnest` are excluded: for an array of unknown length the server would choose a generic
 * plan that suits ten rows.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  const seen = new Map<string, number>()
  let characters = 0
  const exceedsLimits = (text: string): boolean =>
    names.size >= MAX_NAMES || text.length > MAX_TEXT_LENGTH || characters + text.length > MAX_CHARACTERS
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined) return known
      if (exceedsLimits(text) || text.includes('unnest(') || isUnprepared(text)) return undefined
      const key = hash('sha1', text)
      const times = (seen.get(key) ?? 0) + 1
      if (times <= TIMES_UNPREPARED) {
        if (seen.size >= MAX_SEEN) seen.clear()
        seen.set(key, times)
        return undefined
      }
      seen.delete(key)
      characters += text.length
      const name = `phlix_${names.size}`
      names.set(text, name)
      return name
    },
  }
}
