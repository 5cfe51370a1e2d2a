import { z } from 'zod'

/** What a statement answers that only counts. */
export const CountRow = z.strictObject({ count: z.number() })

/** What a statement answers that only says which rows. */
export const IdRow = z.strictObject({ id: z.string() })
