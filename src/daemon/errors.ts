import { defineErrors } from '../core/platform/errors/index.ts'

/** Error codes of the HTTP layer. All other codes are defined by the domains. */
export const httpErrors = defineErrors({
  auth_required: {
    kind: 'unauthenticated',
    code: 'auth.required',
    title: 'Unauthorized',
    doc: 'The request has no bearer token, or the token is invalid or expired.',
  },
  not_admin: {
    kind: 'forbidden',
    code: 'auth.not_admin',
    title: 'Forbidden',
    doc: 'The route is for administrators; the right is read from the database at each request.',
  },
  admin_required: {
    kind: 'forbidden',
    title: 'Forbidden',
    doc: 'The route is for administrators. The routes of media requests use this code in place of `auth.not_admin`.',
  },
  key_not_allowed: {
    kind: 'forbidden',
    title: 'Not with an API key',
    doc: 'The route is for people who are signed in: passwords, passkeys, keys, devices, watch groups.',
  },
  key_scope_missing: {
    kind: 'forbidden',
    title: 'The API key does not permit this',
    doc: 'The key lacks the scope that `scope` names.',
  },
  not_own_page: {
    kind: 'forbidden',
    title: 'Not the page of this server',
    doc: 'Only the web page of this server may use the route: `X-Phlix-Web` must be `1` and `Origin` the address of the server, with its port. A proxy in front of the server must pass `Host` on, or `server.public_url` must be the address of the page.',
  },
  signature_invalid: {
    kind: 'forbidden',
    code: 'signature.invalid',
    title: 'Signature is not valid',
    doc: 'The `exp` and `sig` of a signed address do not belong to it.',
  },
  signature_expired: {
    kind: 'forbidden',
    code: 'signature.expired',
    title: 'Signature has expired',
    doc: 'The signed address has expired; request a new one.',
  },
  too_many_at_once: {
    kind: 'limited',
    title: 'Too Many Requests',
    doc: 'More than 500 requests of the account are queued, or this request was queued for 20 seconds. At most 4 are processed concurrently.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A field of the body or the query is missing or has an invalid value; `field` names it.',
  },
  bad_request: {
    kind: 'invalid',
    title: 'Bad request',
    doc: 'The request is not well-formed HTTP, or its address is malformed.',
  },
  confirmation_required: {
    kind: 'invalid',
    title: 'confirm must be true',
    doc: 'The action cannot be undone: the request needs `confirm=true` in the query or `{"confirm": true}` as its body.',
  },
  invalid_json: {
    kind: 'invalid',
    title: 'Invalid JSON',
    doc: 'The body is not valid JSON in UTF-8, or has more than 1,000 levels or 20,000 keys and values.',
  },
  body_too_large: {
    kind: 'invalid',
    title: 'Body too large',
    doc: 'The body is larger than 1 MiB, an uploaded picture larger than 10 MiB. Status 413.',
  },
  unsupported_media_type: {
    kind: 'invalid',
    title: 'Unsupported media type',
    doc: 'The body is not `application/json`. Status 415.',
  },
  address_too_long: {
    kind: 'invalid',
    title: 'Address too long',
    doc: 'One part of the path is longer than 2,048 characters. Status 414.',
  },
  headers_too_large: {
    kind: 'invalid',
    title: 'Headers too large',
    doc: 'The request headers are larger than 16 KiB. Status 431.',
  },
  precondition_failed: {
    kind: 'invalid',
    title: 'Precondition failed',
    doc: 'The file does not match `If-Match` or `If-Unmodified-Since`. Status 412.',
  },
  range_not_satisfiable: {
    kind: 'invalid',
    title: 'Range not satisfiable',
    doc: 'The `Range` is outside the file; `Content-Range` has the size of the file. Status 416.',
  },
  request_timeout: {
    kind: 'invalid',
    title: 'Request timeout',
    doc: 'The request did not arrive in time. Status 408.',
  },
  not_found: { kind: 'not_found', title: 'Not found', doc: 'No such route.' },
  stopping: {
    kind: 'unavailable',
    title: 'Service is stopping',
    doc: 'The daemon is shutting down; the request was not started.',
  },
  restart_refused: {
    kind: 'conflict',
    title: 'Restart refused',
    doc: 'A new run could not start: the configuration has become invalid, or the program file has moved. The server continues.',
  },
  server_running: {
    kind: 'busy',
    title: 'Another server uses this data directory',
    doc: '`serve` runs already with this data directory: its caches and encoders are for one server. Exit code 75.',
  },
  address_in_use: {
    kind: 'unavailable',
    title: 'Address is in use',
    doc: 'Another program listens on `server.port` or `server.websocket_port`.',
  },
  address_not_permitted: {
    kind: 'denied',
    title: 'Address is not permitted',
    doc: 'This account may not listen on the port (below 1024) or the machine does not own `server.host`.',
  },
  crashed: {
    kind: 'failed',
    title: 'The daemon stopped after an unexpected error',
    doc: 'See the log line before it.',
  },
  internal: { kind: 'failed', title: 'Internal Server Error', doc: 'An error in the server; the log has the cause.' },
})
