import type { HeartbeatReport } from '../../hub-protocol/index.ts'
import { listLibraries } from '../../libraries/index.ts'
import { releaseVersion, type Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { toIsoTimestamp, type Clock } from '../../platform/time/index.ts'
import { listServerUrlCandidates } from '../server-url-candidates.ts'
import { countActivity } from '../queries.ts'

/** What a hub accepts. */
const MAX_LIBRARIES = 500
const MAX_NAME_LENGTH = 200

/** Players report every 10 to 15 s. */
const ACTIVE_WITHIN_MILLISECONDS = 120_000

/**
 * What this server reports to its hub: names and ids of libraries, numbers of players and encoders, and its addresses. No titles and no
 * accounts.
 * @param input.upMilliseconds since the start of the server
 */
export async function createHeartbeatReport(
  { config, clock, db }: { config: Config; clock: Clock; db: Database },
  { serverId, serverPort, upMilliseconds }: { serverId: string; serverPort: number; upMilliseconds: number },
): Promise<HeartbeatReport> {
  const playingSince = new Date(clock.now().getTime() - ACTIVE_WITHIN_MILLISECONDS)
  const [libraries, { players, transcodes }] = await Promise.all([
    listLibraries({ db }),
    countActivity(db, { playingSince }),
  ])
  return {
    serverId,
    version: releaseVersion(),
    timestamp: toIsoTimestamp(clock.now()),
    uptimeSeconds: Math.max(0, Math.round(upMilliseconds / 1000)),
    activeSessions: players,
    activeTranscodes: transcodes,
    hostnameCandidates: listServerUrlCandidates({ config, clock }, serverPort),
    libraries: libraries
      .slice(0, MAX_LIBRARIES)
      .map(({ id, name }) => ({ library_id: id, library_name: cutName(name) })),
    // It cannot limit an account to some libraries, so that it does not have the capability `library-subsets`.
    capabilities: [],
    intervalSeconds: config.options['hub.heartbeat_seconds'],
  }
}

/** By code points: half of a character would make a hub refuse the whole report. */
function cutName(name: string): string {
  return Array.from(name.toWellFormed()).slice(0, MAX_NAME_LENGTH).join('')
}
