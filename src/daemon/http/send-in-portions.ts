import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { TSchema } from 'typebox'

const compile = SerializerSelector()()

/** Writes values of a schema as JSON; compiled with the first value. */
export function serializerOf(schema: TSchema): (value: unknown) => string {
  let serialize: ((value: unknown) => string) | undefined
  return (value) => (serialize ??= compile({ schema, method: '', url: '', httpStatus: '' }))(value)
}

type List<Portion> = {
  /** The name of the list in the answer. */
  key: string
  portions: AsyncIterable<Portion>
  /** The rows of a portion as JSON texts. */
  serialize: (portion: Portion) => readonly string[] | Promise<readonly string[]>
  /** JSON of the other keys of the answer, an object. */
  others?: string
}

/** A placeholder for a reply of any schema here; the rows are checked against the schema where they are made. */
type AnyReply = { type: (contentType: string) => unknown }

/**
 * Answers a list that may be long: each portion is read, made into text and sent before the next one, and other requests are answered
 * in between. What fails in the first portion is answered as an error; what fails later ends the connection.
 */
export async function sendInPortions<Portion, Answer>(reply: AnyReply, list: List<Portion>): Promise<Answer> {
  const texts = textsOf(list)
  const first = await texts.next()
  const body = Readable.from(withFirst(first.value ?? '', texts), { objectMode: false })
  reply.type('application/json; charset=utf-8')
  // Fastify sends streams as they are.
  return body as Answer
}

async function* textsOf<Portion>({ key, portions, serialize, others = '{}' }: List<Portion>): AsyncGenerator<string> {
  const head = others === '{}' ? '{' : `${others.slice(0, -1)},`
  let before = `${head}${JSON.stringify(key)}:[`
  for await (const portion of portions) {
    const rows = await serialize(portion)
    if (rows.length === 0) continue
    yield before + rows.join()
    before = ','
    // What comes from memory needs no turn of its own.
    await nextTurn()
  }
  yield `${before === ',' ? '' : before}]}`
}

async function* withFirst(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** So many rows of items are made at once: some milliseconds of work. */
const PORTION = 50

/** Reads what belongs to some ids, a portion at a time. */
export async function* readInPortions<Value>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<Value>,
): AsyncGenerator<Value> {
  for (let from = 0; from < ids.length; from += PORTION) yield read(ids.slice(from, from + PORTION))
}
