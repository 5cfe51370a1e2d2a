/** Texts that have a meaning in SQL, JSON, JavaScript, paths, numbers or on a terminal. */
export const HOSTILE_TEXTS = [
  "'",
  '"',
  ';--',
  '%',
  '_',
  '\\',
  '\0',
  '[]',
  '{}',
  'null',
  'NaN',
  '1e400',
  '-0',
  '-1',
  '1.5',
  '0x10',
  '१२',
  'true',
  '9007199254740993',
  '99999999999999999999999999',
  "1' or '1'='1",
  '::uuid',
  '__proto__',
  'constructor',
  'toString',
  '🎬',
  '\u202E',
  '\uFFFF',
] as const

/** Half of a surrogate pair, invalid UTF-8, a truncated escape, NUL: parts of a query that no text encodes to. */
export const INVALID_ENCODINGS = ['%ed%a0%80', '%ff%fe', '%', '%zz', '%00'] as const
