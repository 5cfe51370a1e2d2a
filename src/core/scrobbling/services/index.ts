import type { ScrobbleService } from '../service.ts'
import { lastfm } from './lastfm.ts'
import { listenbrainz } from './listenbrainz.ts'
import { trakt } from './trakt.ts'

export const SCROBBLE_SERVICES = ['lastfm', 'listenbrainz', 'trakt'] as const

export type ScrobbleServiceName = (typeof SCROBBLE_SERVICES)[number]

/** The keys of an account at a service, by name. */
export type ScrobbleCredentials = Readonly<Record<string, string>>

/** The supported services. A new one needs its file, its entry here and in the check constraint of the table. */
const SERVICES: Readonly<Record<ScrobbleServiceName, unknown>> = { lastfm, listenbrainz, trakt }

/** The service of a name. Credentials must have been read with its own schema. */
export function scrobbleServiceByName(name: ScrobbleServiceName): ScrobbleService<ScrobbleCredentials> {
  return SERVICES[name] as ScrobbleService<ScrobbleCredentials>
}
