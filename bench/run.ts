import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchAnalysis } from './analysis.ts'
import { benchApiDuringScan } from './api-during-scan.ts'
import { benchApi, benchNewWords } from './api.ts'
import { benchBackups } from './backups.ts'
import { benchCompression } from './compression.ts'
import { benchFirstCovers } from './first-covers.ts'
import { benchFloods } from './floods.ts'
import { benchFootprint } from './footprint.ts'
import { benchHub } from './hub.ts'
import { benchImages } from './images.ts'
import { benchLimitedLists } from './limited-lists.ts'
import { benchLoadedBackups } from './loaded-backups.ts'
import { benchLogins } from './logins.ts'
import { benchPlugins } from './plugins.ts'
import { benchRelay } from './relay.ts'
import { benchRules } from './rules.ts'
import { benchScan } from './scan.ts'
import { benchSongs } from './songs.ts'
import { benchStart } from './start.ts'
import { benchStream } from './stream.ts'
import { benchSyncplay } from './syncplay.ts'
import { benchTypedLists } from './typed-lists.ts'
import { benchWebhooks } from './webhooks.ts'

/**
 * `npm run bench -- [NAME] [--json]`: figures as ratios against a peer or a physical limit measured in the same run, so that they
 * hold on another machine. It ends with exit code 1 if a figure that has to be within its
 * target is not.
 */

export type Figure = {
  name: string
  ours: number
  peer: number
  unit: 'ms' | 'MiB' | '/s' | ' '
  peerName: string
  /** Whether it has to be within `peer`. */
  isRequired?: boolean
}

const BENCHES: Record<string, () => Promise<Figure[]>> = {
  start: benchStart,
  footprint: benchFootprint,
  logins: benchLogins,
  scan: benchScan,
  songs: benchSongs,
  'api-during-scan': benchApiDuringScan,
  api: benchApi,
  'search-new-words': benchNewWords,
  'typed-lists': benchTypedLists,
  'limited-lists': benchLimitedLists,
  'first-covers': benchFirstCovers,
  analysis: benchAnalysis,
  backups: benchBackups,
  'loaded-backups': benchLoadedBackups,
  compression: benchCompression,
  floods: benchFloods,
  hub: benchHub,
  images: benchImages,
  plugins: benchPlugins,
  relay: benchRelay,
  rules: benchRules,
  stream: benchStream,
  syncplay: benchSyncplay,
  webhooks: benchWebhooks,
}

const words = process.argv.slice(2)

/** Starts Node as the product does: with the flags and variables of its first line, and with a compile cache that threads use too. */
const [shebang = ''] = readFileSync(join(import.meta.dirname, '..', 'bin', 'run.js'), 'utf8').split('\n')
const productWords = shebang.split(' ')
const productFlags = productWords.filter((word) => word.startsWith('--'))
if (!productFlags.every((flag) => process.execArgv.includes(flag))) {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '.cache', 'compile'),
  }
  for (const word of productWords) {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(word) ?? []
    if (name !== undefined) env[name] = value
  }
  const { status } = spawnSync(process.execPath, [...productFlags, import.meta.filename, ...words], {
    stdio: 'inherit',
    env,
  })
  process.exit(status ?? 1)
}

const asJson = words.includes('--json')
const names = words.filter((word) => !word.startsWith('--'))
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name))
if (unknown.length > 0) {
  process.stderr.write(`bench: no bench named ${unknown.join(', ')}; there are: ${Object.keys(BENCHES).join(', ')}\n`)
  process.exit(2)
}

const figures: Figure[] = []
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) figures.push(...((await BENCHES[name]?.()) ?? []))

if (asJson) {
  process.stdout.write(`${JSON.stringify({ figures: figures.map((f) => ({ ...f, ratio: f.ours / f.peer })) })}\n`)
} else {
  for (const { name, ours, peer, unit, peerName } of figures) {
    const ratio = (ours / peer).toFixed(2)
    process.stdout.write(
      `${name.padEnd(34)} ${(ours < 10 ? ours.toFixed(1) : ours.toFixed(0)).padStart(6)} ${unit}   ${ratio}x ${peerName} (${peer.toFixed(0)} ${unit})\n`,
    )
  }
}

const missed = figures.filter(({ isRequired = false, ours, peer }) => isRequired && ours > peer)
for (const { name, ours, peer, unit } of missed)
  process.stderr.write(`bench: ${name} is ${ours.toFixed(1)} ${unit}, above its target of ${peer} ${unit}\n`)
if (missed.length > 0) process.exitCode = 1
