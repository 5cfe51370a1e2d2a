import { fillCatalogue } from './api-catalogue.ts'
import { connectOurs } from './api-clients.ts'
import { questionsOf } from './api-questions.ts'
import { CLIENTS, itemsOr, timesOf } from './api.ts'
import { PASSWORD } from './clients.ts'
import { whileServingFilled } from './new-server.ts'
import { familyMilliseconds } from './processor-time.ts'
import type { Figure } from './run.ts'

const REQUESTS = 2000

const CODINGS = ['gzip', 'br', 'zstd'] as const

/** Lists of 50 rows: each page anew, and one that is cached as text. */
const LISTS = ['top level by name', 'favourites'] as const

/**
 * Lists for 50 clients in a closed loop, compressed against not compressed: replies per second, bytes of a reply with its headers, and
 * processor time of the daemon.
 */
export async function benchCompression(): Promise<Figure[]> {
  const items = itemsOr(20_000)
  const fill = async (database: Parameters<typeof fillCatalogue>[0]) => fillCatalogue(database, items)
  return whileServingFilled({ name: 'compression', isAdmin: false, fill }, async ({ port, child }, { filled }) => {
    const measure = async (name: string, coding: string): Promise<Measured> => {
      const question = questionsOf(items, filled).find((one) => one.name === name)
      if (question === undefined) throw new Error(`there is no question named ${name}`)
      const headers = { 'accept-encoding': coding }
      const clients = await connectOurs({ port, password: PASSWORD, clients: CLIENTS, headers })
      await timesOf(question, clients, { pauseMilliseconds: 0, requests: 500 })
      const [bytes, processor, started] = [
        clients.receivedBytes(),
        familyMilliseconds(child.pid ?? 0),
        performance.now(),
      ]
      await timesOf(question, clients, { pauseMilliseconds: 0, requests: REQUESTS })
      const seconds = (performance.now() - started) / 1000
      const measured = {
        perSecond: REQUESTS / seconds,
        kibibytes: (clients.receivedBytes() - bytes) / REQUESTS / 1024,
        processorMilliseconds: (familyMilliseconds(child.pid ?? 0) - processor) / REQUESTS,
      }
      await clients.close()
      return measured
    }
    const figures: Figure[] = []
    for (const name of LISTS) {
      const plain = await measure(name, 'identity')
      for (const coding of CODINGS) figures.push(...figuresOf(`${name}, ${coding}`, await measure(name, coding), plain))
    }
    return figures
  })
}

type Measured = { perSecond: number; kibibytes: number; processorMilliseconds: number }

function figuresOf(name: string, ours: Measured, plain: Measured): Figure[] {
  const peerName = 'not compressed'
  return [
    { name, ours: ours.perSecond, peer: plain.perSecond, unit: '/s', peerName },
    { name: `${name}: KiB of a reply`, ours: ours.kibibytes, peer: plain.kibibytes, unit: ' ', peerName },
    {
      name: `${name}: processor time`,
      ours: ours.processorMilliseconds,
      peer: plain.processorMilliseconds,
      unit: 'ms',
      peerName,
    },
  ]
}
