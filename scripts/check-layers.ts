import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileGraph, findCycles, folderGraph } from './import-cycles.ts'
import { findModuleState } from './module-state.ts'
import { checkTableWrite, writtenTables } from './table-owners.ts'

/**
 * Checks the layer rules of docs/architecture.md on the text of every source file. `npm run check` runs it; test/architecture.test.ts also
 * checks that each rule finds violations.
 */

/** The tiers of core, from low to high. A folder may import only folders of earlier lines. */
export const TIERS: readonly (readonly string[])[] = [
  ['platform/errors', 'platform/time', 'platform/json', 'platform/xml'],
  ['platform/priorities'],
  ['platform/cache'],
  ['platform/concurrency'],
  ['platform/threads'],
  ['platform/config'],
  ['platform/logging'],
  ['platform/events'],
  ['platform/outbound'],
  ['platform/object-storage'],
  ['platform/spawn'],
  ['platform/files'],
  ['platform/database'],
  ['platform/settings'],
  ['platform/rate-limits'],
  ['platform/media-tools'],
  ['platform/images'],
  ['platform/jobs'],
  ['platform/keys'],
  ['platform/credentials'],
  ['hub-protocol'],
  ['relay-protocol'],
  ['hub'],
  ['hub-relay'],
  ['outbox'],
  ['naming'],
  ['probing'],
  ['access'],
  ['profiles'],
  ['playback-limits'],
  ['accounts'],
  ['oidc'],
  ['ldap'],
  ['passkeys'],
  ['quick-connect'],
  ['api-keys'],
  ['libraries'],
  ['catalogue'],
  ['tracks'],
  ['subtitles'],
  ['artwork'],
  ['metadata'],
  ['photos'],
  ['user-items'],
  ['playback'],
  ['watch-together'],
  ['remote-control'],
  ['statistics'],
  ['preferences'],
  ['recommendations'],
  ['audiobooks'],
  ['books'],
  ['music'],
  ['analysis'],
  ['streaming'],
  ['hardware-encoders'],
  ['extras'],
  ['theme-media'],
  ['smart-playlists'],
  ['collections'],
  ['shares'],
  ['downloads'],
  ['scanning'],
  ['requests'],
  ['webhooks'],
  ['notifications'],
  ['scrobbling'],
  ['plugins'],
  ['network'],
  ['hub-link'],
  ['relay-link'],
  ['maintenance'],
  ['backups'],
  ['doctor'],
  ['server-status'],
  ['views'],
  ['account-export'],
]

/** The only imports of the daemon by the command line: `phlix serve` and `phlix hub:serve` start it. */
const SERVE_IMPORTS: readonly { from: string; to: string }[] = [
  { from: 'src/commands/serve.ts', to: 'src/daemon/serve.ts' },
  { from: 'src/commands/hub/serve.ts', to: 'src/daemon/hub/serve-hub.ts' },
]

/** The folders of core that only a hub uses. */
const HUB_FOLDERS: ReadonlySet<string> = new Set(['hub', 'hub-relay'])

/** The folders of core that a hub uses too, besides the platform. */
const SHARED_WITH_HUB: ReadonlySet<string> = new Set(['hub-protocol', 'relay-protocol'])

/** The only parts of the routes of a media server that a hub uses too: they need nothing but the platform. */
const ROUTES_SHARED_WITH_HUB = /^src\/daemon\/routes\/(?:key-set\/key-set\.schemas|logs\/logs\.routes)\.ts$/

/** The programs of the browser. They know the server by its API only, and the server knows their built files only. */
const WEB_FOLDER = 'src/daemon/web/'

type Only = { what: string; pattern: RegExp; allowed: (path: string) => boolean }

