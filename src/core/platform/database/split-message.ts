import { randomUUID } from 'node:crypto'

/** Notifications of PostgreSQL have at most 7999 bytes. */
const PART_LENGTH = 7500

/** Splits a text into notifications: `ID:INDEX:COUNT:BASE64`. */
export function splitMessage(text: string): string[] {
  const id = randomUUID()
  const encoded = Buffer.from(text).toString('base64')
  const count = Math.max(1, Math.ceil(encoded.length / PART_LENGTH))
  return Array.from({ length: count }, (_, index) => {
    const part = encoded.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH)
    return `${id}:${index}:${count}:${part}`
  })
}

/** A message of more parts than this is dropped. */
const MAX_PARTS = 100

/** Senders with incomplete messages at the same time. */
const MAX_INCOMPLETE = 100

/** Joins parts to texts. Parts of one message arrive in order; those of several senders may be mixed. */
export function createMessageAssembler(): (payload: string) => string | undefined {
  const incomplete = new Map<string, string[]>()
  return (payload) => {
    const [, id = '', index = '', count = '', part = ''] =
      /^([0-9a-f-]{36}):(\d{1,3}):(\d{1,3}):([A-Za-z0-9+/=]*)$/.exec(payload) ?? []
    const parts = incomplete.get(id) ?? []
    incomplete.delete(id)
    if (id === '' || Number(index) !== parts.length || Number(count) > MAX_PARTS) return undefined
    parts.push(part)
    if (parts.length === Number(count)) return Buffer.from(parts.join(''), 'base64').toString()
    incomplete.set(id, parts)
    if (incomplete.size > MAX_INCOMPLETE) incomplete.delete([...incomplete.keys()][0] ?? '')
    return undefined
  }
}
