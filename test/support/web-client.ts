import { mkdirSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { pick } from './app.ts'
import { startDaemon, stopDaemon } from './daemon.ts'
import { testDatabase } from './database.ts'
import { reachableDirectory } from './directories.ts'
import { plain } from './generated-pictures.ts'
import { sampleMedia } from './media.ts'
import { temporaryDataDirectory } from './phlix.ts'

/** A request of a page with the fields that the page reads from the response: `items.id` is checked in every item. */
export type Step = { ask: string; body?: unknown; reads: readonly string[] }

export type Answer = { status: number; json: unknown }

/** A simulated web client: pages with their requests, and elements of pages. */
export type WebClient = {
  /** Contains `Films` and `Shows`. */
  folder: string
  /** Sends a request of the interface, with the token if there is one. */
  send: (step: Pick<Step, 'ask' | 'body'>) => Promise<Answer>
  /** Uses this token from now on. */
  signIn: (token: string) => void
  /** Sends the requests of a page in order; returns the responses. */
  open: (t: Test, page: string, steps: readonly Step[]) => Promise<unknown[]>
  /** Loads the URL of an element of a page, without a token. */
  load: (address: unknown, range?: string) => Promise<Response>
}

/** Starts a separate daemon without accounts, with two films and three episodes on disk. */
export async function startWebClient(t: Test): Promise<WebClient> {
  const data = await temporaryDataDirectory(t)
  const { environment } = await testDatabase(t)
  const daemon = await startDaemon(data, environment)
  t.teardown(() => stopDaemon(daemon))
  const folder = reachableDirectory(t)
  await putMedia(folder)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const send = async ({ ask, body }: Pick<Step, 'ask' | 'body'>): Promise<Answer> => {
    const [method = '', path = ''] = ask.split(' ')
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await fetch(`${daemon.address}/api/v1${path}`, { method, headers, ...sent })
    return { status: reply.status, json: await reply.json() }
  }
  return {
    folder,
    send,
    signIn: (token) => void (headers['authorization'] = `Bearer ${token}`),
    load: (address, range) =>
      fetch(`${daemon.address}${String(address)}`, range === undefined ? {} : { headers: { range } }),
    open: async (test, page, steps) => {
      const answers: unknown[] = []
      for (const step of steps) {
        const { status, json } = await send(step)
        const isGood = status >= 200 && status < 300
        test.ok(isGood, `${page}: ${step.ask} is answered ${status} ${isGood ? '' : JSON.stringify(json)}`)
        for (const field of step.reads) test.ok(isThere(json, field.split('.')), `${page}: ${step.ask} has ${field}`)
        answers.push(json)
      }
      return answers
    },
  }
}

async function putMedia(folder: string): Promise<void> {
  const [films, season] = [join(folder, 'Films'), join(folder, 'Shows', 'Show (2010)', 'Season 1')]
  mkdirSync(join(films, 'Heat (1995)'), { recursive: true })
  mkdirSync(season, { recursive: true })
  await copyFile(await sampleMedia('film-mp4'), join(films, 'Heat (1995)', 'Heat (1995).mp4'))
  await copyFile(await sampleMedia('film-tracks-mkv'), join(films, 'Ran (1985).mkv'))
  writeFileSync(join(films, 'Heat (1995)', 'poster.jpg'), await plain(400, 600).jpeg().toBuffer())
  for (const episode of [1, 2, 4]) {
    await copyFile(await sampleMedia('film-tiny-mp4'), join(season, `Show (2010) S01E0${episode}.mp4`))
  }
}

/** A list without elements does not count as present. */
function isThere(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value) && path.length > 0) return value.length > 0 && value.every((one) => isThere(one, path))
  const [key, ...rest] = path
  if (key === undefined) return value !== undefined
  return typeof value === 'object' && value !== null && isThere(pick(value, key), rest)
}
