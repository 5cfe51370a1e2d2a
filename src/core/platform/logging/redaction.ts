/** Field names whose values never reach a log, at the top level and one level down. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'accessToken',
  'refreshToken',
  'secret',
  'jwtSecret',
  'sig',
] as const

/** pino `redact` paths for the fields above. */
export const REDACTED_PATHS: string[] = SECRET_FIELDS.flatMap((field) => [
  field,
  `*.${field}`,
  `req.headers.${field}`,
  `headers.${field}`,
])

/** A request address without its query string: `sig=` and tokens live there. */
export function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** How the names end that have a secret as value: `x-api-key`, `accessToken` and `client_secret` too. */
const SECRET_NAMES =
  '(?:(?<![a-z])(?:sig|pin)|signature|token|api[_-]?key|password|passwd|passphrase|secret|authorization|cookie)'

/** A value may begin with a quote, which text inside of JSON has behind backslashes: 1 in the first level, then 3, then 7. */
const QUOTE = String.raw`(\\{0,7})(["'])`

/** What is between such quotes: an escaped quote, backslash or letter has as many backslashes as the quotes and one, or twice as many. */
const QUOTED = String.raw`(?:(?!\3)[^\\]|\2\\(?:[^\\"']|\2["']|\2\\)|\\(?![\\"'])){1,8192}`

/** Each part is bounded, so that no line takes longer than its length says. */
const SECRETS_IN_TEXT: readonly (readonly [RegExp, string])[] = [
  // JSON, also inside of a text of JSON: "password":"…"; objects and headers as they are printed: password: '…', Token="…"
  [new RegExp(String.raw`(${SECRET_NAMES}(?:\\{0,7}["'])?\s{0,4}[:=]\s{0,4}${QUOTE})${QUOTED}`, 'gi'), '$1[redacted]'],
  [/\b(Bearer|Basic) [\w.~+/=-]{4,8192}/gi, '$1 [redacted]'],
  // Headers go to the end of their line: they hold lists.
  [/(\b(?:authorization|cookie):\s{0,4})[^"\\\r\n]{1,8192}/gi, '$1[redacted]'],
  // Addresses, forms, connection strings and lists of settings: ?sig=…, password=…, api_key: …
  [
    new RegExp(String.raw`(${SECRET_NAMES}(?:=|:\s{0,4}))(?!\[redacted\])(?:[^\s&"'\\;,)]|\\\\){1,8192}`, 'gi'),
    '$1[redacted]',
  ],
  // A JWT, wherever it begins a word: from each other place the search would run over the same characters again.
  [/(?<![\w-])eyJ[\w-]{4,4096}\.[\w-]{1,4096}\.[\w-]{0,1024}/g, '[redacted]'],
  [/\$argon2[a-z]{1,3}\$[\w+/=,$.-]{1,1024}/g, '[redacted]'],
  // Name and password of an address: http://name:password@host
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,256}@/gi, '$1[redacted]@'],
]

/**
 * A line of a log without what looks like a secret, for people who read logs over the network. Fields are redacted when they are
 * written; this is for texts of errors and for lines that other programs wrote.
 */
export function redactText(line: string): string {
  return SECRETS_IN_TEXT.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), line)
}
