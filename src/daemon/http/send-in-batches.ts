import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { TSchema } from 'typebox'

const compileSerializer = SerializerSelector()()

/** Serializes values of a schema to JSON. The serializer is compiled at first use. */
export function createSerializer(schema: TSchema): (value: unknown) => string {
  let serialize: ((value: unknown) => string) | undefined
  return (value) => (serialize ??= compileSerializer({ schema, method: '', url: '', httpStatus: '' }))(value)
}

type List<Batch> = {
  /** Key of the list in the response. */
  key: string
  batches: AsyncIterable<Batch>
  /** Serializes the rows of a batch to JSON. */
  serialize: (batch: Batch) => readonly string[] | Promise<readonly string[]>
  /** JSON text of an object with the other keys of the response. */
  others?: string
  /** Key of the number of rows, which follows them. */
  countKey?: string
}

/** Accepts replies of any schema. The rows are checked against their schema where they are made. */
type AnyReply = {
  type: (contentType: string) => unknown
  request: { acquireLongListSlot?: AcquireSlot }
}

/** Waits until the account may have another batch made. Returns the function that gives the slot back. */
type AcquireSlot = () => Promise<() => void>

/**
 * Streams a list that may be long: each batch is read, serialized and sent before the next one, so that other requests are served in
 * between. An error in the first batch becomes an error response; a later error aborts the connection.
 */
export async function sendInBatches<Batch, Answer>(reply: AnyReply, list: List<Batch>): Promise<Answer> {
  const texts = textsOf(list, reply.request.acquireLongListSlot)
  const first = await texts.next()
  const body = Readable.from(withFirst(first.value ?? '', texts), { objectMode: false })
  reply.type('application/json; charset=utf-8')
  // Fastify sends streams unchanged.
  return body as Answer
}

/**
 * The slot of the account is held while a batch is made, and not while the client reads: a client may read its replies one after the other,
 * and must not wait for itself.
 */
async function* textsOf<Batch>(
  { key, batches, serialize, others = '{}', countKey }: List<Batch>,
  acquireSlot: AcquireSlot = async () => () => {},
): AsyncGenerator<string> {
  const head = others === '{}' ? '{' : `${others.slice(0, -1)},`
  let before = `${head}${JSON.stringify(key)}:[`
  let count = 0
  const iterator = batches[Symbol.asyncIterator]()
  try {
    for (;;) {
      const rows = await withSlot(acquireSlot, async () => {
        const { done, value } = await iterator.next()
        return done === true ? undefined : serialize(value)
      })
      if (rows === undefined) break
      count += rows.length
      for (const chunk of chunksOf(rows)) {
        yield before + chunk
        before = ','
      }
      // Batches that come from memory do not yield to the event loop by themselves.
      await nextTurn()
    }
  } finally {
    await iterator.return?.()
  }
  const end = countKey === undefined ? ']}' : `],${JSON.stringify(countKey)}:${count}}`
  yield `${before === ',' ? '' : before}${end}`
}

async function withSlot<Result>(acquireSlot: AcquireSlot, work: () => Promise<Result>): Promise<Result> {
  const release = await acquireSlot()
  try {
    return await work()
  } finally {
    release()
  }
}

/** Size of a chunk. V8 keeps a text of more than 128 KiB in a space of the heap that only slow collections free. */
const CHUNK_CHARACTERS = 32 * 1024

/** Joins rows to chunks of the body. A chunk ends with the row that exceeds its length. */
function* chunksOf(rows: readonly string[]): Generator<string> {
  let chunk: string[] = []
  let length = 0
  for (const row of rows) {
    chunk.push(row)
    length += row.length
    if (length <= CHUNK_CHARACTERS) continue
    yield chunk.join()
    chunk = []
    length = 0
  }
  if (chunk.length > 0) yield chunk.join()
}

async function* withFirst(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** Number of items per batch: some milliseconds of work. */
const BATCH_SIZE = 50

/** Reads the values of the given ids batch by batch. */
export async function* readInBatches<Value>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<Value>,
): AsyncGenerator<Value> {
  for await (const part of splitIntoBatches(ids)) yield read(part)
}

/** Divides rows that have been read at once, so that they are serialized batch by batch. */
export async function* splitIntoBatches<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += BATCH_SIZE) yield rows.slice(from, from + BATCH_SIZE)
}
