import { Type, type TArray, type TObject } from 'typebox'
import { serializerOf } from '../../http/send-in-portions.ts'
import { MediaItemRow } from './media.schemas.ts'
import type { MediaRow } from './media-rows.ts'

type List = { items: readonly MediaRow[] } & Record<string, unknown>

const serializeRow = serializerOf(MediaItemRow)

/** A row is the same object in list after list as long as nothing in it changes (`mediaRows`); its text goes with it. */
const texts = new WeakMap<MediaRow, string>()

/** Of what stands in lists that say more of an item: the row in it. */
const rowsWithin = new WeakMap<object, MediaRow>()

/** A row with what only one list says of the item; no key may be one of the row's. */
export function rowWith<More extends object>(row: MediaRow, more: More): MediaRow & More {
  const whole = { ...row, ...more }
  rowsWithin.set(whole, row)
  return whole
}

/**
 * The `serializerCompiler` of routes whose `items` are rows, or made by `rowWith`. Most rows have been sent before, and making their texts
 * anew costs more than all else of such an answer.
 */
export function compileMediaList({ schema }: { schema: unknown }): (list: List) => string {
  // Fastify's types name the whole schema of the route; what it gives is that of the answer.
  const { items, ...others } = (schema as TObject<{ items: TArray<TObject> }>).properties
  const serializeOthers = serializerOf(Type.Object(others))
  const more = Object.entries(items.items.properties).filter(([key]) => !Object.hasOwn(MediaItemRow.properties, key))
  const serializeMore = serializerOf(Type.Object(Object.fromEntries(more)))
  const textOf = (item: MediaRow): string => {
    const row = rowsWithin.get(item)
    return row === undefined ? mediaRowText(item) : joined(mediaRowText(row), serializeMore(item))
  }
  return (list) => joined(`{"items":[${list.items.map(textOf).join()}]}`, serializeOthers(list))
}

/** A row as JSON; known rows keep their text. */
export function mediaRowText(row: MediaRow): string {
  const known = texts.get(row)
  if (known !== undefined) return known
  const text = serializeRow(row)
  texts.set(row, text)
  return text
}

/** One object with the keys of two, of which the first has some. */
function joined(first: string, second: string): string {
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`
}
