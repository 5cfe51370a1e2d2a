import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../platform/time/index.ts'
import type { HubKeySet } from '../hub-client.ts'

/** The time for which a key set is used. A key that the hub has withdrawn is not accepted for longer. */
const KEPT_MILLISECONDS = 900_000

/** An unknown key id makes the set be read again, but not more often than this: anybody can send such a token. */
const REREAD_MILLISECONDS = 30_000

/** After a failure, no request is sent to the hub for this time, because anybody can send tokens. */
const FAILURE_MILLISECONDS = 5000

/** The public keys of the hub of this server. */
export type HubKeys = {
  /**
   * Finds the keys for a token, for jose's `jwtVerify`.
   * @param options.mayBeOld false: the set is read again, unless that was done within the last 30 s
   * @throws AppError `hub_unreachable` when there is no set that is young enough
   */
  find(options: { mayBeOld: boolean }): Promise<JWTVerifyGetKey>
}

/** @param readKeySet requests it from the hub */
export function createHubKeys({ clock }: { clock: Clock }, readKeySet: () => Promise<HubKeySet>): HubKeys {
  let kept: { find: JWTVerifyGetKey; readAt: number } | undefined
  let attemptedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<JWTVerifyGetKey> | undefined
  let failure: { error: unknown; at: number } | undefined

  async function read(): Promise<JWTVerifyGetKey> {
    attemptedAt = clock.monotonicMilliseconds()
    const set = onlyEd25519(
      await readKeySet().catch((error: unknown) => {
        failure = { error, at: clock.monotonicMilliseconds() }
        throw error
      }),
    )
    kept = { find: createLocalJWKSet(set), readAt: clock.monotonicMilliseconds() }
    return kept.find
  }

  return {
    async find({ mayBeOld }) {
      const now = clock.monotonicMilliseconds()
      const isYoung = kept !== undefined && now - kept.readAt < KEPT_MILLISECONDS
      if (kept !== undefined && isYoung && (mayBeOld || now - attemptedAt < REREAD_MILLISECONDS)) return kept.find
      if (failure !== undefined && now - failure.at < FAILURE_MILLISECONDS) throw failure.error
      return (reading ??= read().finally(() => (reading = undefined)))
    },
  }
}

/** Other keys of the set, for example symmetric ones, never check a token. */
function onlyEd25519({ keys }: HubKeySet): JSONWebKeySet {
  const found = keys.flatMap(({ kty, crv, kid, x }) => {
    const isUsable = kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && kid !== undefined
    return isUsable ? [{ kty, crv, kid, x, alg: 'EdDSA', use: 'sig' }] : []
  })
  return { keys: found }
}
