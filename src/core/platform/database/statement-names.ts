import { hash } from 'node:crypto'
import { isUnprepared } from './unprepared.ts'

/**
 * So many different statements are kept prepared on each connection, and so much text in all: a plan takes some fifty times as much
 * memory as its text, on every connection. Longer texts are those that somebody filters by much with.
 */
const MAX_NAMES = 200
const MAX_CHARACTERS = 400_000
const MAX_TEXT_LENGTH = 16_000

/** A text is prepared when it comes the third time: what is asked once, like a migration, would only fill the server's memory. */
const TIMES_UNPREPARED = 2

/** So many texts, by their hashes, are remembered that came once or twice; then all of them are forgotten. */
const MAX_SEEN = 2000

export type StatementNames = {
  /** The name under which to send this text; undefined when it goes without. */
  nameOf(this: void, text: string): string | undefined
}

/**
 * Names for statements that come again and again, so that the server parses and plans them once for each connection: of a page of the
 * catalogue that was half the time (PostgreSQL manual, PREPARE). Batches are left alone: for an array of unknown length the server
 * would settle for a plan that suits ten rows.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  const seen = new Map<string, number>()
  let characters = 0
  const isTooMuch = (text: string): boolean =>
    names.size >= MAX_NAMES || text.length > MAX_TEXT_LENGTH || characters + text.length > MAX_CHARACTERS
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined) return known
      if (isTooMuch(text) || text.includes('unnest(') || isUnprepared(text)) return undefined
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
