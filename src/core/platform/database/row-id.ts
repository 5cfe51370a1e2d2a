import { z } from 'zod'

const Id = z.guid()

/** Whether a word from outside has the form of a row's id; the database refuses others as an error, where there is simply no such row. */
export function isId(value: unknown): value is string {
  return Id.safeParse(value).success
}
