import { z } from 'zod'

const Id = z.guid()

/** Whether a text has the form of an id; one that has not names nothing, and is not asked the database for (decisions 3.3, Ids). */
export function isId(text: string): boolean {
  return Id.safeParse(text).success
}
