import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import type { SeededRandom } from '../support/seeded-random.ts'
import {
  beginLibrary,
  changeAndRescan,
  checkFinalState,
  makeCorpora,
  scanStatus,
  type ScannedLibrary,
} from './killed-scans.ts'
import { startKilledServer, KILL_TARGETS } from './killed-server.ts'

/** Kills at moments that only the seed determines: also while a job is queued, while the database starts, and twice in a row. */
export async function killScansAtRandom(
  t: Test,
  { random, kills }: { random: SeededRandom; kills: number },
): Promise<void> {
  const server = await startKilledServer(t, {})
  const libraries: ScannedLibrary[] = []
  for (const corpus of makeCorpora({ films: 50, episodes: 40, songs: 50 })) {
    libraries.push(await beginLibrary(t, server, corpus))
  }
  const killed: string[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const library = random.pick(libraries)
    if ((await scanStatus(server, library))?.status === 'completed') await changeAndRescan(server, library)
    await pause(random.below(1500))
    const target = random.pick(KILL_TARGETS)
    const status = (await scanStatus(server, library))?.status
    const isFound = await server.kill(target)
    killed.push(`${target} (${library.type} ${status}${isFound ? '' : ', no postmaster yet'})`)
    // A running daemon reconnects to its database by itself.
    if (target !== 'postmaster') await server.restore()
  }
  t.comment(`killed: ${killed.join(', ')}`)
  await server.restore()
  for (const library of libraries) await t.test(library.type, (t) => checkFinalState(t, server, library))
  const { code, left } = await server.stop()
  t.equal(code, 0, 'the daemon stops by itself')
  t.strictSame(left, [], 'no process of this data directory remains')
}
