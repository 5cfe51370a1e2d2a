import type { MediaItem } from '../catalogue/index.ts'

/** The plays of one day in UTC. */
export type PlayDay = { day: string; playCount: number; completedCount: number; watchedSeconds: number }

/** The plays of an account. */
export type TopUser = { userId: string; username: string; playCount: number; watchedSeconds: number }

/** The plays of an item. */
export type TopItem = { item: MediaItem; playCount: number; watchedSeconds: number }
