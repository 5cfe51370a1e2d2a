import type { Option, TextOption } from './option-kinds.ts'

/** The typed value, or what is wrong with it, as half a sentence ("must be …"). */
export type ParsedValue = { value: unknown } | { problem: string }

const TRUE_WORDS = new Set(['1', 'true', 'yes', 'on'])
const FALSE_WORDS = new Set(['0', 'false', 'no', 'off'])

/** Parses the value of an option from text (environment, flag). */
export function parseTextValue(option: Option, raw: string): ParsedValue {
  switch (option.type) {
    case 'integer':
      return /^-?\d{1,16}$/.test(raw) ? parseTypedValue(option, Number(raw)) : { problem: integerProblem(option) }
    case 'boolean': {
      const word = raw.trim().toLowerCase()
      if (TRUE_WORDS.has(word)) return { value: true }
      if (FALSE_WORDS.has(word)) return { value: false }
      return { problem: 'must be on or off' }
    }
    case 'text':
      return parseTypedValue(option, raw)
  }
}

/** Validates a value that already has a type (TOML). */
export function parseTypedValue(option: Option, raw: unknown): ParsedValue {
  switch (option.type) {
    case 'integer': {
      const inRange = Number.isSafeInteger(raw) && (raw as number) >= option.min && (raw as number) <= option.max
      return inRange ? { value: raw } : { problem: integerProblem(option) }
    }
    case 'boolean':
      return typeof raw === 'boolean' ? { value: raw } : { problem: 'must be true or false' }
    case 'text': {
      const problem = textProblem(option, raw)
      return problem === undefined ? { value: raw } : { problem }
    }
  }
}

function textProblem({ choices, check }: TextOption, raw: unknown): string | undefined {
  if (typeof raw !== 'string') return 'must be a text'
  if (raw.includes('\0')) return 'must not contain NUL'
  if (choices !== undefined && !choices.includes(raw)) return `must be one of ${choices.join(', ')}`
  return check?.(raw)
}

function integerProblem(option: { min: number; max: number }): string {
  return `must be a whole number from ${option.min} to ${option.max}`
}
