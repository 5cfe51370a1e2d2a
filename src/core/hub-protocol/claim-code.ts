import { randomInt } from 'node:crypto'

/** Lifetime of a code. */
export const CLAIM_CODE_SECONDS = 600

/** Letters and digits that people do not confuse: no I, O, 0 and 1. 32 symbols, so that a code has 40 bits. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const HALF = 4
const CODE = new RegExp(`^([${ALPHABET}]{${HALF}})-?([${ALPHABET}]{${HALF}})$`)

/** A new code: twice four symbols with a dash. */
export function generateClaimCode(): string {
  const half = (): string => Array.from({ length: HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${half()}-${half()}`
}

/** The normal form of a typed code; upper and lower case, and the dash, do not matter. Undefined for a text that is no code. */
export function normalizeClaimCode(text: string): string | undefined {
  if (text.length > 40) return undefined
  const match = CODE.exec(text.trim().toUpperCase())
  return match === null ? undefined : `${match[1]}-${match[2]}`
}
