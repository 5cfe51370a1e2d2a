/** Fields whose values are never logged, at the top level and one level down. */
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

/** A request URL without its query string, which can contain `sig=` and tokens. */
export function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** Endings of names whose value is a secret, including `x-api-key`, `accessToken` and `client_secret`. */
const SECRET_NAMES =
  '(?:(?<![a-z])(?:sig|pin)|signature|token|api[_-]?key|password|passwd|passphrase|secret|authorization|cookie)'

/** The opening quote of a value. Inside JSON text it is escaped by backslashes: 1 at the first level, then 3, then 7. */
const QUOTE = String.raw`(\\{0,7})(["'])`

/**
 * The quoted text. Escapes in it have one backslash more than the quotes, or twice as many.
 */
const QUOTED = String.raw`(?:(?!\3)[^\\]|\2\\(?:[^\\"']|\2["']|\2\\)|\\(?![\\"'])){1,8192}`

/** All quantifiers are bounded, so that the time is linear in the length of the line. */
const SECRETS_IN_TEXT: readonly (readonly [RegExp, string])[] = [
  // JSON, also inside JSON text: "password":"…"; printed objects and headers: password: '…', Token="…"
  [new RegExp(String.raw`(${SECRET_NAMES}(?:\\{0,7}["'])?\s{0,4}[:=]\s{0,4}${QUOTE})${QUOTED}`, 'gi'), '$1[redacted]'],
  [/\b(Bearer|Basic) [\w.~+/=-]{4,8192}/gi, '$1 [redacted]'],
  // Headers extend to the end of the line, because they can hold lists.
  [/(\b(?:authorization|cookie):\s{0,4})[^"\\\r\n]{1,8192}/gi, '$1[redacted]'],
  // URLs, forms, connection strings and lists of settings: ?sig=…, password=…, api_key: …
  [
    new RegExp(String.raw`(${SECRET_NAMES}(?:=|:\s{0,4}))(?!\[redacted\])(?:[^\s&"'\\;,)]|\\\\){1,8192}`, 'gi'),
    '$1[redacted]',
  ],
  // A JWT at the beginning of a word. At other positions the search would scan the same characters repeatedly.
  [/(?<![\w-])eyJ[\w-]{4,4096}\.[\w-]{1,4096}\.[\w-]{0,1024}/g, '[redacted]'],
  [/\$argon2[a-z]{1,3}\$[\w+/=,$.-]{1,1024}/g, '[redacted]'],
  // The user name and password of a URL: http://name:password@host
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,256}@/gi, '$1[redacted]@'],
]

/**
 * Redacts text that looks like a secret in a line of a log, for administrators who read logs over the network. Structured fields are
 * redacted when they are written; this function covers error texts and lines of other programs.
 */
export function redactText(line: string): string {
  return SECRETS_IN_TEXT.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), line)
}
