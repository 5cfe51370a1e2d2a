import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { cacheResult } from '../platform/cache/index.ts'
import type { Config } from '../platform/config/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { oidcErrors } from './errors.ts'
import { readOidcOptions, type OidcOptions } from './oidc-options.ts'
import { outboundFetch } from './outbound-fetch.ts'

const METADATA_MILLISECONDS = 600_000
const TIMEOUT_SECONDS = 10

/** Anybody can send logout tokens, so the key set is not read more often for them. */
const LOGOUT_KEYS_MILLISECONDS = 5000

/** The OpenID provider that the administrator has configured. */
export type OidcProvider = Readonly<{
  options: OidcOptions
  /**
   * The provider's description of itself, at most ten minutes old.
   * @throws AppError `oidc_unavailable`
   */
  metadata(): Promise<ServerMetadata>
  /**
   * A configuration of the library for one sign-in. Each configuration begins without keys, so that a new key of the provider is used at
   * once: the library itself would cache keys for five minutes.
   * @throws AppError `oidc_unavailable`
   */
  configuration(): Promise<Configuration>
  /**
   * The keys for logout tokens, at most five seconds old.
   * @throws AppError `oidc_unavailable`
   */
  logoutKeys(): Promise<JWTVerifyGetKey>
}>

type Dependencies = { config: Config; clock: Clock; log: Logger; outbound: Outbound }

/**
 * Nothing is sent before the first sign-in, so that a provider that does not answer does not stop the server.
 * @returns undefined if no provider is configured
 * @throws AppError `invalid_config`
 */
export function createOidcProvider({ config, clock, log, outbound }: Dependencies): OidcProvider | undefined {
  const options = readOidcOptions(config)
  if (options === undefined) return undefined
  const exchange = outboundFetch(outbound)
  const logger = log.child({ domain: 'oidc' })

  const translated = async <Result>(reading: Promise<Result>): Promise<Result> => {
    try {
      return await reading
    } catch (error) {
      logger.warning({ reason: deepestErrorMessage(error) }, 'the OpenID provider gave no usable answer')
      throw oidcErrors.oidc_unavailable({ cause: error })
    }
  }

  const metadata = cacheResult(clock, METADATA_MILLISECONDS, () => translated(discover(options, exchange)))
  return Object.freeze({
    options,
    metadata,
    configuration: async () => configure(options, exchange, await metadata()),
    logoutKeys: cacheResult(clock, LOGOUT_KEYS_MILLISECONDS, async () => {
      const { jwks_uri: address = '' } = await metadata()
      return translated(readKeys(options, exchange, address))
    }),
  })
}

/** Without TLS only for providers on this machine; the option allows no others. */
const isPlain = ({ issuer }: OidcOptions): boolean => new URL(issuer).protocol === 'http:'

async function discover(options: OidcOptions, exchange: CustomFetch): Promise<ServerMetadata> {
  const { allowInsecureRequests, customFetch, discovery } = await import('openid-client')
  const configuration = await discovery(new URL(options.issuer), options.clientId, undefined, undefined, {
    [customFetch]: exchange,
    timeout: TIMEOUT_SECONDS,
    ...(isPlain(options) ? { execute: [allowInsecureRequests] } : {}),
  })
  return configuration.serverMetadata()
}

async function configure(options: OidcOptions, exchange: CustomFetch, server: ServerMetadata): Promise<Configuration> {
  const library = await import('openid-client')
  const { clientId, clientSecret: secret } = options
  // Without this field a provider supports only the method of HTTP (OpenID Connect Discovery, 3).
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authenticate = methods.includes('client_secret_basic') ? library.ClientSecretBasic : library.ClientSecretPost
  const authentication = secret === undefined ? library.None() : authenticate(secret)
  const made = new library.Configuration(server, clientId, undefined, authentication)
  made[library.customFetch] = exchange
  made.timeout = TIMEOUT_SECONDS
  // The signature counts, not only the connection on which the ID token came.
  library.enableNonRepudiationChecks(made)
  if (isPlain(options)) library.allowInsecureRequests(made)
  return made
}

async function readKeys(options: OidcOptions, exchange: CustomFetch, address: string): Promise<JWTVerifyGetKey> {
  // The library checks the addresses that it uses itself. An attacker who replaces the keys in transit could sign out anyone.
  if (new URL(address).protocol !== 'https:' && !isPlain(options)) throw new Error('jwks_uri is not an https address')
  const reply = await exchange(address, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' })
  return createLocalJWKSet((await reply.json()) as JSONWebKeySet)
}

/** The library hides the reason in the causes of its errors. */
export function deepestErrorMessage(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${describeError(error.cause)}` : ''
  return `${describeError(error)}${cause}`
}
