import { z } from 'zod'

/** The row of a statement that counts. */
export const CountRow = z.strictObject({ count: z.number() })

/** The row of a statement that returns ids. */
export const IdRow = z.strictObject({ id: z.string() })
