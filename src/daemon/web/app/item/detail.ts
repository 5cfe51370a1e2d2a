import type { MediaDetail } from '../api-types.d.ts'

/** An item with all that is known about it. */
export type Detail = MediaDetail['item']
