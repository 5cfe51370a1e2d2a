import type { Database } from '../src/core/platform/database/index.ts'
import { fillCatalogue } from './api-catalogue.ts'
import { connectBare, connectOurs, type Asker } from './api-clients.ts'
import { questionsOf, type Question } from './api-questions.ts'
import { PASSWORD } from './clients.ts'
import { whileServingFilled } from './new-server.ts'
import { databaseMilliseconds, familyMilliseconds } from './processor-time.ts'
import type { Figure } from './run.ts'

export const CLIENTS = 50
/** Requests of each kind before the measurement: they fill the caches of the database, prepare statements, and let V8 compile the code. */
const WARM_UP = { ours: 500, bare: 100 }

/**
 * The two kinds of clients. In a closed loop a client sends the next request directly after a reply. 50 such clients saturate the
 * processors, which bench, daemon and database share, so the times include the wait in a queue. With a mean pause of a quarter of a second,
 * the times are those of 50 people who page quickly.
 */
const WAYS = [
  { name: 'closed loop', pauseMilliseconds: 0, requests: 1000 },
  { name: 'with pauses', pauseMilliseconds: 250, requests: 500 },
] as const

/**
 * Requests of 50 concurrent clients for a large catalogue over persistent connections, against the bare SQL for the same rows, sent by as
 * many clients of the database in the same way. On a busy machine the times of the bare SQL are too short, because its 50 processes get more
 * of the processors than one daemon. The processor times are valid there too.
 */
export async function benchApi(): Promise<Figure[]> {
  return askOf({ items: itemsOr(1_000_000), isAsked: () => true })
}

/** Only the searches for words that were not searched for before. The default catalogue is smaller; PHLIX_BENCH_ITEMS sets its size. */
export async function benchNewWords(): Promise<Figure[]> {
  return askOf({ items: itemsOr(100_000), isAsked: ({ name }) => name === 'search of a new word' })
}

export function itemsOr(otherwise: number): number {
  return Number(process.env['PHLIX_BENCH_ITEMS'] ?? otherwise)
}

type Choice = { items: number; isAsked: (question: Question) => boolean }

async function askOf({ items, isAsked }: Choice): Promise<Figure[]> {
  const fill = async (database: Database): Promise<string> => {
    const started = performance.now()
    const userId = await fillCatalogue(database, items)
    process.stderr.write(`bench: ${items} items made in ${Math.round((performance.now() - started) / 1000)} s\n`)
    return userId
  }
  return whileServingFilled({ name: 'api', isAdmin: false, fill }, async ({ port, child }, filling) => {
    const { filled, connectionUri, dataDirectory } = filling
    const ours = await connectOurs({ port, password: PASSWORD, clients: CLIENTS })
    const bare = await connectBare(connectionUri, CLIENTS)
    const figures: Figure[] = []
    const processorTime = (): ProcessorTime => ({
      daemon: familyMilliseconds(child.pid ?? 0),
      database: databaseMilliseconds(dataDirectory),
    })
    for (const question of questionsOf(items, filled).filter(isAsked))
      figures.push(...(await askBoth(question, { ours, bare, processorTime })))
    await ours.close()
    await bare.close()
    return figures
  })
}

/** Milliseconds since the start of the daemon and of the database. */
type ProcessorTime = { daemon: number; database: number }

type Askers = { ours: Asker; bare: Asker; processorTime: () => ProcessorTime }

type Way = { pauseMilliseconds: number; requests: number }

async function askBoth(question: Question, { ours, bare, processorTime }: Askers): Promise<Figure[]> {
  if (question.isSameOrder) await compare(question, ours, bare)
  const figures: Figure[] = []
  await timesOf(question, ours, { pauseMilliseconds: 0, requests: WARM_UP.ours })
  await timesOf(question, bare, { pauseMilliseconds: 0, requests: WARM_UP.bare })
  for (const way of WAYS) {
    const before = processorTime()
    const oursTimes = await timesOf(question, ours, way)
    const between = processorTime()
    const times = { ours: oursTimes, peer: await timesOf(question, bare, way) }
    const after = processorTime()
    for (const percent of [50, 99]) {
      const both = { ours: percentile(times.ours, percent), peer: percentile(times.peer, percent) }
      figures.push({ name: `${question.name}, ${way.name}, p${percent}`, ...both, unit: 'ms', peerName: 'bare SQL' })
    }
    const peer = (after.database - between.database) / way.requests
    for (const [part, ms] of [
      ['daemon', between.daemon - before.daemon],
      ['database', between.database - before.database],
    ] as const) {
      const name = `processor time of that, ${part}`
      figures.push({ name, ours: ms / way.requests, peer, unit: 'ms', peerName: 'bare SQL' })
    }
  }
  return figures
}

/** Checks that both replies have the same ids. */
async function compare(question: Question, ours: Asker, bare: Asker): Promise<void> {
  for (const round of [0, 7]) {
    const answers = [await ours.idsOf(question, round), await bare.idsOf(question, round)]
    if (answers[0]?.join() !== answers[1]?.join()) throw new Error(`${question.name}: the bare SQL finds other items`)
  }
}

/** Milliseconds of each call; the number of concurrent calls is that of the clients. */
export async function timesOf(question: Question, asker: Asker, { requests, pauseMilliseconds }: Way) {
  const times: number[] = []
  let next = 0
  const client = async (_: unknown, index: number): Promise<void> => {
    while (next < requests) {
      const round = (next += 1)
      if (pauseMilliseconds > 0) await pause(pauseMilliseconds)
      const started = performance.now()
      await asker.ask(question, { round, client: index })
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return times
}

/** A random pause between 0 and twice the mean, so that clients do not send at the same time. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * milliseconds))
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
