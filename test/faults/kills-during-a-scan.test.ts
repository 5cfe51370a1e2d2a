import t, { type Test } from 'tap'
import { gateAtTable, type DatabaseGate } from '../support/database-gate.ts'
import { reachableDirectory } from '../support/directories.ts'
import { gatedProbe, type GatedProbe } from '../support/gated-probe.ts'
import { untilNoProcessOf } from '../support/processes.ts'
import {
  beginLibrary,
  changeAndRescan,
  checkFinalState,
  makeCorpora,
  untilScanEnds,
  type Corpus,
  type ScannedLibrary,
} from './killed-scans.ts'
import { startKilledServer, type KilledServer, type KillTarget } from './killed-server.ts'

/**
 * `kill -9` of the daemon, of its database, and of both during scans of libraries of several types. Each kill happens in a certain stage of
 * the scan. `npm run soak -- kills-during-a-scan` kills at random moments instead.
 */

/** The stage of the scan at the kill: blocked in ffprobe, or in the middle of a transaction that writes to a table. */
type Stage = 'reading' | { writes: 'media_items' | 'scan_folders' }

type Case = { type: Corpus['type']; stage: Stage; target: KillTarget }

/** The first kill of a library happens in its first scan, the second one in a rescan in which every file has changed. */
const CASES: readonly Case[] = [
  { type: 'movie', stage: 'reading', target: 'daemon' },
  { type: 'movie', stage: 'reading', target: 'postmaster' },
  { type: 'series', stage: { writes: 'media_items' }, target: 'both' },
  { type: 'series', stage: 'reading', target: 'both' },
  { type: 'music', stage: { writes: 'media_items' }, target: 'postmaster' },
  { type: 'music', stage: { writes: 'scan_folders' }, target: 'daemon' },
]

const nameOf = (stage: Stage): string => (stage === 'reading' ? stage : `writing to ${stage.writes}`)

void t.test(
  'kills of daemon, database and both in each stage of scans of three libraries lose nothing and leave nothing behind',
  async (t) => {
    const probeFolder = reachableDirectory(t)
    const probe = await gatedProbe(probeFolder)
    const server = await startKilledServer(t, probe.environment)
    const corpora = makeCorpora({ films: 12, episodes: 10, songs: 12 })
    const libraries: ScannedLibrary[] = []
    for (const { type, stage, target } of CASES) {
      const gate = await shutGate(t, { server, probe, stage })
      const corpus = corpora.find((one) => one.type === type) as Corpus
      let library = libraries.find((one) => one.type === type)
      if (library === undefined) libraries.push((library = await beginLibrary(t, server, corpus)))
      else await changeAndRescan(server, library)
      await gate.reached()
      t.ok(await server.kill(target), `killed in a scan of the ${type} library, ${nameOf(stage)}: ${target}`)
      // A gate in the database has ended with it.
      if (stage === 'reading' || target === 'daemon') await gate.open()
      await server.restore()
      await untilScanEnds(server, library)
    }
    for (const library of libraries) await t.test(library.type, (t) => checkFinalState(t, server, library))
    const { code, left } = await server.stop()
    t.equal(code, 0, 'the daemon stops by itself')
    t.strictSame(left, [], 'no process of this data directory remains')
    t.strictSame(await untilNoProcessOf(probeFolder), [], 'and none that it had started')
  },
)

/** Blocks the next scan in a stage. Readers of files are released while the gate is in the database. */
async function shutGate(
  t: Test,
  { server, probe, stage }: { server: KilledServer; probe: GatedProbe; stage: Stage },
): Promise<DatabaseGate> {
  if (stage === 'reading') {
    await probe.shut()
    return { reached: probe.started, open: probe.open }
  }
  await probe.open()
  return gateAtTable(t, server.connectionUri, stage.writes, 'writers')
}
