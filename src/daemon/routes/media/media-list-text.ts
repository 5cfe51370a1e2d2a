import { Type, type TArray, type TObject } from 'typebox'
import { createAttachedValue } from '../../../core/platform/cache/index.ts'
import { serializerOf } from '../../http/send-in-batches.ts'
import { MediaItemRow } from './media.schemas.ts'
import type { MediaRow } from './media-rows.ts'

type List = { items: readonly MediaRow[] } & Record<string, unknown>

const serializeRow = serializerOf(MediaItemRow)

/** JSON text by row. `mediaRows` returns the same row object until something in it changes. */
const texts = createAttachedValue<MediaRow, string>()

/** The plain row inside an extended row. */
const plainRows = createAttachedValue<object, MediaRow>()

/** A row with additional keys of one list. No additional key may also be a key of the row. */
export function rowWith<More extends object>(row: MediaRow, more: More): MediaRow & More {
  const whole = { ...row, ...more }
  plainRows.set(whole, row)
  return whole
}

/**
 * The `serializerCompiler` of routes whose `items` are plain rows or rows of `rowWith`. Most rows were sent before, and serializing them
 * again would cost more than the rest of the response.
 */
export function compileMediaList({ schema }: { schema: unknown }): (list: List) => string {
  // The type names the schema of the whole route; Fastify passes the schema of the response.
  const { items, ...others } = (schema as TObject<{ items: TArray<TObject> }>).properties
  const serializeOthers = serializerOf(Type.Object(others))
  const more = Object.entries(items.items.properties).filter(([key]) => !Object.hasOwn(MediaItemRow.properties, key))
  const serializeMore = serializerOf(Type.Object(Object.fromEntries(more)))
  const textOf = (item: MediaRow): string => {
    const row = plainRows.get(item)
    return row === undefined ? mediaRowText(item) : joined(mediaRowText(row), serializeMore(item))
  }
  return (list) => joined(`{"items":[${list.items.map(textOf).join()}]}`, serializeOthers(list))
}

/** Serializes a row to JSON; cached by row object. */
export function mediaRowText(row: MediaRow): string {
  const known = texts.get(row)
  if (known !== undefined) return known
  const text = serializeRow(row)
  texts.set(row, text)
  return text
}

/** Merges two JSON objects; the first is not empty. */
function joined(first: string, second: string): string {
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`
}
