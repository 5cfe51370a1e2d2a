import { availableParallelism } from 'node:os'

/** Number of pictures that are drawn concurrently: one of libuv's four threads remains free for files. */
export const DRAW_CONCURRENCY = Math.min(availableParallelism(), 3)
