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
