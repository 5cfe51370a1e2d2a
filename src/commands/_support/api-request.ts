import { commandErrors } from './errors.ts'
import { EXIT } from './exit-codes.ts'

export type ApiRequest = {
  /** Address of the server. */
  server: string
  method: string
  path: string
  /** `key=value` texts. */
  fields: readonly string[]
  /** JSON text. */
  input: string | undefined
}

/**
 * The address and the body of a request. Fields are in the query of requests without a body.
 * @throws AppError `usage` for a server that is no web address, a field without a name, a path that leaves the server, and a body that is
 * not JSON
 */
export function toHttpRequest({ server, method, path, fields, input }: ApiRequest): {
  url: string
  body: string | undefined
} {
  const base = URL.parse(server)
  if (base === null || !/^https?:$/.test(base.protocol)) {
    throw commandErrors.usage({ message: 'The server must be an address like http://127.0.0.1:8096' })
  }
  const url = URL.parse(path.startsWith('/') ? path : `/api/v1/${path}`, server)
  if (url === null || url.origin !== base.origin) {
    throw commandErrors.usage({ message: 'The path must be a path of the server, for example media' })
  }
  const pairs = fields.map((field) => {
    const [name = '', ...rest] = field.split('=')
    if (name === '' || rest.length === 0) throw commandErrors.usage({ message: 'A field must be like key=value' })
    return [name, rest.join('=')] as const
  })
  if (input !== undefined) return { url: url.href, body: checkedJson(input) }
  if (method === 'GET' || method === 'DELETE') {
    for (const [name, value] of pairs) url.searchParams.append(name, value)
    return { url: url.href, body: undefined }
  }
  const body = Object.fromEntries(pairs.map(([name, value]) => [name, typed(value)]))
  return { url: url.href, body: pairs.length === 0 ? undefined : JSON.stringify(body) }
}

/** The address of a server on this machine that listens on all addresses. */
export function reachableAddress(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

function checkedJson(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch (error) {
    throw commandErrors.usage({ message: 'The input is not JSON', cause: error })
  }
}

function typed(value: string): unknown {
  if (value === 'true' || value === 'false' || value === 'null') return JSON.parse(value) as unknown
  return /^-?(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value
}

/** The exit code that corresponds to an HTTP status. */
export function exitCodeOfStatus(status: number): number {
  if (status < 400) return EXIT.ok
  if (status === 401 || status === 403) return EXIT.denied
  if (status === 404 || status === 410) return EXIT.notFound
  return status >= 500 ? EXIT.unavailable : EXIT.failure
}
