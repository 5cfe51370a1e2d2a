import { z } from 'zod'
import type { Config } from '../../platform/config/index.ts'
import { parseJson } from '../../platform/json/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { AcquirerName } from './acquirer.ts'

/** The v3 API that Radarr and Sonarr share. Replies are validated. Error messages never contain the key. */
export type ServarrApi = {
  /** `Radarr` or `Sonarr`. */
  readonly title: string
  get<Reply>(path: string, reply: z.ZodType<Reply>): Promise<Reply>
  put<Reply>(path: string, body: object, reply: z.ZodType<Reply>): Promise<Reply>
  /** @throws Rejection for status 400, with the messages of the validators */
  post<Reply>(path: string, body: object, reply: z.ZodType<Reply>): Promise<Reply>
}

export type ServarrAccess = { outbound: Outbound; name: AcquirerName; url: string; apiKey: string }

/** The request failed the validators of the acquirer. */
export class ServarrRejection extends Error {
  override readonly name = 'Rejection'
  /** Names of the failed validators, for example `MovieExistsValidator`. */
  readonly validators: readonly string[]

  constructor(message: string, validators: readonly string[]) {
    super(message)
    this.validators = validators
  }
}

const TITLES = { radarr: 'Radarr', sonarr: 'Sonarr' } as const satisfies Record<AcquirerName, string>

/** Time limit of one exchange, in addition to the caller's signal. */
const TIMEOUT_MILLISECONDS = 120_000
/** Enough for all episodes of a season, or one series with all its pictures. */
const MAX_BYTES = 16 * 1024 * 1024

const Problems = z.array(z.object({ errorMessage: z.string().catch(''), errorCode: z.string().nullish() }))

/** The address and key of an acquirer; undefined if one of the two is not configured. */
export function readServarrAccess(
  { config, outbound }: { config: Config; outbound: Outbound },
  name: AcquirerName,
): ServarrAccess | undefined {
  const [url, apiKey] = [config.options[`acquisition.${name}.url`], config.options[`acquisition.${name}.api_key`]]
  if (url === undefined || apiKey === undefined) return undefined
  return { outbound, name, url: url.replace(/\/+$/, ''), apiKey }
}

/** The API; its calls end when the signal is aborted. */
export function openServarrApi({ outbound, name, url, apiKey }: ServarrAccess, signal: AbortSignal): ServarrApi {
  const title = TITLES[name]

  async function call<Reply>(
    { method, path, body }: { method: 'GET' | 'POST' | 'PUT'; path: string; body?: object },
    reply: z.ZodType<Reply>,
  ): Promise<Reply> {
    const answer = await outbound.send(
      {
        purpose: 'acquisition',
        url: `${url}/api/v3${path}`,
        trust: 'configured',
        method,
        headers: { 'x-api-key': apiKey, accept: 'application/json', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        maximumBytes: MAX_BYTES,
      },
      signal,
    )
    const json = parseJson(answer.body)
    if (answer.status === 400) throw rejectionOf(title, json)
    if (answer.status === 401) throw new Error(`${title} refuses the API key.`)
    if (answer.status < 200 || answer.status > 299) throw new Error(`${title} answered with status ${answer.status}.`)
    const parsed = reply.safeParse(json)
    if (!parsed.success) throw new Error(`${title} answered something that is not its interface.`)
    return parsed.data
  }

  return {
    title,
    get: (path, reply) => call({ method: 'GET', path }, reply),
    put: (path, body, reply) => call({ method: 'PUT', path, body }, reply),
    post: (path, body, reply) => call({ method: 'POST', path, body }, reply),
  }
}

function rejectionOf(title: string, json: unknown): ServarrRejection {
  const problems = Problems.safeParse(json).data ?? []
  const messages = problems.map(({ errorMessage }) => errorMessage).filter((message) => message !== '')
  const said = messages.length === 0 ? 'without saying why' : `and says: ${messages.join(' ')}`
  return new ServarrRejection(
    `${title} refused ${said}`.slice(0, 500),
    problems.map(({ errorCode }) => errorCode ?? ''),
  )
}