/** Actions that only one place in the source may do. */
const ONLY: readonly Only[] = [
  {
    what: 'starts processes (only core/platform/spawn does)',
    pattern: /from '(?:node:child_process|execa)'|import\('(?:node:child_process|execa)'\)/,
    allowed: (path) => path.startsWith('src/core/platform/spawn/'),
  },
  {
    what: 'starts threads (only core/platform/threads does)',
    pattern: /new Worker\(/,
    allowed: (path) => path.startsWith('src/core/platform/threads/'),
  },
  {
    what: 'reads the environment (only core/platform/config does)',
    pattern: /process\.env\b/,
    allowed: (path) => path.startsWith('src/core/platform/config/'),
  },
  {
    what: 'reads the clock (only core/platform/time does)',
    pattern: /Date\.now\(|new Date\(\)/,
    allowed: (path) => path.startsWith('src/core/platform/time/') || path.startsWith(WEB_FOLDER),
  },
  {
    what: 'writes SQL outside queries.ts',
    pattern: /import \{[^}]*\bsql\b[^}]*\} from 'slonik'/,
    allowed: (path) => /\/queries(\.ts$|\/)/.test(path) || path.startsWith('src/core/platform/database/'),
  },
  {
    what: 'creates the schema of a row for each statement (create it once in the module: it takes 0.15 ms)',
    pattern: /sql\.type\(\s*z\./,
    allowed: () => false,
  },
  {
    what: 'sends HTTP out (only core/platform/outbound does)',
    pattern: /\bfetch\(|from '(?:node:https?|undici)'|import\('(?:node:https?|undici)'\)/,
    allowed: (path) => path.startsWith('src/core/platform/outbound/') || path.startsWith(WEB_FOLDER),
  },
  {
    what: 'makes the JSON of a record (only core/views, the views of the daemon and the envelope of webhooks do)',
    pattern: /\b[a-z_]+_at: (?:toIsoTimestamp|isoTimestampOrNull)\(/,
    allowed: (path) => /^src\/core\/(?:views|webhooks)\/|\.view\.ts$/.test(path),
  },
]

/** An import of code from another folder than these three. A command loads all views when it starts, and a view of a record only names its type. */
const CODE_IMPORT_OF_VIEW = /^import (?!type )[^']*'\.\.\/(?!platform\/(?:config|json|time)\/)/m

const EMPTY_NAMES = /(^|[-/])(utils?|helpers?|common|misc|managers?)(\.ts|\/|-)/
const MAX_FILE_LINES = 400

/** A violation of a rule, as a line of text. */
export type Violation = string

/**
 * All violations in a source tree.
 * @param sources maps paths from the project root (`src/…`) to text
 */
export function findViolations(sources: ReadonlyMap<string, string>): Violation[] {
  const imports = new Map([...sources].map(([path, text]) => [path, [...importsOf(path, text)]]))
  const ofTexts = [...sources].flatMap(([path, text]) =>
    textViolations(path, text).map((problem) => `${path}: ${problem}`),
  )
  const ofImports = [...imports].flatMap(([path, targets]) =>
    targets.flatMap((target) => {
      const problem = checkImport(path, target)
      return problem === undefined ? [] : [`${path} -> ${target}: ${problem}`]
    }),
  )
  const files = fileGraph(imports)
  return [
    ...findModuleState(sources),
    ...ofTexts,
    ...ofImports,
    ...findCycles(files).map((cycle) => `${cycle.join(' -> ')}: files import each other`),
    ...findCycles(folderGraph(files)).map((cycle) => `${cycle.join(' -> ')}: folders import each other`),
  ]
}

/** What is wrong with the name or the text of one file. */
function textViolations(path: string, text: string): string[] {
  const problems: string[] = []
  if (EMPTY_NAMES.test(path)) problems.push('the name says nothing')
  if (text.split('\n').length > MAX_FILE_LINES) problems.push(`longer than ${MAX_FILE_LINES} lines`)
  for (const rule of ONLY) if (rule.pattern.test(text) && !rule.allowed(path)) problems.push(rule.what)
  if (path.startsWith('src/core/views/') && CODE_IMPORT_OF_VIEW.test(text))
    problems.push('a view imports code of a domain (only types)')
  for (const table of writtenTables(text)) {
    const problem = checkTableWrite(coreFolderOf(path), table)
    if (problem !== undefined) problems.push(problem)
  }
  return problems
}

/** The paths that a file imports, dynamically and for types too. */
function* importsOf(path: string, text: string): Generator<string> {
  for (const match of text.matchAll(/(?:from|import\(|import)\s*\(?'(\.{1,2}\/[^']+)'/g)) {
    yield normalize(join(dirname(path), match[1] ?? ''))
  }
}

function checkImport(from: string, to: string): string | undefined {
  if (SERVE_IMPORTS.some((allowed) => from === allowed.from && to === allowed.to)) return undefined
  if (from.startsWith(WEB_FOLDER) !== to.startsWith(WEB_FOLDER))
    return 'the web pages and the server do not import each other'
  const crossing = checkHubBorder(from, to)
  if (crossing !== undefined) return crossing
  const [fromPart, toPart] = [partOf(from), partOf(to)]
  if (fromPart !== toPart && toPart !== 'core') return `${fromPart} may not import ${toPart}`
  if (toPart !== 'core') return undefined
  if (fromPart !== 'core') return isIndexOrRoot(to) ? undefined : 'import the folder through its index.ts'
  return checkImportInsideCore(from, to)
}

/** A hub and a media server do not import each other. Commands may import both. */
function checkHubBorder(from: string, to: string): string | undefined {
  if (partOf(from) === 'commands') return undefined
  const isFromHub = isOfHub(from)
  if (!isFromHub) return isOfHub(to) ? 'a media server does not import the hub' : undefined
  if (isOfHub(to)) return undefined
  const folder = coreFolderOf(to)
  const isCore = partOf(to) === 'core'
  const isShared = folder !== undefined && (folder.startsWith('platform/') || SHARED_WITH_HUB.has(folder))
  if (isCore && !isShared) return 'a hub imports nothing of a media server but the platform'
  const isRoute = to.startsWith('src/daemon/routes/') && !ROUTES_SHARED_WITH_HUB.test(to)
  return isRoute || to === 'src/daemon/app.ts' ? 'a hub does not import the routes of a media server' : undefined
}

function isOfHub(path: string): boolean {
  const folder = partOf(path) === 'core' ? coreFolderOf(path) : undefined
  return path.startsWith('src/daemon/hub/') || (folder !== undefined && HUB_FOLDERS.has(folder))
}

function checkImportInsideCore(from: string, to: string): string | undefined {
  const [fromFolder, toFolder] = [coreFolderOf(from), coreFolderOf(to)]
  if (fromFolder === toFolder) return undefined
  if (fromFolder === undefined)
    return toFolder === undefined || isIndexOrRoot(to) ? undefined : 'import through index.ts'
  if (toFolder === undefined) return 'a domain may not import the composition root'
  if (!isIndexOrRoot(to)) return 'import the folder through its index.ts'
  const [fromTier, toTier] = [tierOf(fromFolder), tierOf(toFolder)]
  if (fromTier === -1) return `folder ${fromFolder} has no tier`
  if (toTier === -1) return `folder ${toFolder} has no tier`
  return toTier < fromTier ? undefined : `${toFolder} does not stand below ${fromFolder}`
}

function partOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** `src/core/platform/config/load-config.ts` → `platform/config`; files directly in core have no folder. */
export function coreFolderOf(path: string): string | undefined {
  const parts = path.split('/').slice(2)
  if (parts.length < 2) return undefined
  return parts[0] === 'platform' ? `platform/${parts[1]}` : parts[0]
}

function isIndexOrRoot(path: string): boolean {
  const folder = coreFolderOf(path)
  return folder === undefined || path === `src/core/${folder}/index.ts`
}

function tierOf(folder: string): number {
  return TIERS.findIndex((tier) => tier.includes(folder))
}

/** The project's own sources, in the form that `findViolations` expects. */
export function readSources(): Map<string, string> {
  const root = join(import.meta.dirname, '..')
  const paths = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: (name) => name.endsWith('.d.ts') })
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

if (import.meta.main) {
  const sources = readSources()
  const violations = findViolations(sources)
  for (const violation of violations) process.stderr.write(`${violation}\n`)
  process.stdout.write(`layers: ${sources.size} files, ${violations.length} violations\n`)
  process.exitCode = violations.length === 0 && sources.size > 0 ? 0 : 1
}
