import type { Config } from '../platform/config/index.ts'
import { createPasswordHashing, type PasswordHashing } from '../platform/credentials/index.ts'
import { migrate, hubMigrationsFolder, openDatabase, type Database } from '../platform/database/index.ts'
import { loadSigningSecret } from '../platform/keys/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { systemClock, type Clock } from '../platform/time/index.ts'
import { createRelayDirectory } from './directory/directory.ts'
import { openEventChannel } from './directory/event-channel.ts'
import { createPeerKeys, type PeerKeys } from './keys/peer-keys.ts'
import { createSigningKeys, type SigningKeys } from './keys/signing-keys.ts'
import type { RelayDirectory } from './relay-directory.ts'
import { createHubSessions, type HubSessions } from './users/hub-sessions.ts'

/** The dependencies of the use cases of a hub that need no tokens, for commands. */
export type HubStore = Readonly<{
  config: Config
  clock: Clock
  log: Logger
  db: Database
  passwordHashing: PasswordHashing
  /** Idempotent. */
  close(): Promise<void>
}>

/** The dependencies of a hub that serves. */
export type HubServices = HubStore &
  Readonly<{
    signingKeys: SigningKeys
    sessions: HubSessions
    directory: RelayDirectory
    peerKeys: PeerKeys
  }>

export type HubInput = {
  /** Of the hub; see `hubConfig`. */
  config: Config
  log: Logger
  clock?: Clock
  passwordHashing?: PasswordHashing
}

/**
 * Opens the database of a hub and brings its schema up to date.
 * @throws AppError for example `database_unavailable`, `schema_too_new`
 */
export async function openHubStore(input: HubInput): Promise<HubStore> {
  const { store } = await openStore(input)
  return store
}

async function openStore({ config, log, clock = systemClock, passwordHashing = createPasswordHashing() }: HubInput) {
  const database = await openDatabase({ config, log })
  try {
    await migrate({ connectionUri: database.connectionUri, log, directory: hubMigrationsFolder('hub') })
  } catch (error) {
    await database.close()
    throw error
  }
  const store: HubStore = { config, clock, log, db: database.pool, passwordHashing, close: () => database.close() }
  return { store, connectionUri: database.connectionUri }
}

/**
 * Opens all services of a hub. The secret is loaded first, so that nothing is opened without a valid one.
 * @throws AppError `insecure_jwt_secret`, `key_file_damaged`, and as `openHubStore` does
 */
export async function openHubServices(input: HubInput): Promise<HubServices> {
  const jwtSecret = await loadSigningSecret(input)
  const { store, connectionUri } = await openStore(input)
  try {
    const needs = { ...store, jwtSecret }
    const signingKeys = createSigningKeys(needs)
    const sessions = createHubSessions(needs)
    const events = await openEventChannel({ connectionUri, log: store.log })
    const directory = createRelayDirectory({ ...needs, signingKeys, sessions, events })
    const peerKeys = createPeerKeys(jwtSecret)
    let closing: Promise<void> | undefined
    const close = async (): Promise<void> => {
      await events.close()
      await store.close()
    }
    return Object.freeze({ ...store, signingKeys, sessions, directory, peerKeys, close: () => (closing ??= close()) })
  } catch (error) {
    await store.close()
    throw error
  }
}
