import type { Assertions } from './worker-messages.ts'
import type { SetupKind, SetupTimes } from './setup-times.ts'

export type Outcome = 'passed' | 'flaky' | 'failed'

export type ReportedFile = {
  file: string
  outcome: Outcome
  assertions: Assertions
  durationMilliseconds: number
  processorMilliseconds: number
  setup: SetupTimes
}

const SLOWEST_COUNT = 10
const MAX_FAILURE_LINES = 150
const SETUP_KINDS: readonly SetupKind[] = ['process', 'modules', 'database', 'daemon', 'command', 'media']

export function sumAssertions(all: readonly Assertions[]): Assertions {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const { passed, failed, skipped } of all) {
    sum.passed += passed
    sum.failed += failed
    sum.skipped += skipped
  }
  return sum
}

/** `test/core/naming/x.test.ts`: `test/core`; files directly in `test` belong to `test`. */
function folderOf(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 2).join('/')
}

/** The line of a file that has ended: outcome, duration, processor time, passed assertions, name. */
export function describeFile(reported: ReportedFile): string {
  const { file, outcome, assertions, durationMilliseconds, processorMilliseconds } = reported
  const word = outcome === 'passed' ? 'ok    ' : outcome.padEnd(6)
  const times = `${formatSeconds(durationMilliseconds)} ${formatSeconds(processorMilliseconds)}`
  return `${word} ${times} ${String(assertions.passed).padStart(6)}  ${file}`
}

/** The failed assertions of a report in the Test Anything Protocol, with their diagnostics. */
export function extractFailures(report: string): string {
  const kept: string[] = []
  let isInside = false
  for (const line of report.split('\n')) {
    if (/^ *not ok /.test(line)) isInside = true
    else if (/^ *(?:ok |# Subtest: )/.test(line)) isInside = false
    if (isInside) kept.push(line)
    if (/^ *\.\.\.$/.test(line)) isInside = false
  }
  const cut = kept.length > MAX_FAILURE_LINES ? [`(${kept.length - MAX_FAILURE_LINES} more lines)`] : []
  return [...kept.slice(0, MAX_FAILURE_LINES), ...cut].join('\n')
}

/**
 * Where the time went: the slowest files, each folder, and each kind of set-up. Times of files that ran side by side add up.
 * @param engineMilliseconds processor time of the server of the shared database
 */
export function describeTimes(files: readonly ReportedFile[], engineMilliseconds: number): string {
  const slowest = files.toSorted((a, b) => b.durationMilliseconds - a.durationMilliseconds).slice(0, SLOWEST_COUNT)
  const folders = Map.groupBy(files, ({ file }) => folderOf(file))
  const sums = [...folders].map(([folder, members]) => ({ folder, members, setup: sumSetup(members) }))
  const row = (name: string, members: readonly ReportedFile[]): string => {
    const total = members.reduce((sum, { durationMilliseconds }) => sum + durationMilliseconds, 0)
    const processor = members.reduce((sum, { processorMilliseconds }) => sum + processorMilliseconds, 0)
    const setup = sumSetup(members)
    const setups = SETUP_KINDS.map((kind) => formatSeconds(setup[kind] ?? 0))
    return [formatSeconds(total), formatSeconds(processor), ...setups, ` ${name}`].join(' ')
  }
  const header = ['total', 'cpu', ...SETUP_KINDS].map((name) => name.padStart(8)).join(' ')
  return [
    '',
    'The slowest files, and what of it was set-up:',
    header,
    ...slowest.map((file) => row(file.file, [file])),
    '',
    'The folders:',
    header,
    ...sums
      .toSorted((a, b) => a.folder.localeCompare(b.folder))
      .map(({ folder, members }) => row(`${folder} (${members.length})`, members)),
    row(`all (${files.length})`, files),
    `${' '.repeat(8)} ${formatSeconds(engineMilliseconds)}  the server of the shared database`,
    '',
  ].join('\n')
}

function sumSetup(files: readonly ReportedFile[]): SetupTimes {
  const sum: SetupTimes = {}
  for (const { setup } of files) {
    for (const kind of SETUP_KINDS) sum[kind] = (sum[kind] ?? 0) + (setup[kind] ?? 0)
  }
  return sum
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`.padStart(8)
}

/** The last line of a run. */
export function describeTotals({ passed, failed, skipped }: Assertions): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`
}
