import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findTestFiles, planRun, type PlannedFile } from './plan-run.ts'
import {
  describeFile,
  describeTimes,
  describeTotals,
  extractFailures,
  sumAssertions,
  type ReportedFile,
} from './report.ts'
import { quickFfmpegPath } from './quick-ffmpeg.ts'
import { DEFAULT_JOBS, isFailed, runAlone, runFiles } from './run-files.ts'
import type { Assertions } from './worker-messages.ts'
import { killWorkers, type FileResult, type WorkerTimes } from './worker-process.ts'

/**
 * The test runner: `node test/runner/run.ts [--check] [--jobs N] [--file-seconds N] [--exit-seconds N] [FILES, FOLDERS OR PATTERNS]`. The last
 * line is `N passed, N failed`: assertions, and with `--check` that command as one more. A file hangs after `--file-seconds`
 * (420); a process of tests that is still there `--exit-seconds` (30) after its last file has left something open. Exit status: 0 all
 * passed, 1 not, 2 wrong usage.
 */

const ROOT = join(import.meta.dirname, '..', '..')
const CACHE = join(ROOT, '.cache', 'test')
const TIMES = join(CACHE, 'times.json')
const NO_ASSERTIONS: Assertions = { passed: 0, failed: 0, skipped: 0 }

type Plan = { files: PlannedFile[]; options: { jobs: number } & WorkerTimes; isChecked: boolean }

type Outcome = { reported: readonly ReportedFile[]; engineMilliseconds: number }

process.chdir(ROOT)
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    killWorkers()
    process.exit(status)
  })
}
process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  const lastMilliseconds = readTimes()
  let plan: Plan
  try {
    plan = readPlan(words, lastMilliseconds)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
  const check = plan.isChecked ? runCheck() : NO_ASSERTIONS
  const { reported, engineMilliseconds } = await runWithEngine(plan)
  rememberTimes(lastMilliseconds, reported)
  process.stdout.write(describeTimes(reported, engineMilliseconds))
  const troubled = reported.filter(({ outcome }) => outcome !== 'passed')
  for (const file of troubled) process.stdout.write(`${describeFile(file)}\n`)
  const totals = sumAssertions([check, ...reported.map(({ assertions }) => assertions)])
  process.stdout.write(`${describeTotals(totals)}\n`)
  return totals.failed === 0 ? 0 : 1
}

/** @throws Error for words that name no option, no number or no test file */
function readPlan(words: readonly string[], lastMilliseconds: ReadonlyMap<string, number>): Plan {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      jobs: { type: 'string', default: String(DEFAULT_JOBS) },
      'file-seconds': { type: 'string', default: '420' },
      'exit-seconds': { type: 'string', default: '30' },
    },
  })
  const options = {
    jobs: readCount('--jobs', values.jobs),
    fileSeconds: readCount('--file-seconds', values['file-seconds']),
    exitSeconds: readCount('--exit-seconds', values['exit-seconds']),
  }
  return { files: planRun(ROOT, findTestFiles(ROOT, positionals), lastMilliseconds), options, isChecked: values.check }
}

/**
 * The shared database is held through the whole run: it would stop whenever no file uses it. The release and the
 * pages of the browser are built once, before several files need them at the same time.
 */
async function runWithEngine({ files, options }: Plan): Promise<Outcome> {
  if (files.every((file) => file.isFast)) return { reported: await runAndRepeat(files, options), engineMilliseconds: 0 }
  // Loaded here, because the modules take longer than some runs of fast files.
  const { joinTestEngine, readEngineProcessorMilliseconds } = await import('../support/database.ts')
  const { keepRelease } = await import('../support/release.ts')
  const { keepWebPages } = await import('../../scripts/web-pages/keep-web-pages.ts')
  await keepRelease()
  await keepWebPages(ROOT)
  process.env['PATH'] = quickFfmpegPath(join(ROOT, '.cache', 'programs'))
  const engine = await joinTestEngine()
  try {
    return { reported: await runAndRepeat(files, options), engineMilliseconds: readEngineProcessorMilliseconds() }
  } finally {
    await engine.leave()
  }
}

/** Types, lint, format, dead code, layers. It comes first: what does not compile need not be tested. */
function runCheck(): Assertions {
  // The npm that started this process; the one of the system may be too old.
  const npm = process.env['npm_execpath']
  const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const { status } = spawnSync(program, [...first, 'run', '--silent', 'check'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return status === 0 ? { ...NO_ASSERTIONS, passed: 1 } : { ...NO_ASSERTIONS, failed: 1 }
}

/**
 * Runs the files; then those that failed once more, each by itself with nothing beside it. One that passes then is flaky: the run fails
 * all the same, but its reader knows to look for a race.
 */
async function runAndRepeat(files: readonly PlannedFile[], options: Plan['options']): Promise<readonly ReportedFile[]> {
  const results: FileResult[] = []
  await runFiles(files, {
    ...options,
    onResult: (result) => {
      results.push(result)
      print(result)
    },
  })
  const reported: ReportedFile[] = []
  for (const result of results) {
    const failed = isFailed(result)
    const again =
      failed && files.some(({ file }) => file === result.file) ? await runAlone(result.file, options) : undefined
    if (again !== undefined) print(again)
    const outcome = !failed ? 'passed' : again !== undefined && !isFailed(again) ? 'flaky' : 'failed'
    // State that was left behind is one failure, even where each assertion passed.
    const failures = Math.max(result.assertions.failed, failed ? 1 : 0)
    reported.push({ ...result, outcome, assertions: { ...result.assertions, failed: failures } })
  }
  return reported
}

function print(result: FileResult): void {
  const failed = isFailed(result)
  process.stdout.write(`${describeFile({ ...result, outcome: failed ? 'failed' : 'passed' })}\n`)
  if (!failed) return
  const changes = result.leftBehind.map((change) => `left behind: ${change}`)
  const output = result.output.split('\n').slice(-40)
  const failures = extractFailures(result.report)
  process.stdout.write([failures, ...changes, ...output].join('\n'))
}

function readCount(flag: string, word: string): number {
  const count = Number(word)
  if (Number.isInteger(count) && count >= 1) return count
  throw new Error(`${flag} takes a whole number of 1 or more, not ${word}`)
}

/** For the order of the next run. Files outside of `test` are those of the runner's own tests. */
function rememberTimes(lastMilliseconds: Map<string, number>, reported: readonly ReportedFile[]): void {
  for (const { file, durationMilliseconds } of reported) {
    if (file.startsWith('test/')) lastMilliseconds.set(file, Math.round(durationMilliseconds))
  }
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(TIMES, JSON.stringify(Object.fromEntries(lastMilliseconds)))
}

function readTimes(): Map<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(TIMES, 'utf8')) as Record<string, number>))
  } catch {
    // The first run of a checkout knows none.
    return new Map()
  }
}
